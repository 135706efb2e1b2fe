/** Writing a Claude Code session: a hand-off as its own compaction, and a chain of parents without gaps. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { type Chain, mendedParents, nearestKept } from "./parent-chain.ts";
import type { Changes, Insert, ValueSet, Writing } from "./transcript.ts";

/**
 * Claude Code sends what follows the last `compact_boundary`. So the boundary is before all that stays in view, the
 * summary where the hand-off is, and every line's parent is the line before it that is still there.
 */
export function composeClaudeCode(writing: Writing): Changes {
  const { reading, removed, told, newId } = writing;
  const lines = reading.records.map(({ value }) => (isObject(value) ? value : {}));
  const [handoff] = told;
  if (handoff === undefined) return { inserts: [], sets: mendedParents(lines, removed, CHAIN) };
  const kept = reading.said
    .flatMap(({ pieces }) => pieces.map(({ record }) => record))
    .filter((record) => !removed.has(record));
  const first = kept.length > 0 ? Math.min(...kept) : undefined;
  const near = lines[handoff.before ?? handoff.after ?? lines.length - 1] ?? {};
  const boundary = boundaryLine(near, newId(), lines, removed);
  const summaries = told.map((each) => ({ ...each, uuid: newId() }));
  const { sets, parents } = mendedAround(lines, writing, {
    first: first ?? lines.length,
    boundary: boundary.uuid,
    summaries,
  });
  const inserts: Insert[] = [
    { value: boundary, before: first, after: undefined },
    ...summaries.map(({ text, uuid, before, after }, index) => ({
      value: summaryLine(near, uuid, parents[index]!, text),
      before,
      after,
    })),
  ];
  return { inserts, sets };
}

const CHAIN: Chain = { id: "uuid", parent: "parentUuid" };

/** What every line of a session repeats. */
const SESSION_KEYS = [
  "isSidechain",
  "agentId",
  "userType",
  "entrypoint",
  "cwd",
  "sessionId",
  "version",
  "gitBranch",
];

function sessionOf(line: WireObject): WireObject {
  return Object.fromEntries(SESSION_KEYS.filter((key) => key in line).map((key) => [key, line[key]]));
}

function boundaryLine(
  near: WireObject,
  uuid: string,
  lines: readonly WireObject[],
  removed: ReadonlySet<number>,
): WireObject & { readonly uuid: string } {
  const tokens = lines.findLast((line, index) => removed.has(index) && usageOf(line) > 0);
  return {
    parentUuid: null,
    logicalParentUuid: null,
    ...sessionOf(near),
    type: "system",
    subtype: "compact_boundary",
    content: "Conversation compacted",
    isMeta: false,
    timestamp: near.timestamp,
    uuid,
    level: "info",
    compactMetadata: { trigger: "manual", preTokens: tokens ? usageOf(tokens) : 0 },
  };
}

function usageOf({ message }: WireObject): number {
  const usage = isObject(message) && isObject(message.usage) ? message.usage : {};
  const counts = [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens];
  return counts.reduce<number>((sum, count) => sum + (typeof count === "number" ? count : 0), 0);
}

function summaryLine(near: WireObject, uuid: string, parentUuid: string, text: string): WireObject {
  return {
    parentUuid,
    ...sessionOf(near),
    type: "user",
    message: { role: "user", content: text },
    isVisibleInTranscriptOnly: true,
    isCompactSummary: true,
    uuid,
    timestamp: near.timestamp,
  };
}

interface Around {
  /** The first line that stays in view. */
  readonly first: number;
  readonly boundary: string;
  readonly summaries: readonly { readonly uuid: string; readonly before: number | undefined }[];
}

/** Lines that lost their parent hang on the summary or the boundary before them; `parents` are those of the summaries. */
function mendedAround(
  lines: readonly WireObject[],
  { reading, removed }: Writing,
  { first, boundary, summaries }: Around,
) {
  const nearest = nearestKept(lines, removed, CHAIN);
  const speaking = new Set(reading.said.flatMap(({ pieces }) => pieces.map(({ record }) => record)));
  const sections = [
    { start: first, head: boundary },
    ...summaries.map(({ uuid, before }) => ({ start: before ?? lines.length, head: uuid })),
  ];
  const ends = sections.map(({ head }) => head);
  const sets: ValueSet[] = [];
  lines.forEach((line, record) => {
    if (record < first || removed.has(record) || !("parentUuid" in line)) return;
    const at = sections.findLastIndex(({ start }) => start <= record);
    const { start, head } = sections[at]!;
    const parent = nearest(line);
    const isRoot = line.parentUuid === null && !speaking.has(record);
    const parentUuid = isRoot ? null : parent >= start ? firstText(lines[parent]!.uuid) : head;
    if (parentUuid !== line.parentUuid) sets.push({ record, path: ["parentUuid"], value: parentUuid });
    if (speaking.has(record)) ends[at] = firstText(line.uuid);
  });
  return { sets, parents: summaries.map((_, index) => ends[index]!) };
}
