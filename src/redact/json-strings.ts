/** jsonStrings: every string of a JSON text with its place, its name and what was before it; nothing is built. */

export interface JsonString {
  /** Between the quotes, in the source. */
  readonly start: number;
  readonly end: number;
  readonly isKey: boolean;
  /** In how many lists and objects it is. */
  readonly depth: number;
  /** The key it is under, as written; for an element of a list, the key of the list. */
  readonly name: string | undefined;
  /** The string before it in the same list, or beside a `value` that of `name` or `key` in the same object; as written. */
  readonly label: string | undefined;
}

interface Level {
  readonly isObject: boolean;
  readonly name: string | undefined;
  key: string | undefined;
  label: string | undefined;
  /** What may come next. */
  expects: "key-or-end" | "key" | "colon" | "value" | "value-or-end" | "comma-or-end";
}

/** Numbers, words and blanks between strings are matched, not read. */
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const BLANKS = /[ \t\r\n]*/y;
/** A key that says that the value beside it is named by its own value: `{"name": "DB_PASSWORD", "value": "…"}` */
const LABEL_KEY = /^(?:name|key|variable|env|header|field)$/i;

/** The strings in order, or undefined where the text is no JSON. One pass; as deep as the text goes. */
export function jsonStrings(source: string): readonly JsonString[] | undefined {
  const strings: JsonString[] = [];
  const levels: Level[] = [
    { isObject: false, name: undefined, key: undefined, label: undefined, expects: "value" },
  ];
  let at = skipBlanks(source, 0);
  while (at < source.length) {
    const level = levels.at(-1)!;
    const next = step(source, at, level, levels, strings);
    if (next === undefined) return undefined;
    at = skipBlanks(source, next);
  }
  return levels.length === 1 && levels[0]!.expects === "comma-or-end" ? strings : undefined;
}

function step(
  source: string,
  at: number,
  level: Level,
  levels: Level[],
  strings: JsonString[],
): number | undefined {
  const sign = source[at]!;
  const { expects } = level;
  if (sign === '"') return readString(source, at, level, strings, levels.length - 1);
  if (sign === "{" || sign === "[") {
    if (expects !== "value" && expects !== "value-or-end") return undefined;
    level.expects = "comma-or-end";
    const isObject = sign === "{";
    levels.push({
      isObject,
      name: level.isObject ? level.key : level.name,
      key: undefined,
      label: undefined,
      expects: isObject ? "key-or-end" : "value-or-end",
    });
    return at + 1;
  }
  if (sign === "}" || sign === "]") {
    const mayEnd = expects === "comma-or-end" || expects === (level.isObject ? "key-or-end" : "value-or-end");
    if (!mayEnd || levels.length === 1 || level.isObject !== (sign === "}")) return undefined;
    levels.pop();
    return at + 1;
  }
  if (sign === ":") {
    if (expects !== "colon") return undefined;
    level.expects = "value";
    return at + 1;
  }
  if (sign === ",") {
    if (expects !== "comma-or-end" || levels.length === 1) return undefined;
    level.expects = level.isObject ? "key" : "value";
    return at + 1;
  }
  if (expects !== "value" && expects !== "value-or-end") return undefined;
  level.expects = "comma-or-end";
  if (!level.isObject) level.label = undefined;
  SCALAR.lastIndex = at;
  return SCALAR.test(source) ? SCALAR.lastIndex : undefined;
}

function readString(
  source: string,
  at: number,
  level: Level,
  strings: JsonString[],
  depth: number,
): number | undefined {
  const end = closingQuote(source, at + 1);
  if (end === -1) return undefined;
  const isKey = level.expects === "key" || level.expects === "key-or-end";
  if (!isKey && level.expects !== "value" && level.expects !== "value-or-end") return undefined;
  const name = level.isObject ? level.key : level.name;
  strings.push({
    start: at + 1,
    end,
    isKey,
    depth,
    name: isKey ? undefined : name,
    label: isKey ? undefined : level.label,
  });
  const text = end - at <= 100 ? source.slice(at + 1, end) : undefined;
  if (isKey) level.key = text;
  else if (!level.isObject || LABEL_KEY.test(level.key ?? "")) level.label = text;
  level.expects = isKey ? "colon" : "comma-or-end";
  return end + 1;
}

/** The quote that no backslash escapes. */
function closingQuote(source: string, from: number): number {
  let at = source.indexOf('"', from);
  while (at !== -1) {
    let backslashes = 0;
    while (source.charCodeAt(at - 1 - backslashes) === 92 && at - 1 - backslashes >= from) backslashes++;
    if (backslashes % 2 === 0) return at;
    at = source.indexOf('"', at + 1);
  }
  return -1;
}

function skipBlanks(source: string, at: number): number {
  if (source.charCodeAt(at) > 32) return at;
  BLANKS.lastIndex = at;
  BLANKS.test(source);
  return BLANKS.lastIndex;
}
