/** compactionChain: a compaction and those that it was made on top of. A conversation may hold others, which were taken back. */
import type { CompactionRecord } from "./archive.ts";

/**
 * Oldest first, the one of this id last; empty where there is none. Each begins with what the one before it left.
 *
 * @param records of one conversation, oldest first
 */
export function compactionChain(
  records: readonly CompactionRecord[],
  id: string | undefined,
): readonly CompactionRecord[] {
  const chain: CompactionRecord[] = [];
  let at = records.findIndex((record) => record.id === id);
  while (at >= 0) {
    const record = records[at]!;
    chain.unshift(record);
    at = records.findLastIndex((earlier, index) => index < at && isBelow(earlier, record));
  }
  return chain;
}

function isBelow({ messagesAfter }: CompactionRecord, { messagesBefore }: CompactionRecord): boolean {
  return messagesAfter.every(({ id }, index) => messagesBefore[index]?.id === id);
}
