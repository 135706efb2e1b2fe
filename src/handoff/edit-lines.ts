/** What edits did to a file, by its lines: those that went and those that came, without what a later edit took back. */
import { isObject } from "../json/wire-value.ts";
import { MORE_THAN_ONCE, REPLACED_KEYS, REPLACEMENT_KEYS } from "../reading/agents/tool-vocabulary.ts";
import { oneLine } from "./deed-parts.ts";

/** What one edit did. */
export interface LineEdit {
  readonly gone: readonly string[];
  readonly came: readonly string[];
  /** How many lines went and came, blank and repeated ones included; absent where the call does not make it certain. */
  readonly count?: LineCount | undefined;
}

interface LineCount {
  readonly went: number;
  readonly came: number;
}

/** What one call replaced, edit by edit; none where it says only what a file holds now. */
export function editsIn(values: Readonly<Record<string, unknown>>): readonly LineEdit[] {
  const inner = Object.values(values).flatMap((value) => (Array.isArray(value) ? value : [value]));
  return [values, ...inner.filter(isObject)].flatMap((each) => {
    const [before, after] = [REPLACED_KEYS, REPLACEMENT_KEYS].map((keys) =>
      keys.map((key) => each[key]).find((value) => typeof value === "string"),
    );
    if (typeof before !== "string" || typeof after !== "string") return [];
    const [old, now] = [linesOf(before), linesOf(after)];
    const [kept, were] = [new Set(now), new Set(old)];
    const count = MORE_THAN_ONCE.some((key) => isSeveral(values[key]) || isSeveral(each[key]))
      ? undefined
      : countIn(before, after);
    const [gone, came] = [old.filter((line) => !kept.has(line)), now.filter((line) => !were.has(line))];
    return [{ gone, came, ...(count && { count }) }];
  });
}

/** `true`, or how often: models write both as text, too. */
function isSeveral(value: unknown): boolean {
  return value === true || value === "true" || Number(value) > 1;
}

/** What is the same at both ends stayed; of the rest it is certain only where nothing in it is on both sides. */
function countIn(before: string, after: string): LineCount | undefined {
  const isWhole = before === "" || before.endsWith("\n");
  // Without its line end, what came is joined by what stands behind it, which the call does not show.
  if (isWhole && before !== "" && after !== "" && !after.endsWith("\n")) return undefined;
  const old = allLinesOf(before);
  // With a line end that the old text had not, what stands behind it is a line of its own.
  const now = isWhole || after === "" ? allLinesOf(after) : after.split("\n");
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const went = old.slice(start, old.length - end);
  const came = now.slice(start, now.length - end);
  const left = new Set(went);
  return came.some((line) => left.has(line)) ? undefined : { went: went.length, came: came.length };
}

/** Behind the last line end there is no line, and in an empty text none at all. */
function allLinesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** What is left of each of a file's edits: what came and went again was never there, and what went and came again never left. */
export function netOf(edits: readonly LineEdit[]): readonly LineEdit[] {
  const gone = new Map<string, number>();
  const came = new Map<string, number>();
  for (const [at, edit] of edits.entries()) {
    for (const line of edit.gone) if (!came.delete(line) && !gone.has(line)) gone.set(line, at);
    for (const line of edit.came) if (!gone.delete(line) && !came.has(line)) came.set(line, at);
  }
  const linesAt = (lines: ReadonlyMap<string, number>, at: number) =>
    [...lines].flatMap(([line, of]) => (of === at ? [line] : []));
  return [...new Set([...gone.values(), ...came.values()])]
    .sort((a, b) => a - b)
    .map((at) => ({ gone: linesAt(gone, at), came: linesAt(came, at) }));
}

/**
 * `−1 +2 lines: − func validate(id string) error { ⏎ + import "checkpoint"`: something of each of the newest edits, without the
 * declarations that are named beside it; empty where nothing is left to say.
 */
