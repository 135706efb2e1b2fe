/**
 * branchOf: which messages of a conversation are in the past of the one who asks. A conversation that was rewound, forked or
 * retried has several branches in one archive; what a request says, message by message, tells which of them it is of.
 */
import type { Message } from "../conversation/message.ts";
import type { Archive, CompactionRecord, MessagePlace } from "./archive.ts";
import { MARKER } from "./item-id.ts";
import { createMarks, type Marks } from "./marks.ts";
import { idsOfCompaction } from "./named-ids.ts";
import { createSayings, type Sayings } from "./sayings.ts";
import { withdrawnIds } from "./withdrawn.ts";

export interface Branch {
  /** The items of the conversation that are not in its past, messages and others. Empty where there is only one branch. */
  readonly outside: ReadonlySet<string>;
}

/** A request's messages, in order: as the client has them, or as they are after compactions. */
export type AskingMessages = readonly Message[];

/**
 * @param asking one list, or several that are the same branch in other words; without any, the branch of the last compaction
 */
export async function branchOf(
  archive: Archive,
  conversation: string,
  asking?: readonly AskingMessages[],
): Promise<Branch> {
  const records = (await archive.compactions?.(conversation)) ?? [];
  const withdrawn = await withdrawnIds(archive, conversation);
  if (records.length === 0 && withdrawn.length === 0) return ONLY_BRANCH;
  const marks = createMarks();
  const present = (asking ?? []).map((messages) => messages.map(marks.message));
  const sayings = createSayings(archive, marks.items);
  await sayings.read(records.flatMap(firstsOf));
  const own = [...marks.items.values()].map(({ content }) => content);
  const begin = present.length > 0 ? present : [idsOf(records.at(-1)?.messagesAfter ?? [])];
  const past = await pastOf(begin, records, sayings);
  const inside = new Set([...past.ids, ...past.named, ...own.flatMap(namedIn)]);
  const whole = records.filter((record) => past.records.has(record));
  for (const id of whole.flatMap(idsOfCompaction)) inside.add(id);
  const all = [...records.flatMap(idsOfCompaction), ...withdrawn];
  return { outside: new Set(all.filter((id) => !inside.has(id))) };
}

/**
 * The last compaction that is in the past of these messages; undefined where none is.
 *
 * @param marks of the messages, where ids were given to them already
 */
export async function compactionInPast(
  archive: Archive,
  { conversation, messages, last, marks }: PastToFind,
): Promise<CompactionRecord | undefined> {
  const line = messages.map(marks.message);
  const newest = await archive.compaction?.(last);
  const inPast = async (records: readonly CompactionRecord[]): Promise<CompactionRecord | undefined> => {
    const sayings = createSayings(archive, marks.items);
    await sayings.read(records.flatMap(firstsOf));
    const past = await pastOf([line], records, sayings);
    return records.findLast((record) => past.records.has(record));
  };
  // Nearly always it is the one that the state names.
  if (newest?.conversation === conversation && (await inPast([newest]))) return newest;
  return inPast((await archive.compactions?.(conversation)) ?? []);
}

export interface PastToFind {
  readonly conversation: string;
  readonly messages: AskingMessages;
  /** The compaction that is thought to be the last. */
  readonly last: string;
  readonly marks: Marks;
}

const ONLY_BRANCH: Branch = { outside: new Set() };

/** More ways to put one past than any conversation has; beyond it rather too little is in the past than too much. */
const MOST_LINES = 5_000;

interface Past {
  readonly ids: ReadonlySet<string>;
  /** What the messages name that were written by compactions of which only the beginning is in the past. */
  readonly named: readonly string[];
  /** The compactions that are in it from beginning to end. */
  readonly records: ReadonlySet<CompactionRecord>;
}

/**
 * A line begins with what a compaction left: then what it was made of is in the past, too, and the line can be put in those
 * messages. It begins with what a compaction was made of: then it can be put in what that left. Each way to put it may begin
 * like another compaction.
 */
