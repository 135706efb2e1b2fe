/** StateNote: says that something is being loaded, or why it could not be. Nothing once it is there. */
import type { Loaded } from "../loaded.ts";

export function StateNote({ of, what }: { readonly of: Loaded<unknown>; readonly what: string }) {
  if (of.state === "failed") {
    return (
      <p class="fault" role="alert">
        {of.why}
      </p>
    );
  }
  if (of.state === "loading" && of.value === undefined) {
    return (
      <p class="note" role="status">
        Loading {what} …
      </p>
    );
  }
  return null;
}
