/** Data lines: what a tool answered in JSON, as lines of leaves with their keys. */

/** A line holds so many characters of leaves, or one leaf that is longer. */
const LINE_CHARS = 80;
/** A leaf of more characters, or of several lines, stands alone. */
const LEAF_CHARS = 200;

/** Values to be written, each under its key; "" in a list that has none. */
interface Entry {
  readonly key: string;
  readonly value: unknown;
}

/**
 * `flight_number: HAT110, origin: ATL, destination: LGA`: the leaves of each object side by side, those of the objects
 * in it on lines of their own. Undefined where the text is no JSON or is short enough as it is.
 */
export function dataLines(text: string): string | undefined {
  if (text.length <= LINE_CHARS || !/^\s*[{[]/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text, hasRoundedNumber(text) ? asWritten : undefined);
  } catch {
    return undefined;
  }
  const lines: string[] = [];
  // Without recursion: JSON from the wire may be nested deeper than the stack.
  const open: Entry[] = [{ key: "", value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entries = isNested(next.value) ? entriesOf(next) : [next];
    const row = entries.filter((entry) => isShortLeaf(entry.value));
    for (const line of rowLines(next.key, row, Array.isArray(next.value))) lines.push(line);
    for (const { key, value: leaf } of entries) if (isLongLeaf(leaf)) lines.push(labelled(key, String(leaf)));
    for (let at = entries.length - 1; at >= 0; at--)
      if (isNested(entries[at]!.value)) open.push(entries[at]!);
  }
  return lines.join("\n");
}

/** A number that JavaScript would write otherwise: `1234567890123456709`, `12.50`. */
function hasRoundedNumber(text: string): boolean {
  for (const [, number] of text.matchAll(/[:[,]\s*(-?\d[\d.eE+-]*)/g))
    if (String(Number(number)) !== number) return true;
  return false;
}

/** A number as it stands in the text. */
function asWritten(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" ? (context?.source ?? value) : value;
}

/** What stands in a list goes by the list's own key. */
function entriesOf({ key, value }: Entry): readonly Entry[] {
  const isList = Array.isArray(value);
  return Object.entries(value as object).map(([own, each]) => ({ key: isList ? key : own, value: each }));
}

/** The leaves of one object under its key, in as few lines as hold them. */
function rowLines(key: string, row: readonly Entry[], isList: boolean): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const entry of row) {
    const leaf = isList ? String(entry.value) : labelled(entry.key, String(entry.value));
    if (line !== "" && line.length + leaf.length > LINE_CHARS) {
      lines.push(line);
      line = leaf;
    } else line = line === "" ? leaf : `${line}, ${leaf}`;
  }
  if (line !== "") lines.push(line);
  if (lines.length > 0) lines[0] = labelled(key, lines[0]!);
  return lines;
}

/** A key that is longer than a line is no label. */
function labelled(key: string, said: string): string {
  return key === "" || key.length > LINE_CHARS ? said : `${key}: ${said}`;
}

function isNested(value: unknown): value is object {
  return value !== null && typeof value === "object";
}

function isShortLeaf(value: unknown): boolean {
  return saysSomething(value) && !isLongLeaf(value);
}

function isLongLeaf(value: unknown): boolean {
  return typeof value === "string" && (value.length > LEAF_CHARS || value.includes("\n"));
}

function saysSomething(value: unknown): boolean {
  return value !== null && value !== "" && !isNested(value);
}
