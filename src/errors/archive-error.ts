/** ArchiveError: the archive could not do what it was asked; nothing of it was done. */
import { CompactionError } from "./compaction-error.ts";

export class ArchiveError extends CompactionError {
  /** Where the archive is, as its `name` says. */
  readonly archive: string;

  constructor(archive: string, message: string, options?: { cause?: unknown }) {
    super("ARCHIVE_FAILED", message, options);
    this.archive = archive;
  }
}
