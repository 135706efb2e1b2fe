/** maskWire: a message that Pith wrote or changed, as it is sent and stored: without secrets, and without cache marks. */
import { isObject } from "../json/wire-value.ts";
import { maskJson } from "../redact/mask-json.ts";

/**
 * A cache mark would stay for ever in the stored text while the client sets new ones elsewhere, and providers allow only
 * a few in a request.
 *
 * @param text one element of the list of messages, as JSON
 */
export function maskWire(text: string): string {
  const { text: masked } = maskJson(text);
  return masked.includes('"cache_control"') ? JSON.stringify(withoutMarks(JSON.parse(masked))) : masked;
}

function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([key, member]) => !(key === "cache_control" && isObject(member)),
  );
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutMarks(member)]));
}
