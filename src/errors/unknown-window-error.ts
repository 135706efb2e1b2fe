/** UnknownWindowError: nobody said how large the model's window is, so no threshold can be judged (R28). */
import { CompactionError } from "./compaction-error.ts";

export class UnknownWindowError extends CompactionError {
  readonly model: string | undefined;

  constructor(model: string | undefined) {
    super(
      "UNKNOWN_WINDOW",
      `The context window of ${model ? `model "${model}"` : "the model"} is not known, so fill cannot be judged. ` +
        "Give the window in tokens (option `window`, flag --window), a known model name, or a target.",
    );
    this.model = model;
  }
}