export function editText(edits: readonly LineEdit[], named: readonly string[]): string {
  const net = netOf(edits);
  const newest = net.slice(-MOST_LINES);
  const each = Math.floor(MOST_LINES / Math.max(1, newest.length));
  const shown = newest.map(withCosmeticsLast).flatMap(({ gone, came }) => {
    // One line for another is told by both.
    const mostGone = gone.length === 1 && came.length === 1 ? 1 : Math.floor(each * GONE_SHARE);
    const cameLines = tellingOf(came, Math.max(1, each - Math.min(gone.length, mostGone)), named);
    const goneLines = tellingOf(gone, cameLines.length === 0 ? each : mostGone, named);
    return [...goneLines.map((line) => `− ${line}`), ...cameLines.map((line) => `+ ${line}`)];
  });
  if (shown.length === 0) return "";
  return `${countText(edits)}${shown.join(" ⏎ ")}`;
}

/** Nothing where a number is not certain: a later edit took back, or put elsewhere, what an earlier one did. */
function countText(edits: readonly LineEdit[]): string {
  const seen = { gone: new Set<string>(), came: new Set<string>() };
  let [went, came] = [0, 0];
  for (const { gone, came: now, count } of edits) {
    if (!count || gone.some((line) => seen.came.has(line)) || now.some((line) => seen.gone.has(line)))
      return "";
    went += count.went;
    came += count.came;
    for (const line of gone) seen.gone.add(line);
    for (const line of now) seen.came.add(line);
  }
  const counts = [went && `−${went}`, came && `+${came}`].filter(Boolean);
  return `${counts.join(" ")} ${went + came === 1 ? "line" : "lines"}: `;
}

const MOST_LINES = 5;
const MOST_LINE_CHARS = 90;
/** What is there now tells more than what was. */
const GONE_SHARE = 0.4;

/** Lines that are on both sides but for their blanks or the comment at their end are no change: told only where nothing else is. */
function withCosmeticsLast(edit: LineEdit): LineEdit {
  const [gone, came] = [new Set(edit.gone.map(bareLine)), new Set(edit.came.map(bareLine))];
  const isChange = (line: string) => !gone.has(bareLine(line)) || !came.has(bareLine(line));
  const [went, now] = [edit.gone.filter(isChange), edit.came.filter(isChange)];
  return went.length + now.length === 0 ? edit : { gone: went, came: now };
}

/** A line longer than any code is bare as it is. */
function bareLine(line: string): string {
  if (line.length > MOST_BARE_CHARS) return line;
  return line.replace(TRAILING_COMMENT, "").replace(/\s+/g, "") || line;
}

const MOST_BARE_CHARS = 400;
const TRAILING_COMMENT = /\s(?:\/\/|#|--)\s.*$/;

/** Declarations before other code, and that before comments; in the order of the file. */
function tellingOf(lines: readonly string[], most: number, named: readonly string[]): readonly string[] {
  const isNamed = (line: string) => named.includes(DECLARED.exec(line)?.[1] ?? "");
  const rankOf = (line: string) => (COMMENT.test(line) ? 2 : DECLARED.test(line) ? 0 : 1);
  const all = lines.filter((line) => !isNamed(line));
  const chosen = new Set(all.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, most));
  return all.filter((line) => chosen.has(line)).map((line) => oneLine(line, MOST_LINE_CHARS));
}

const COMMENT = /^(?:\/[/*]|[#*]|--|<!--)/;

/** What is declared in a line of code, by its name. */
export const DECLARED =
  /\b(?:function\*?|class|interface|enum|struct|trait|def|fn|func|type|module|namespace|const|let|var)\s+(?:\([^)]{0,80}\)\s*)?([A-Za-z_$][\w$]*)/;

/** The lines that say something. */
function linesOf(text: string): readonly string[] {
  return text
    .slice(0, MOST_CHARS)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => WORD.test(line));
}

const MOST_CHARS = 20_000;
const WORD = /\w{3}/;
