/** Wire values: looking into parsed JSON of which nothing may be assumed. */

export type WireObject = Readonly<Record<string, unknown>>;

/** A JSON object: not null, not a list. */
export function isObject(value: unknown): value is WireObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The first of the values that is a string with something in it, or "". */
export function firstText(...values: readonly unknown[]): string {
  for (const value of values) if (typeof value === "string" && value !== "") return value;
  return "";
}

/** What a part says of its signature or ciphertext: how long it is. */
export function sealOf(seal: unknown): { readonly sealed?: number } {
  return typeof seal === "string" && seal !== "" ? { sealed: seal.length } : {};
}

/** A value as JSON text; "" for what JSON cannot say (missing, circular, nested beyond the stack). */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // subtle: the text is only read and counted; the value itself rides along in the raw message.
    return "";
  }
}

/** The value that a JSON text stands for, or undefined when it is not valid JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object that a JSON text stands for; one without keys if it is no JSON, or no object. */
export function parsedObject(text: string): WireObject {
  const value = parsedJson(text);
  return isObject(value) ? value : {};
}

/** Whether a text may be a JSON object: its first mark is the brace that opens one. */
export function opensObject(text: string): boolean {
  return text.startsWith("{") || /^\s+\{/.test(text);
}

/** What a person would call the value: "null", "a number", "a list". */
export function kindOfValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (value === undefined) return "nothing";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** The object with some keys set, or left out where the new value is undefined; other keys keep their place. */
export function withKeys(value: WireObject, changes: ReadonlyMap<string, unknown>): WireObject {
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    const next = changes.has(key) ? changes.get(key) : value[key];
    if (next !== undefined) entries.push([key, next]);
  }
  for (const [key, next] of changes) {
    if (next !== undefined && !Object.hasOwn(value, key)) entries.push([key, next]);
  }
  // subtle: fromEntries defines own keys, so that a key named __proto__ stays a key.
  return Object.fromEntries(entries);
}
