/** Puts the input's name before what the engine says about it: the engine never saw the file. */
import { CompactionError } from "../errors/compaction-error.ts";
import { InputError } from "../errors/input-error.ts";

/** The same around work on what was read. */
export async function sayingInputName<Value>(
  file: string,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CompactionError ? withInputName(error, file) : error;
  }
}

export function withInputName(error: CompactionError, file: string): CompactionError {
  if (!(error instanceof InputError)) return error;
  return new InputError(`${file === "-" ? "stdin" : file}: ${error.message}`, error.place, { cause: error });
}
