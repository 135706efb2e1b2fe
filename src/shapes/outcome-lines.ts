/** The few lines of an output that tell how it came out, for whoever has room for no more. */
import { type Ranking, rankLines } from "./choose-lines.ts";
import { cutLine } from "./cut-line.ts";
import { scopeOfKind } from "./error-lines.ts";
import { linesOfHtml } from "./html-text.ts";
import { parseJson } from "./json.ts";
import { isComparison, isNamed } from "./line-roles.ts";
import { withoutControls } from "./terminal-text.ts";
import { commandHint } from "./tool-hints.ts";

export interface OutcomeOptions {
  /** The shell command that was run, where it was one. */
  readonly command?: string | undefined;
  readonly toolName?: string | undefined;
  /** The most characters of all lines together. @default 400 */
  readonly maxChars?: number | undefined;
  /** The same in tokens, about; the smaller of both counts. */
  readonly maxTokens?: number | undefined;
}

const MOST_LINES = 5;
const MAX_CHARS = 400;
const CHARS_PER_TOKEN = 3;
/** A longer line is cut, so that it leaves room for another. */
const LINE_CHARS = 240;
/** In a longer output the lines of its two ends are looked at. */
const LOOKED_AT = 200_000;

const COUNTS =
  /\d.{0,80}\b(?:pass|fail|error|test|warn|problem|example)|\b(?:pass|fail|error|test|problem)\w*:?\s+\d/i;
const PLACE = /[\w/\\-]\.\w{1,5}[:(]\[?\d+|line \d+/;
const MESSAGE = /(?:[:\]]|--?|error) \S+ \S+ \S+|error\[\w+\]: /;
/** Lines that say that something failed, and not what. */
const BARE =
  /exit(?:ed)?(?: with)? (?:code|status)|^\s*(?:FAIL\S*:? \S+$|FAIL\s|Traceback|BUILD|FAILED|FAILURES?|\[ERROR\] (?:COMPILATION|->|Failures|Tests run|Failed to execute)|> Task|\* What went wrong|_{3,}|npm err|error: (?:could not compile|aborting|failed)|FAILURE: Build|The following tests)/i;

/** One to five lines, the most important first; none for an output that says nothing. */
export function outcomeLines(text: string, options: OutcomeOptions = {}): readonly string[] {
  const { command = "", toolName = "", maxChars = MAX_CHARS, maxTokens } = options;
  const { kind = "log" } = commandHint(toolName, command);
  const ranking = rankLines(linesIn(text), scopeOfKind(kind), kind);
  let room = Math.min(maxChars, (maxTokens ?? Number.POSITIVE_INFINITY) * CHARS_PER_TOKEN);
  const most = Math.min(LINE_CHARS, Math.max(40, room));
  const chosen = new Set<string>();
  for (const index of inOrder(ranking)) {
    const line = cutLine((ranking.lines[index] ?? "").trim(), most);
    if (line === "" || chosen.has(line) || line.length > room) continue;
    chosen.add(line);
    room -= line.length + 1;
    if (chosen.size === MOST_LINES) break;
  }
  return [...chosen];
}

/** The failure that says most, where it is and what shows it, how the run ended, the others; without one what deviates and the ends. */
function inOrder({ lines, failures, deviations, isRepetition, isNoise }: Ranking): readonly number[] {
  const { told, ends, evidence, mentions } = failures;
  const counted = ends.filter((index) => COUNTS.test(lines[index]!));
  if (told.length === 0) {
    const telling = lines.flatMap((line, index) => (/[A-Za-z0-9]{2}/.test(line) ? [index] : []));
    const others = telling.filter((index) => isRepetition[index] === 0 && isNoise[index] === 0);
    const news = [
      ...counted.slice(0, 2),
      ...ends.slice(0, 1),
      ...mentions.slice(0, 2),
      ...deviations.slice(0, 2),
    ];
    const ofEnds = [...others.slice(0, 1), ...telling.slice(-1)];
    return [...news, ...(news.length > 0 ? ofEnds.reverse() : ofEnds), ...others.slice(-2).reverse()];
  }
  const weights = new Map(told.map((index) => [index, weightOf(lines[index]!)]));
  const [first, ...others] = told.toSorted((a, b) => weights.get(b)! - weights.get(a)!);
  const near = evidence
    .filter((index) => Math.abs(index - first!) < NEAR_LINES)
    .toSorted((a, b) => Math.abs(a - first!) - Math.abs(b - first!));
  const place = PLACE.test(lines[first!]!)
    ? []
    : near
        .filter((index) => PLACE.test(lines[index]!) || /^[\w./\\-]+\.\w+$/.test(lines[index]!))
        .slice(0, 1);
  const shown = near.filter((index) => isComparison(lines[index]!) && /\w\W+\w/.test(lines[index]!));
  const names = told
    .filter((index) => index !== first && Math.abs(index - first!) < NEAR_LINES && isNamed(lines[index]!))
    .slice(0, 1);
  const ended = counted.toSorted((a, b) => Number(isFailed(lines[b]!)) - Number(isFailed(lines[a]!)));
  const exits = told.filter((index) => /exit/i.test(lines[index]!)).slice(0, 1);
  return [first!, ...names, ...place, ...ended.slice(0, 1), ...shown.slice(0, 2), ...exits, ...others];
}

function isFailed(line: string): boolean {
  return /fail|error/i.test(line);
}

/** Evidence farther away than this belongs to another failure. */
const NEAR_LINES = 40;

/** A place, a message, the root of a chain of causes. */
function weightOf(line: string): number {
  const said =
    Number(PLACE.test(line)) * 3 + Number(MESSAGE.test(line)) * 2 + Number(/^\s*Caused by/.test(line)) * 4;
  return said - Number(BARE.test(line)) * 3;
}

/** The lines to choose from: of a page its text, of a list of records one to a line. */
function linesIn(text: string): readonly string[] {
  const whole = withoutControls(endsOf(text));
  const value = parseJson(text);
  if (value !== undefined) return linesOfRecords(value);
  if (!/^\s*<(?:!doctype html|html)/i.test(whole.slice(0, 200))) return whole.split("\n");
  return linesOfHtml(whole)
    .filter(({ isMain }) => isMain)
    .map((line) => line.text);
}

function linesOfRecords(value: object): readonly string[] {
  const entries = Array.isArray(value) ? [["", value] as const] : Object.entries(value);
  return entries.flatMap(([key, item]) => {
    if (!Array.isArray(item)) return [`${key}: ${JSON.stringify(item)}`];
    return [`${key} (${item.length})`, ...item.map((record) => JSON.stringify(record))];
  });
}

function endsOf(text: string): string {
  return text.length <= LOOKED_AT ? text : `${text.slice(0, LOOKED_AT / 2)}\n${text.slice(-LOOKED_AT / 2)}`;
}
