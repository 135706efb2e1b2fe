/** InputError: what was given cannot be read as a conversation. */
import { redactSecrets } from "../redact/redact-secrets.ts";
import { CompactionError } from "./compaction-error.ts";

/** Where in the input the trouble is. */
export interface InputPlace {
  readonly line?: number;
  readonly column?: number;
  /** Such as `messages[12].tool_calls`. */
  readonly path?: string;
}

export class InputError extends CompactionError {
  readonly place: InputPlace;

  constructor(message: string, place: InputPlace = {}, options?: { cause?: unknown }) {
    super("INVALID_INPUT", message, options);
    const { path } = place;
    this.place = path === undefined ? place : { ...place, path: redactSecrets(path).text };
  }
}
