/** readyWrite: a write as it may be stored. It says whose it is, and secrets are masked in all of it. Every write is made one. */
import type { Archive, ArchiveWrite, ReadyWrite } from "./archive.ts";
import { checkWrite } from "./check-write.ts";
import { maskedItem, maskedMessage, maskedRecord } from "./masked-item.ts";

/** The one way to write to an archive, whoever made it. Rejects with ArchiveError; then nothing of it is visible. */
export async function writeTo(archive: Archive, write: ArchiveWrite): Promise<void> {
  await archive.put(readyWrite(archive.name, write));
}

/** Those that were made here. */
const ready = new WeakSet<object>();

export function isReady(write: object): write is ReadyWrite {
  return ready.has(write);
}

/**
 * The write without secrets. An item that somebody made by hand keeps its id, so that what names it still finds it,
 * although its content is another one than the id was made from. Throws ArchiveError where an archive could not give it
 * back as it came.
 *
 * @param archive the name of the archive, for the error
 */
export function readyWrite(archive: string, write: ArchiveWrite): ReadyWrite {
  if (isReady(write)) return write;
  checkWrite(archive, write);
  const { items, messages, compaction } = write;
  const made: ArchiveWrite = Object.freeze({
    ...write,
    items: items.map(maskedItem),
    ...(messages && { messages: messages.map(maskedMessage) }),
    ...(compaction && { compaction: maskedRecord(compaction) }),
  });
  ready.add(made);
  return made as ReadyWrite;
}
