/** Which ids a stored thing names: what must be there as long as the thing is. */
import type { ArchiveItem, ArchiveWrite, CompactionRecord } from "./archive.ts";
import { spanPieces } from "./span-pieces.ts";

/** The ids of a compaction: its requests, plan, state and hand-off, the messages of both sides, and every marker. */
export function idsOfCompaction(record: CompactionRecord): readonly string[] {
  const { before, after, plan, state, handOff, messagesBefore, messagesAfter, markers } = record;
  const places = [...messagesBefore, ...messagesAfter].map(({ id }) => id);
  return [before, after, plan, state, ...(handOff ? [handOff] : []), ...places, ...markers];
}

/** The ids in a span or a request, one a line; other kinds name none that must resolve. */
export function idsOfItem({ kind, content }: Pick<ArchiveItem, "kind" | "content">): readonly string[] {
  return kind === "span" || kind === "request" ? spanPieces(content).map(({ id }) => id) : [];
}

/** Every id that belongs to the conversation once this is written; none of them leaves the archive before it. */
export function idsOfWrite({ items, messages = [], compaction }: ArchiveWrite): ReadonlySet<string> {
  return new Set([
    ...items.map(({ id }) => id),
    ...items.flatMap(idsOfItem),
    ...messages.map(({ id }) => id),
    ...(compaction ? idsOfCompaction(compaction) : []),
  ]);
}
