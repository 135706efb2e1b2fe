/** What became of a message, in a word. */
import type { CompactionRow } from "../../src/inspect/views.ts";

export const changeWords: Readonly<Record<CompactionRow["change"], string>> = {
  kept: "Kept as it was",
  changed: "Changed",
  removed: "Removed",
  added: "Added",
};