async function pastOf(
  begin: readonly (readonly string[])[],
  records: readonly CompactionRecord[],
  sayings: Sayings,
): Promise<Past> {
  const lines: (readonly string[])[] = [];
  const known = new Set<string>();
  const add = (line: readonly string[]): void => {
    const key = line.join(" ");
    if (known.has(key) || lines.length >= MOST_LINES) return;
    known.add(key);
    lines.push(line);
  };
  const ids = new Set(begin.flat());
  const inside = new Set<CompactionRecord>();
  const written = new Set<string>();
  for (const line of begin) add(await sayings.withoutSystem(line));
  const sides: Sides[] = [];
  for (const record of records) sides.push(await sidesOf(record, sayings));
  for (let next = 0; next < lines.length; next++) {
    const line = lines[next]!;
    for (const id of line) ids.add(id);
    for (const { record, before, after, handOff } of sides) {
      // A hand-off is of one past alone, whatever became of the messages before it.
      const at = handOff < 0 ? -1 : line.indexOf(after[handOff]!);
      const [skipped, start] = at < 0 ? [0, 0] : [at, handOff];
      const run = await sayings.common(line.slice(skipped), after.slice(start));
      const left = run > 0 ? start + run : 0;
      if (left > 0) {
        const cut = left === after.length ? before.length : cutOf(record, before, after, left);
        if (left === after.length) inside.add(record);
        else for (const id of after.slice(0, left)) if (!before.includes(id)) written.add(id);
        add([...before.slice(0, cut), ...line.slice(skipped + run)]);
      }
      if (before.length > 0 && (await sayings.common(line, before)) === before.length) {
        inside.add(record);
        add([...after, ...line.slice(before.length)]);
      }
    }
  }
  await sayings.read([...written]);
  const named = [...written].flatMap((id) => namedIn(sayings.contentOf(id) ?? ""));
  return { ids, named, records: inside };
}

/** What a compaction was made of and what it left, both without system prompts. */
interface Sides {
  readonly record: CompactionRecord;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Where the hand-off that it wrote is among what it left; -1 where it wrote none. */
  readonly handOff: number;
}

async function sidesOf(record: CompactionRecord, { withoutSystem }: Sayings): Promise<Sides> {
  const { messagesBefore, messagesAfter } = record;
  const before = idsOf(messagesBefore);
  const earlier = new Set(before);
  const after = await withoutSystem(idsOf(messagesAfter));
  const written = messagesAfter.find(({ position, id }) => position < 0 && !earlier.has(id));
  const handOff = written ? after.indexOf(written.id) : -1;
  return { record, before: await withoutSystem(before), after, handOff };
}

/** How many of the messages before are in the past where only so many of those after it are. */
function cutOf(
  { messagesBefore, messagesAfter }: CompactionRecord,
  before: readonly string[],
  after: readonly string[],
  left: number,
): number {
  const placed = messagesBefore.slice(messagesBefore.length - before.length);
  const placeOf = (at: number) => placed.findIndex(({ position }) => position === at);
  const first = messagesAfter.length - after.length;
  // A message that stayed is in the past with those before it; what a hand-off stands for, up to the next that stayed.
  const last = messagesAfter[first + left - 1]!;
  if (last.position >= 0 && placeOf(last.position) >= 0) return placeOf(last.position) + 1;
  const next = messagesAfter.slice(first + left).find(({ position }) => position >= 0);
  return next ? Math.max(0, placeOf(next.position)) : before.length;
}

/** These are read at once, as few begin with more system prompts than one; any further prompts one by one. */
function firstsOf({ messagesBefore, messagesAfter }: CompactionRecord): readonly string[] {
  return [...idsOf(messagesBefore.slice(0, 2)), ...idsOf(messagesAfter.slice(0, 2))];
}

function idsOf(places: readonly MessagePlace[]): readonly string[] {
  return places.map(({ id }) => id);
}

function namedIn(text: string): readonly string[] {
  return text.match(MARKER) ?? [];
}
