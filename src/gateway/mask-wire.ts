/** maskWire: a message that Pith wrote or changed, as it is sent and stored: without secrets, and without cache marks. */
import { isObject } from "../formats/wire-value.ts";
import { maskJson } from "../redact/mask-json.ts";

/** Pairs and signatures would break with another value; a provider made them, so they hold no secret of the user's. */
const BINDING_KEYS: ReadonlySet<string> = new Set([
  "id",
  "call_id",
  "tool_use_id",
  "tool_call_id",
  "signature",
  "encrypted_content",
  "data",
]);

/**
 * A cache mark would stay for ever in the stored text while the client sets new ones elsewhere, and providers allow only
 * a few in a request.
 *
 * @param text one element of the list of messages, as JSON
 */
export function maskWire(text: string): string {
  const { text: masked, masked: kinds } = maskJson(text);
  const hasMark = text.includes('"cache_control"');
  if (kinds.length === 0 && !hasMark) return text;
  return JSON.stringify(restored(JSON.parse(masked), JSON.parse(text)));
}

function restored(value: unknown, original: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(original)) {
    return value.map((each, index) => restored(each, original[index]));
  }
  if (!isObject(value) || !isObject(original)) return value;
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (key === "cache_control" && isObject(member)) return [];
    return [[key, BINDING_KEYS.has(key) ? original[key] : restored(member, original[key])]];
  });
  return Object.fromEntries(entries);
}
