/** Values: specific things that were told under a key: ids, long numbers, addresses, versions. The newest of a key counts. */
import { parsedJson } from "../json/wire-value.ts";
import { unwrap } from "../shapes/unwrap.ts";

export interface Value {
  readonly key: string;
  readonly value: string;
}

/** The values in a small answer of a tool; large ones are documents, and keep their values themselves. */
export function valuesInAnswer(answer: string): readonly Value[] {
  if (answer.length > MAX_ANSWER) return [];
  const { text } = unwrap({ text: answer, isError: false, toolName: "", toolArguments: "" });
  const json = /^\s*[{[]/.test(text) && /[}\]]\s*$/.test(text.slice(-20)) ? parsedJson(text) : undefined;
  if (json === undefined) return valuesInProse(text);
  const values: Value[] = [];
  listLeaves(json, [], values);
  return values;
}

const MAX_ANSWER = 4_000;
const MAX_LEAVES = 40;
const MAX_KEY = 40;
const MAX_VALUE = 160;

/** `key: value` and `key=value`, outside code blocks. */
export function valuesInProse(text: string): readonly Value[] {
  if (!MAYBE.test(text)) return NONE;
  const values: Value[] = [];
  const lines = text.split("\n");
  const mayFence = text.includes("```") || text.includes("~~~");
  let fenced = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (mayFence && /^\s{0,3}(?:```|~~~)/.test(line)) fenced = !fenced;
    if (fenced || line.length > 2_000 || !MAYBE.test(line)) continue;
    PAIR.lastIndex = 0;
    for (let match = PAIR.exec(line); match !== null; match = PAIR.exec(line)) {
      const [whole, key, mark, value] = match as unknown as [string, string, string, string];
      const told = value.replace(/[.,:;!?]+$/, "");
      if (isKey(key, mark) && isSpecific(told)) values.push({ key: key.trim(), value: told });
      // subtle: what looked like a value may itself be the key of the next pair.
      else PAIR.lastIndex -= whole.length - key.length - 1;
    }
  }
  return values;
}

const NONE: readonly Value[] = [];
const MAYBE = /[:=][^:=]{0,6}(?:\w{0,40}\d|http)/;

/** A key of one to four words, a mark, a value without white space. */
const PAIR =
  /(?<![\w./-]|\w['’])([A-Za-z](?:[\w.-]{0,38}\w)?(?: [\w-]{1,20}){0,3})["'`*]{0,3}(: |:(?=["'`*])|:(?=\d)|=(?![=>])| = )["'`*$]{0,3}([^\s"'`*,;<>(){}[\]|]{3,160})/g;

function isKey(key: string, mark: string): boolean {
  if (key.length > MAX_KEY || NO_KEY.test(key)) return false;
  // `a.ts:1234` is a place in a file, `12:30` a time.
  return mark !== ":" || !/\.|\d$/.test(key);
}

/** The scheme of an address, and what clients note of their own helpers' runs. */
const NO_KEY = /^(?:https?|total_tokens|tool_uses|duration_ms)$/i;

function isSpecific(value: string): boolean {
  if (/^https?:\/\/\S{4,}$/.test(value)) return true;
  if (!/\d/.test(value) || value.length < 3 || /[\\$%]|\.\.|=>/.test(value)) return false;
  if (/^[\d,._]+$/.test(value)) return value.replace(/\D/g, "").length >= 4 || /^\d+\.\d+\.\d+$/.test(value);
  return /^v?\d+\.\d+/.test(value) || (value.length >= 5 && /^[\w.:@/#+-]+$/.test(value));
}

function listLeaves(value: unknown, path: readonly string[], values: Value[]): void {
  if (values.length >= MAX_LEAVES || path.length > 8) return;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    const names =
      Array.isArray(value) && entries.length === 1 ? () => path : (name: string) => [...path, name];
    for (const [name, inner] of entries.slice(0, MAX_LEAVES)) listLeaves(inner, names(name), values);
    return;
  }
  const told = typeof value === "number" ? String(value) : value;
  const key = path.slice(-3).join(".");
  if (typeof told !== "string" || told.length > MAX_VALUE || !isSpecific(told)) return;
  if (!/^[\w.@/# -]{1,80}$/.test(key) || !/[A-Za-z]/.test(key)) return;
  values.push({ key, value: told });
}
