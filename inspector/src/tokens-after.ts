/** What a row of a compaction costs after it. */
import type { CompactionRow } from "../../src/inspect/views.ts";

export function tokensAfter({ change, before, after }: CompactionRow): number {
  if (change === "removed") return 0;
  return (after ?? before)?.tokens ?? 0;
}
