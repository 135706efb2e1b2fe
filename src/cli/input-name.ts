/** Puts the input's name before what the engine says about it: the engine never saw the file. */
import type { CompactionError } from "../errors/compaction-error.ts";
import { InputError } from "../errors/input-error.ts";

export function withInputName(error: CompactionError, file: string): CompactionError {
  if (!(error instanceof InputError)) return error;
  return new InputError(`${file === "-" ? "stdin" : file}: ${error.message}`, error.place, { cause: error });
}
