/** OptionsError: an option that cannot be right, named together with what it may be. */
import { CompactionError } from "./compaction-error.ts";

export class OptionsError extends CompactionError {
  readonly option: string;

  constructor(option: string, message: string) {
    super("INVALID_OPTIONS", message);
    this.option = option;
  }
}
