/** Faithful JSON: numbers that JavaScript cannot hold (20-digit ids, `1.0`) survive the rewriting of their message. */
import type { RawMessage } from "../conversation/message.ts";
import { skipString } from "./scan.ts";

/**
 * The raw value for rewriting: where the source has numbers that parsing would alter, these are kept as their
 * very digits, which JSON.stringify writes out again.
 *
 *     {"id":12345678901234567890} → JSON.stringify gives {"id":12345678901234567890}, not …567000
 */
export function faithfulValue(raw: RawMessage): unknown {
  if (raw.source === undefined) return raw.value;
  let value = faithfulValues.get(raw);
  if (value === undefined) {
    value = hasFragileNumber(raw.source) ? parseFaithfully(raw.source, raw.value) : raw.value;
    faithfulValues.set(raw, value);
  }
  return value;
}

const faithfulValues = new WeakMap<RawMessage, unknown>();

interface RawJson {
  readonly parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  readonly rawJSON: (text: string) => unknown;
}

// In every supported Node; the library types do not have it.
const json = JSON as unknown as RawJson;

function parseFaithfully(source: string, value: unknown): unknown {
  try {
    return json.parse(source, (_key, parsed, { source: digits }) =>
      typeof parsed === "number" && digits !== undefined && String(parsed) !== digits
        ? json.rawJSON(digits)
        : parsed,
    );
  } catch (error) {
    // Nested beyond the stack: the parsed value is the best there is.
    if (error instanceof RangeError) return value;
    throw error;
  }
}

const NUMBER = /[-\d][-+.\deE]*/y;

/** Whether a number outside the strings reads differently once parsed. */
function hasFragileNumber(source: string): boolean {
  for (let index = 0; index < source.length; index++) {
    const code = source.charCodeAt(index);
    if (code === 0x22) index = skipString(source, index) - 1;
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = index;
      const [digits = ""] = NUMBER.exec(source) ?? [];
      if (String(Number(digits)) !== digits) return true;
      index += digits.length - 1;
    }
  }
  return false;
}
