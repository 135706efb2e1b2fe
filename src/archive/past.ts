/** pastOf: the messages and compactions that are in the past of a list of messages, found by what the messages say. */
import type { CompactionRecord, MessagePlace } from "./archive.ts";
import { MARKER } from "./item-id.ts";
import { type Before, createPoints, type Point, type Points } from "./points.ts";
import type { Sayings } from "./sayings.ts";

/** Ids of messages, in order. */
type Line = readonly string[];

export interface Past {
  readonly ids: ReadonlySet<string>;
  /** What the messages name that were written by compactions of which only the beginning is in the past. */
  readonly named: readonly string[];
  /** The compactions that are in it from beginning to end. */
  readonly records: ReadonlySet<CompactionRecord>;
}

export interface PastSearch {
  /** One list of message ids, or several that are the same past in other words. */
  readonly begin: readonly Line[];
  /** Of the conversation, oldest first. */
  readonly records: readonly CompactionRecord[];
  readonly sayings: Sayings;
}

/**
 * Wherever a compaction is, what it left is in other words what it was made of, message by message: both lead to the same points.
 * In the past is what leads to where the messages asked with end.
 */
export async function pastOf({ begin, records, sayings }: PastSearch): Promise<Past> {
  // Two messages of each at once: few begin with more system prompts than one.
  await sayings.read(records.flatMap(firstsOf));
  const sides: Sides[] = [];
  for (const record of records) sides.push(await sidesOf(record, sayings));
  // A hand-off is of one past alone, whatever became of the messages before it.
  const points = createPoints(
    sayings,
    sides.flatMap(({ handOff }) => handOff ?? []),
  );
  for (const side of sides) await walkSides(points, side);
  const ends: Point[] = [];
  for (const line of begin) ends.push((await walk(points, await sayings.withoutSystem(line))).at(-1)!);
  const before = points.before(ends);

  const inside = new Set<CompactionRecord>();
  const written: string[] = [];
  for (const { record, before: from, after, own } of sides) {
    const [whole, left] = [from, after].map((line) => reached(points, before, line)) as [number, number];
    const isInside = (from.length > 0 && whole === from.length) || (left > 0 && left === after.length);
    if (isInside) inside.add(record);
    else written.push(...after.slice(0, left).filter((_, index) => own(index)));
  }
  await sayings.read(written);
  const named = written.flatMap((id) => namedIn(sayings.contentOf(id) ?? ""));
  return { ids: new Set([...begin.flat(), ...before.ids()]), named, records: inside };
}

/** The points of a line, from the start to its end. */
async function walk(points: Points, line: Line): Promise<readonly Point[]> {
  const passed = [points.start];
  for (const id of line) {
    const next = points.step(passed.at(-1)!, id);
    passed.push(next instanceof Promise ? await next : next);
  }
  return passed;
}

async function walkSides(points: Points, { before, after, cuts }: Sides): Promise<void> {
  const passed = await walk(points, before);
  let at = points.start;
  for (const [index, id] of after.entries()) {
    // All of what it left is all of what it was made of.
    const cut = index === after.length - 1 ? before.length : cuts[index]!;
    const next = points.step(at, id, cut > 0 ? passed[cut] : undefined);
    at = next instanceof Promise ? await next : next;
  }
}

/** How many messages of a line are in the past. */
function reached(points: Points, before: Before, line: Line): number {
  let at: Point | undefined = points.start;
  for (const [index, id] of line.entries()) {
    at = points.known(at, id);
    if (!at || !before.has(at)) return index;
  }
  return line.length;
}

export function namedIn(text: string): readonly string[] {
  return text.match(MARKER) ?? [];
}

export function idsOf(places: readonly MessagePlace[]): Line {
  return places.map(({ id }) => id);
}

/** What a compaction was made of and what it left, both without system prompts. */
interface Sides {
  readonly record: CompactionRecord;
  readonly before: Line;
  readonly after: Line;
  /** For each message of what it left: how many of those before it stands for, with all that came earlier. */
  readonly cuts: readonly number[];
  /** The hand-off that it wrote. */
  readonly handOff: string | undefined;
  /** Which of what it left it wrote. */
  readonly own: (index: number) => boolean;
}

async function sidesOf(record: CompactionRecord, { withoutSystem }: Sayings): Promise<Sides> {
  const before = await withoutSystem(idsOf(record.messagesBefore));
  const after = await withoutSystem(idsOf(record.messagesAfter));
  const madeOf = record.messagesBefore.slice(record.messagesBefore.length - before.length);
  const left = record.messagesAfter.slice(record.messagesAfter.length - after.length);
  const cuts = cutsOf(madeOf, left);
  const own = (index: number): boolean => before[cuts[index]! - 1] !== after[index];
  const handOff = left.findIndex(({ position }, index) => position < 0 && own(index));
  return { record, before, after, cuts, own, handOff: after[handOff] };
}

/** A message that stayed ends where it is among those before; what a hand-off replaces, where the next one that stayed begins. */
function cutsOf(before: readonly MessagePlace[], after: readonly MessagePlace[]): readonly number[] {
  const places: number[] = [];
  // An earlier hand-off has no place in the conversation and is known by its id.
  const placeless = new Map<string, number>();
  for (const [place, { position, id }] of before.entries()) {
    if (position >= 0) places[position] ??= place;
    else placeless.set(id, place);
  }
  const cuts: number[] = new Array(after.length);
  let next = before.length;
  for (let index = after.length - 1; index >= 0; index--) {
    const { position, id } = after[index]!;
    const place = position >= 0 ? places[position] : placeless.get(id);
    cuts[index] = place === undefined ? next : place + 1;
    next = place ?? next;
  }
  return cuts;
}

function firstsOf({ messagesBefore, messagesAfter }: CompactionRecord): Line {
  return [...idsOf(messagesBefore.slice(0, 2)), ...idsOf(messagesAfter.slice(0, 2))];
}
