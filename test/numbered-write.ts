/** A compaction with a long piece and a piece that all writers share, the same for the same name and number. */
import type { ArchiveWrite } from "../src/archive/archive.ts";
import { archiveItem } from "../src/archive/item-id.ts";
import { compactionWrite } from "../src/testing/archive-writes.ts";

/** A piece that every write has. */
export const SHARED = "every writer has this";

export function numberedWrite(conversation: string, number: number): ArchiveWrite {
  const write = compactionWrite(conversation, number);
  const long = Array.from({ length: 400 }, (_, line) => `${conversation} ${number} ${line * 7_919}`).join(
    "\n",
  );
  const items = [...write.items, archiveItem("text", long), archiveItem("text", SHARED)];
  return { ...write, items };
}
