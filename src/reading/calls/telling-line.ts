/** Telling line: the one line of an output that says how its call ended. */
import type { CallEnd } from "./call-end.ts";
import { findingIn } from "./hidden-end.ts";
import { shortLine } from "./said.ts";

/** @param hidden that nothing failed is not certain: what was found tells more than a figure */
export function tellingLine(end: CallEnd, hidden = false): string {
  if (end.failed) return failureLine(end);
  const found = hidden ? findingIn(end.text) : undefined;
  return found === undefined ? resultLine(end.text) : shortLine(found, MAX_LINE);
}

const MAX_LINE = 240;

/** What failed: the diagnosis rather than the exit code or the head of a trace. */
function failureLine({ lines, text }: CallEnd): string {
  const told = lines.map((line) => line.trim()).filter((line) => line !== "" && !HEAD_OR_EXIT.test(line));
  const line =
    told.find((each) => DIAGNOSIS.test(each)) ??
    told[0] ??
    saidByProgram(text) ??
    saidLast(text) ??
    lines[0] ??
    "";
  return shortLine(line.replace(/<\/?(?:tool_use_error|error)>/g, ""), MAX_LINE);
}

const HEAD_OR_EXIT =
  /^(?:<error>|Traceback \(most recent call last\)|(?:Command |Process )?exit(?:ed)?\b.{0,30}\d+\.?$|\[?exit\b|npm (?:ERR!|error) code|Error:?$|=+ (?:FAILURES|ERRORS) =+$)/i;
const DIAGNOSIS =
  /(?:^|[\s:])(?:[A-Z]\w{0,60}(?:Error|Exception)|error(?:\[\w{1,20}\]| TS\d+)?|fatal|panic)\b[^\n]{0,20}: \S|--- FAIL: |^FAILED? \S|[✗✕×✖●] \S/;

/** What a success came to: a line of figures, a commit, or the only line there is. */
function resultLine(text: string): string {
  const end = text.slice(-3_000);
  const mayTell = SOME_RESULT.test(end);
  if (!mayTell && text.length > 400) return "";
  const lines = end.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 1 && text.length <= 400) return shortLine(lines[0]!, MAX_LINE);
  if (!mayTell) return "";
  const telling = lines.findLast((line) => line.length <= 400 && RESULT.test(line));
  return telling === undefined ? "" : shortLine(telling, MAX_LINE);
}

const RESULT =
  /\b\d+ (?:tests? )?(?:pass(?:ed|ing)?|failed|skipped|warnings?|errors?|problems?|issues?|files? changed|insertions?|packages?)\b|\btests?:? +\d+|^\[[\w./ -]{1,80} [0-9a-f]{7,40}\] |^(?:ok|PASS|BUILD SUCCESS\w*|Successfully|Done|Built|Compiled)\b|https?:\/\/\S+\/(?:pull|issues|commit)\//i;

/** One look at all lines. */
const SOME_RESULT = new RegExp(RESULT, "im");

/** `rg: apps: No such file or directory`, also among lines of what it found. */
function saidByProgram(text: string): string | undefined {
  return SAID_BY_PROGRAM.exec(text)?.[0];
}

const SAID_BY_PROGRAM =
  /^[\w./-]{1,60}: (?:[^\n]{1,300}: )?(?:No such file or directory|Permission denied|Is a directory|Not a directory|(?:invalid|unknown|unrecognized|illegal) (?:option|argument|flag)\b|regex parse error|unmatched\b)[^\n]{0,200}$/im;

/** Without a line that speaks of a failure: the first of a few lines, which mostly are one message; of many the last. */
function saidLast(text: string): string | undefined {
  const lines = text
    .slice(-2_000)
    .split("\n")
    .filter((line) => line.trim() !== "" && !HEAD_OR_EXIT.test(line.trim()));
  return lines.length <= 3 ? lines[0] : lines.at(-1);
}
