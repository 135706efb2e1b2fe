/** Which lines of an output tell of a failure: these never disappear in shaping. */
import type { OutputKind } from "../reading/agents/output-kinds.ts";
import { traitsOf } from "./kind-traits.ts";
import { isFailing } from "./line-roles.ts";
import { lineShape } from "./line-shape.ts";

/**
 * How much a mention of an error means. `output`: a program said it. `content`: the text is a file, a page or
 * a match in one, where only a line in the form of a log entry or a diagnosis counts.
 */
export type ErrorScope = "output" | "content";

/** What a mention of an error means in an output of this kind, where a command printed it. */
export function scopeOfKind(kind: OutputKind): ErrorScope {
  return traitsOf(kind).errors === "content" ? "content" : "output";
}

/** Error lines of the same shape (numbers aside) beyond this many are counted, not shown. */
const SAME_SHAPE_SHOWN = 20;

const WORD =
  /err|fail|fatal|panic|exception|traceback|critical|severe|exit|not ok|abort|denied|not found|no such|refused|timed out|cannot|segmentation|killed/gi;
/** Hardly any text has one, and a search for the words alone is twice as quick. */
const SIGN = /[✗✕×✖❌]/;
const MAYBE = new RegExp(`${WORD.source}|${SIGN.source}`, "i");

const LEVEL = /(?<![\w.])(?:ERROR|FATAL|CRITICAL|PANIC|SEVERE|ERR!|FAILED|FAIL)(?![\w.(-])/;
const LOG_FIELD =
  /(?:"(?:level|severity|status)"\s*:\s*"|\b(?:level|severity)=)(?:error|fatal|critical|panic|failed)\b/i;
const DIAGNOSIS =
  /^(?:(?:error|fatal|fatal error|panic|exception|failed|failure)(?:\[[\w-]{1,20}\])?: |Traceback \(most recent call last\)|--- FAIL|npm (?:ERR!|error)|[\w.$]{0,60}(?:Error|Exception)(?:: |$|\r$)|(?:Command )?(?:exit code|exit status|exited with code|process exited with code)[ :=]+-?[1-9])/i;

const WORDS =
  /\b(?:errors?|errored|err!|fail|failed|fails|failing|failures?|fatal|panic(?:ked)?|traceback|exceptions?|critical|severe|abort(?:ed|ing)?|segmentation fault|core dumped|command not found|no such file|permission denied|access denied|connection refused|timed out|unhandled|oomkilled|killed|not ok|cannot find|undefined reference)\b|\w(?:Error|Exception)\b|[✗✕×✖❌]|^\s*E\s{2,}\S/i;
const DENIED =
  /\b(?:0|no|zero|without|any) (?:\w+ )?(?:errors?|fail(?:ed|ures?|ing)?|exceptions?)\b|\b(?:errors?|fail(?:ed|ures?)?)["']?[:=]\s?(?:0|null|false|none|""|\[\])(?!\d)/i;
const EXIT_CODE =
  /\bexit(?:ed)?(?: with)?(?: code| status| value)?[ :=]+(?:code |status )?(-?[1-9]\d{0,9})\b|\b(?:exit|return)[_ -]?code["']?[ :=>]+(-?[1-9]\d{0,9})\b/i;

/** The lines of a text that may be such a report: one look at most texts, and no other line is cut out. */
export function linesThatMayReport(text: string): readonly string[] {
  const maybe = SIGN.test(text) ? WORD_OR_SIGN : WORD;
  maybe.lastIndex = 0;
  if (!maybe.test(text)) return NO_LINES;
  const lines: string[] = [];
  do {
    const at = maybe.lastIndex - 1;
    const end = text.indexOf("\n", at);
    lines.push(text.slice(text.lastIndexOf("\n", at) + 1, end < 0 ? text.length : end));
    if (end < 0) break;
    maybe.lastIndex = end;
  } while (maybe.test(text));
  return lines;
}

const WORD_OR_SIGN = new RegExp(MAYBE, "gi");
const NO_LINES: readonly string[] = [];

/** Is this one line (without its line number or path) the report of a failure? */
export function isErrorLine(line: string, scope: ErrorScope): boolean {
  const start = line.length > 600 ? line.slice(0, 600) : line;
  if (!MAYBE.test(start)) return false;
  if (DIAGNOSIS.test(start) || isLogEntry(start) || LOG_FIELD.test(start)) return true;
  if (scope === "content") return false;
  if (EXIT_CODE.test(start)) return true;
  return (
    WORDS.test(start) && (!DENIED.test(start) || WORDS.test(start.replace(new RegExp(DENIED, "gi"), "")))
  );
}

/**
 * The positions of the lines that report a failure, in order; of many with one shape only the first few.
 * `contentOf` takes the line number or path off a line first.
 */
export function findErrorLines(
  lines: readonly string[],
  scope: ErrorScope,
  contentOf: (line: string) => string = (line) => line,
): readonly number[] {
  const found: number[] = [];
  const seen = new Map<number, number>();
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    if (line.length < 4 || !isErrorLine(contentOf(line), scope)) continue;
    // Names of failing tests often differ in a number only, and each of them counts.
    if (isFailing(line)) {
      found.push(index);
      continue;
    }
    const shape = lineShape(line);
    const times = (seen.get(shape) ?? 0) + 1;
    seen.set(shape, times);
    if (times <= SAME_SHAPE_SHOWN) found.push(index);
  }
  return found;
}

/** An upper-case level near the start, with nothing before it but a time, a process and punctuation. */
function isLogEntry(line: string): boolean {
  const head = line.slice(0, 120);
  const level = LEVEL.exec(head);
  if (level === null) return false;
  const before = head.slice(0, level.index);
  const words = before.match(/[A-Za-z_][\w.]*/g)?.length ?? 0;
  if (words === 0) return !/["'`=]/.test(before);
  const next = head[level.index + level[0].length] ?? "";
  return words <= 3 && (/\d/.test(before) || next === "]" || next === ":") && !/[=("'`]/.test(before);
}
