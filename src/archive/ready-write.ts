/** ReadyWrite: a write as it may be stored. It says whose it is, and secrets are masked in all of it. Every write is made one. */
import type { Archive, ArchivedMessage, ArchiveItem, ArchiveWrite, CompactionRecord } from "./archive.ts";
import { checkWrite } from "./check-write.ts";
import { maskedItem, maskedMessage, maskedRecord } from "./masked-item.ts";

/**
 * Only `ReadyWrite.of` makes one, so that no archive is ever given anything else: an object of the same fields is none, nor is
 * a copy by spreading.
 */
export class ReadyWrite implements ArchiveWrite {
  readonly #isReady = true;
  declare readonly conversation: string;
  declare readonly about?: string | undefined;
  declare readonly at: number;
  declare readonly items: readonly ArchiveItem[];
  declare readonly messages?: readonly ArchivedMessage[];
  declare readonly compaction?: CompactionRecord;

  private constructor(fields: ArchiveWrite) {
    Object.assign(this, fields);
  }

  /**
   * The write without secrets. An item that somebody made by hand keeps its id, so that what names it still finds it,
   * although its content is another one than the id was made from. Throws ArchiveError where an archive could not give it
   * back as it came.
   *
   * @param archive the name of the archive, for the error
   */
  static of(archive: string, write: ArchiveWrite): ReadyWrite {
    if (ReadyWrite.isReady(write)) return write;
    checkWrite(archive, write);
    const { items, messages, compaction } = write;
    return new ReadyWrite({
      ...write,
      items: items.map(maskedItem),
      ...(messages && { messages: messages.map(maskedMessage) }),
      ...(compaction && { compaction: maskedRecord(compaction) }),
    });
  }

  static isReady(write: object): write is ReadyWrite {
    return #isReady in write;
  }
}

/** The one way to write to an archive, whoever made it. Rejects with ArchiveError; then nothing of it is visible. */
export async function writeTo(archive: Archive, write: ArchiveWrite): Promise<void> {
  await archive.put(ReadyWrite.of(archive.name, write));
}
