/**
 * verifyStore: whether every content is what its id stands for, and every id that the store names leads somewhere. Both
 * together mean that any request of the past can be rebuilt: its pieces are all there, and none is another one.
 */
import type { ArchiveFault, CompactionRecord, StoredItem, Verification } from "./archive.ts";
import { itemId } from "./item-id.ts";
import { idsOfCompaction, idsOfItem } from "./named-ids.ts";

/** What verification asks of a store; items come one at a time, so that a large one fits. */
export interface StoreToVerify {
  /** Every item; one that is damaged comes as a fault. */
  readonly items: AsyncIterable<StoredItem | ArchiveFault>;
  readonly compactions: AsyncIterable<CompactionRecord | ArchiveFault>;
  /** Which of the ids the store has, forgotten ones included. */
  readonly known: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** What else the store itself finds wrong: its index, its tables. */
  readonly ownFaults: () => Promise<readonly ArchiveFault[]>;
}

export async function verifyStore(store: StoreToVerify): Promise<Verification> {
  const faults: ArchiveFault[] = [];
  const counts = { items: 0, markers: 0, requests: 0, forgotten: 0 };
  const check = async (ids: readonly string[], problem: string): Promise<void> => {
    const known = await store.known(ids);
    for (const id of new Set(ids)) if (!known.has(id)) faults.push({ id, problem });
  };
  for await (const item of store.items) {
    counts.items++;
    if ("problem" in item) {
      faults.push(item);
    } else if (item.forgotten !== undefined) {
      counts.forgotten++;
    } else {
      if (item.kind === "request") counts.requests++;
      // One that was masked after it got its id has another content since; its hash was looked at when it was read.
      if (item.masked.length === 0 && itemId(item.kind, item.content) !== item.id) {
        faults.push({ id: item.id, problem: "Its content is another one than its id stands for." });
      }
      await check(idsOfItem(item), `The ${item.kind} ${item.id} names it, but the archive does not have it.`);
    }
  }
  for await (const record of store.compactions) {
    if ("problem" in record) {
      faults.push(record);
    } else {
      counts.markers += new Set(record.markers).size;
      await check(
        idsOfCompaction(record),
        `The compaction ${record.id} names it, but the archive does not have it.`,
      );
    }
  }
  faults.push(...(await store.ownFaults()));
  const seen = new Map(faults.map((fault) => [`${fault.id} ${fault.problem}`, fault]));
  return { ...counts, faults: [...seen.values()] };
}
