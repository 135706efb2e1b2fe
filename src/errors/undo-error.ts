/** UndoError: a compaction cannot be taken back in this conversation; the conversation stays as it is. */
import { CompactionError } from "./compaction-error.ts";

export class UndoError extends CompactionError {
  constructor(message: string, options?: { cause?: unknown }) {
    super("UNDO_FAILED", message, options);
  }
}
