/** pastOf: the messages and compactions that are in the past of a list of messages, found by what the messages say. */
import type { CompactionRecord, MessagePlace } from "./archive.ts";
import { MARKER } from "./item-id.ts";
import { createLines, isSame, type Joint, type Line, type Lines } from "./lines.ts";
import type { Sayings } from "./sayings.ts";

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
  /** None yet. */
  readonly lines?: Lines;
}

/**
 * A line begins with what a compaction left: then what it was made of is in the past, too, and the line can be put in those
 * messages. It begins with what a compaction was made of: then it can be put in what that left. Each way to put it may begin
 * like another compaction.
 */
export async function pastOf({ begin, records, sayings, lines = createLines() }: PastSearch): Promise<Past> {
  const ids = new Set(begin.flat());
  const inside = new Set<CompactionRecord>();
  const written = new Set<string>();
  // Two messages of each at once: few begin with more system prompts than one.
  await sayings.read(records.flatMap(firstsOf));
  const sides: Sides[] = [];
  for (const record of records) sides.push(await sidesOf(record, sayings));
  const handOffs = new Set(
    sides.map(({ handOff, after }) => after[handOff]).filter((id) => id !== undefined),
  );
  const add = (joint: Joint): void => {
    // A head that stays would make every line again with every compaction.
    if (!isSame(joint)) lines.add(joint);
  };
  for (const line of begin)
    lines.add({ head: [], cut: 0, line: await sayings.withoutSystem(line), from: 0, isWhole: true });
  for (const line of lines.all()) {
    const handedOff = new Map<string, number>();
    for (let at = 0; at < line.length; at++) {
      const id = line[at]!;
      ids.add(id);
      if (handOffs.has(id) && !handedOff.has(id)) handedOff.set(id, at);
    }
    for (const { record, before, after, handOff, own } of sides) {
      // A hand-off is of one past alone, whatever became of the messages before it.
      const at = handedOff.get(after[handOff] ?? "");
      const [skipped, start] = at === undefined ? [0, 0] : [at, handOff];
      const run = await sayings.common(line, after, [skipped, start]);
      const left = run > 0 ? start + run : 0;
      if (left > 0) {
        const cut = left === after.length ? before.length : cutOf(record, before, after, left);
        if (left === after.length) inside.add(record);
        else for (const id of after.slice(0, left)) if (own.has(id)) written.add(id);
        add({ head: before, cut, line, from: skipped + run, isWhole: left === after.length });
      }
      if (before.length > 0 && (await sayings.common(line, before)) === before.length) {
        inside.add(record);
        add({ head: after, cut: after.length, line, from: before.length, isWhole: true });
      }
    }
  }
  await sayings.read([...written]);
  const named = [...written].flatMap((id) => namedIn(sayings.contentOf(id) ?? ""));
  return { ids, named, records: inside };
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
  /** Where the hand-off that it wrote is among what it left; -1 where it wrote none. */
  readonly handOff: number;
  /** What it left and was not made of. */
  readonly own: ReadonlySet<string>;
}

async function sidesOf(record: CompactionRecord, { withoutSystem }: Sayings): Promise<Sides> {
  const { messagesBefore, messagesAfter } = record;
  const before = idsOf(messagesBefore);
  const earlier = new Set(before);
  const after = await withoutSystem(idsOf(messagesAfter));
  const written = messagesAfter.find(({ position, id }) => position < 0 && !earlier.has(id));
  return {
    record,
    before: await withoutSystem(before),
    after,
    handOff: written ? after.indexOf(written.id) : -1,
    own: new Set(after.filter((id) => !earlier.has(id))),
  };
}

/** How many of the messages before are in the past where only so many of those after it are. */
function cutOf(
  { messagesBefore, messagesAfter }: CompactionRecord,
  before: Line,
  after: Line,
  left: number,
): number {
  const prompts = messagesBefore.length - before.length;
  const placeOf = (at: number) =>
    Math.max(
      -1,
      messagesBefore.findIndex(({ position }, index) => index >= prompts && position === at) - prompts,
    );
  const first = messagesAfter.length - after.length;
  // A message that stayed is in the past with those before it; what a hand-off stands for, up to the next that stayed.
  const last = messagesAfter[first + left - 1]!;
  const place = last.position < 0 ? -1 : placeOf(last.position);
  if (place >= 0) return place + 1;
  const next = messagesAfter.slice(first + left).find(({ position }) => position >= 0);
  return next ? Math.max(0, placeOf(next.position)) : before.length;
}

function firstsOf({ messagesBefore, messagesAfter }: CompactionRecord): Line {
  return [...idsOf(messagesBefore.slice(0, 2)), ...idsOf(messagesAfter.slice(0, 2))];
}
