/** Writing a pi session: a hand-off as its own compaction, and a chain of parents without gaps. */
import { isObject, type WireObject } from "../json/wire-value.ts";
import { type Chain, mendedParents, nearestKept } from "./parent-chain.ts";
import type { Changes, ValueSet, Writing } from "./transcript.ts";

const CHAIN: Chain = { id: "id", parent: "parentId" };

/**
 * A `compaction` entry where the hand-off is. pi reads its summary first, then what it kept, then what follows; so
 * messages that stay before the hand-off are what it kept.
 */
export function composePi({ reading, removed, told, newId }: Writing): Changes {
  const entries = reading.records.map(({ value }) => (isObject(value) ? value : {}));
  const mended = mendedParents(entries, removed, CHAIN);
  const [handoff] = told;
  if (handoff === undefined) return { inserts: [], sets: mended };
  const { before, after } = handoff;
  const order = reading.said.flatMap(({ pieces }) => pieces.map(({ record }) => record));
  const kept = order.filter((record) => !removed.has(record) && entries[record]!.type !== "compaction");
  const first = kept.length > 0 ? Math.min(...kept) : undefined;
  const near = entries[before ?? after ?? entries.length - 1] ?? {};
  const isTree = entries.some(({ parentId }) => parentId !== undefined);
  const id = newId().slice(0, 8);
  const nearest = nearestKept(entries, removed, CHAIN);
  const parent = before === undefined ? (after ?? -1) : nearest(entries[before]!);
  const compaction = {
    type: "compaction",
    ...(isTree && { id, parentId: parent < 0 ? null : entries[parent]!.id }),
    timestamp: near.timestamp,
    summary: told.map(({ text }) => text).join("\n\n"),
    ...(isTree
      ? { firstKeptEntryId: first === undefined ? id : entries[first]!.id }
      : { firstKeptEntryIndex: indexAfter(entries, removed, first, before) }),
    tokensBefore: 0,
  };
  const sets: readonly ValueSet[] =
    isTree && before !== undefined
      ? [
          ...mended.filter(({ record }) => record !== before),
          { record: before, path: ["parentId"], value: id },
        ]
      : mended;
  return { inserts: [{ value: compaction, before, after }], sets };
}

/** The line that an entry will have, from 0, when the removed ones are gone and the compaction is there. */
function indexAfter(
  entries: readonly WireObject[],
  removed: ReadonlySet<number>,
  first: number | undefined,
  before: number | undefined,
): number {
  const at = first ?? entries.length;
  const gone = [...removed].filter((index) => index < at).length;
  const added = before !== undefined && before <= at ? 1 : 0;
  return at - gone + added;
}
