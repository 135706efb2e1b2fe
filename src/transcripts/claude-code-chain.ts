/** The lines of a Claude Code session that the model would be sent: one branch of a tree, from its last compaction on. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";

/**
 * Their indices, in the order in which the model reads them.
 *
 * @param whole also those before its last compaction
 */
export function activeLines(lines: readonly WireObject[], whole = false): readonly number[] {
  const isOwn = ownLines(lines);
  const byUuid = new Map<string, number>();
  lines.forEach(({ uuid }, index) => {
    if (typeof uuid === "string") byUuid.set(uuid, index);
  });
  const leaf = lines.findLastIndex((line) => isOwn(line) && isSpoken(line));
  if (leaf < 0) return [];
  const chain = ancestors(lines, byUuid, leaf, whole);
  const active = new Set(chain);
  addParallel(lines, isOwn, active);
  const order = [...active].sort((a, b) => a - b);
  return whole ? order : withPreserved(lines, byUuid, order, chain);
}

/** A sub-agent's own file has only sidechain lines; in any other file they are not the main conversation's. */
function ownLines(lines: readonly WireObject[]): (line: WireObject) => boolean {
  const hasMain = lines.some((line) => isSpoken(line) && line.isSidechain !== true);
  return (line) => !hasMain || line.isSidechain !== true;
}

function isSpoken({ type, message }: WireObject): boolean {
  return (type === "user" || type === "assistant") && isObject(message);
}

function ancestors(
  lines: readonly WireObject[],
  byUuid: ReadonlyMap<string, number>,
  leaf: number,
  whole: boolean,
): readonly number[] {
  const chain = new Set<number>();
  for (let at: number | undefined = leaf; at !== undefined && !chain.has(at); ) {
    chain.add(at);
    const { parentUuid, logicalParentUuid } = lines[at]!;
    at = byUuid.get(firstText(parentUuid, whole ? logicalParentUuid : undefined));
  }
  return [...chain];
}

/** Parallel calls branch the tree: the other lines of an active reply, and the answers to its calls, belong to it. */
function addParallel(
  lines: readonly WireObject[],
  isOwn: (line: WireObject) => boolean,
  active: Set<number>,
): void {
  const replyOf = (line: WireObject) =>
    isObject(line.message) && line.type === "assistant" ? firstText(line.message.id) : "";
  const replies = new Set([...active].map((index) => replyOf(lines[index]!)).filter(Boolean));
  const uuids = new Set([...active].map((index) => lines[index]!.uuid));
  const calls = new Set<unknown>();
  lines.forEach((line, index) => {
    if (!isOwn(line) || !replies.has(replyOf(line))) return;
    // subtle: a resumed session may hold copies of a line under the same uuid; one of them is enough.
    if (!active.has(index) && !uuids.has(line.uuid)) active.add(index);
    for (const block of blocksOf(line)) if (block.type === "tool_use") calls.add(block.id);
  });
  const answered = new Set([...active].flatMap((index) => answersOf(lines[index]!)));
  lines.forEach((line, index) => {
    if (!isOwn(line) || active.has(index) || line.type !== "user") return;
    const answers = answersOf(line);
    if (answers.length === 0 || !answers.every((id) => calls.has(id) && !answered.has(id))) return;
    active.add(index);
    for (const id of answers) answered.add(id);
  });
}

function answersOf(line: WireObject): readonly unknown[] {
  return blocksOf(line).flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
}

function blocksOf({ message }: WireObject): readonly WireObject[] {
  return isObject(message) && Array.isArray(message.content) ? message.content.filter(isObject) : [];
}

/** A compaction may keep messages that are before it in the file: they are read after its summary. */
function withPreserved(
  lines: readonly WireObject[],
  byUuid: ReadonlyMap<string, number>,
  order: readonly number[],
  chain: readonly number[],
): readonly number[] {
  const boundary = chain.findLast((index) => lines[index]!.subtype === "compact_boundary");
  const metadata = boundary === undefined ? undefined : lines[boundary]!.compactMetadata;
  const preserved =
    isObject(metadata) && isObject(metadata.preservedMessages) ? metadata.preservedMessages : {};
  const anchor = byUuid.get(firstText(preserved.anchorUuid));
  if (anchor === undefined || !Array.isArray(preserved.uuids)) return order;
  const kept = preserved.uuids.flatMap((uuid) => byUuid.get(firstText(uuid)) ?? []);
  const rest = order.filter((index) => !kept.includes(index));
  const at = rest.indexOf(anchor) + 1;
  return at === 0 ? order : rest.toSpliced(at, 0, ...kept);
}
