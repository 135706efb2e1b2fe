// How a call ended, with the evidence. A verdict needs a flag, an exit code where its program writes it, or the closing
// line of a runner; everything else is unknown. A printed line in the middle is quoted, never a verdict.

import { jsonIn } from "./records.ts";

export interface Verdict {
  readonly end: "ok" | "failed" | "refused" | "unknown";
  readonly by: "flag" | "code" | "runner" | "nothing";
  /** The words that say so, as they were printed. */
  readonly evidence: string;
}

export const UNKNOWN: Verdict = { end: "unknown", by: "nothing", evidence: "" };

export interface Row {
  readonly says: RegExp;
  /** What such a line says, in its group where it has one; `refused`: a person did not let it happen; `count`: the number in it
   * says so, of failures or as an exit code, and 0 is ok. */
  readonly end: "ok" | "failed" | "refused" | "count";
  /** Words in a sentence, which a test may have printed as well: what a runner prints below them has the last word. */
  readonly inSentence?: true;
  readonly examples: readonly string[];
}

/** A person did not let it happen, or the tool says itself that it did not: at the very start. */
const REFUSALS: readonly Row[] = [
  {
    says: /^(?:The user doesn't want to[^.\n]*|\[Request interrupted[^\n]*)/,
    end: "refused",
    examples: ["The user doesn't want to proceed with this tool use", "[Request interrupted by user]"],
  },
  {
    says: /^\s*<tool_use_error>[^\n]*/,
    end: "failed",
    examples: ["<tool_use_error>File does not exist."],
  },
  {
    says: /^Your proposed edit has introduced[\s\S]*?ERRORS:\s*([^\n]*)/,
    end: "failed",
    examples: ["Your proposed edit has introduced new syntax error(s). …\n\nERRORS:\n- E999"],
  },
];

/** Answers of a tool that are nothing but an error. */
const ERRORS: readonly Row[] = [
  {
    says: /^\s*(?:Error:?\s*\n[^\n]*|Error\b[^\n]*|\w*(?:Error|Exception): [^\n]*)/,
    end: "failed",
    examples: ["Error: payment method not found", "TypeError: x is not a function"],
  },
];

/** Flags of protocols, and where such an answer says what went wrong. */
const FLAGS: readonly Row[] = [
  {
    says: /^\s*\{\s*"(?:error|error_message)":\s*[^\snf\]}][^\n]+|^\s*\{\s*"status":\s*"(?:error|failed)"/,
    end: "failed",
    examples: ['{"error": "No presentation is loaded"}', '{"status": "error", "message": "not found"}'],
  },
  {
    says: /"is_?error":\s*true|"success":\s*false|\bisError=True/i,
    end: "failed",
    examples: ['"isError": true', '"success": false'],
  },
];
const MESSAGE = /"(?:text|error|message)":\s*"((?:[^"\\]|\\.){3,400})/;

/** Exit codes in the places where programs write them: the first or the last lines. */
const CODES: readonly Row[] = [
  {
    says: /^\[?(?:(?:Process |Command )?(?:exited|finished) with (?:exit )?|exit )(?:code|status):? (\d+)\]?\.?$(?:\n[^\n]+)?/im,
    end: "count",
    examples: [
      "Exit code 1",
      "exit status 2",
      "Process exited with code 0",
      "[Command finished with exit code 0]",
    ],
  },
  {
    says: /"(?:exit_?code|returncode)":\s*(-?\d+)|PROCESS-DONE:(\d+):/i,
    end: "count",
    examples: ['"exit_code": 0', "///PROCESS-DONE:0:PROCESS-DONE///"],
  },
];

/** Closing lines of runners. */
const RUNNERS: readonly Row[] = [
  {
    says: /^[^\n]*?(?:# fail (\d+)|(?<!\w )(?<![\d,.])(\d[\d,]*) (?:tests? )?(?:fail(?:ed|ures?|ing)?|errors?)\b)[^\n]*$/im,
    end: "count",
    examples: [
      "1 failed, 3 passed",
      "# fail 1",
      " 0 fail",
      "Tests: 2 failed, 180 passed",
      "Test Files  1 failed | 3 passed",
    ],
  },
  {
    says: /^[^\n]*?\w (\d[\d,]*) (?:tests? )?(?:fail(?:ed|ures?|ing)?|errors?)\b[^\n]*$/im,
    end: "count",
    inSentence: true,
    examples: ["Found 3 errors in 2 files", "Build failed with 1 error:"],
  },
  {
    says: /^(?:test result: FAILED|FAIL(?:[\t ]|$)|--- FAIL:|FAILED \()[^\n]*/m,
    end: "failed",
    examples: [
      "test result: FAILED. 3 passed",
      "FAIL\tpkg/list 0.2s",
      "--- FAIL: TestA",
      "FAILED (failures=1)",
    ],
  },
  {
    says: /^(?:(?:\[\w+\] )?BUILD FAIL|(?:error: )?Command failed|make: \*{3}|npm ERR!|fatal: )[^\n]*/m,
    end: "failed",
    examples: ["[INFO] BUILD FAILURE", "make: *** [test] Error 2", "fatal: not a git repository"],
  },
  {
    says: /^(?:test result: ok|(?:\[\w+\] )?BUILD SUCCESS|ok[\t ]+\S|PASS$|OK$)[^\n]*/m,
    end: "ok",
    examples: ["test result: ok. 4 passed", "[INFO] BUILD SUCCESS", "ok  \tpkg/list 0.2s", "OK"],
  },
  {
    says: /^[^\n]*(?:\b\d+ (?:tests? )?pass(?:ed|ing)?\b|# pass \d)[^\n]*/m,
    end: "ok",
    examples: ["4 passed in 0.2s", "# pass 3"],
  },
];

/** All rows, so that each can be tried on its examples. */
export const ROWS = [...REFUSALS, ...ERRORS, ...FLAGS, ...CODES, ...RUNNERS];

/** Programs that print what stands in files and on pages: what such a call printed is never a verdict on it. */
const PRINTERS =
  /^(?:cat|curl|wget|sed|head|tail|less|more|grep|rg|awk|jq|ls|find|wc|echo|nl|bat|diff|tree|cd|export|ps|pgrep|which|stat|file|xxd|git(?: -C \S+)? (?:show|diff|log|blame|status|grep|cat-file|rev-parse|ls-\w+|fsck|config(?! \S+ \S)))\b/;

/** ` → failed (1 failed, 3 passed)`, or nothing where it is not known. */
export function howItEnded({ end, evidence }: Verdict): string {
  return end === "unknown" ? "" : ` → ${end} (${evidence})`;
}

/** It did not happen, or not as it was asked. */
export function hasFailed({ end }: Verdict): boolean {
  return end === "failed" || end === "refused";
}

/** What is known of a call that was answered. */
export interface Ending {
  /** The command line that it ran, "" for none. */
  readonly command: string;
  readonly output: string;
  /** The output inside what carried it. @default the output */
  readonly whole?: string;
  /** The wire says that the tool failed. @default false */
  readonly isError?: boolean;
}

export function outcomeOf({ command, output, whole = output, isError = false }: Ending): Verdict {
  const start = output.slice(0, 400);
  const close = closingLines(output);
  const refused =
    read("flag", REFUSALS, start)[0] ?? (command === "" ? errorIn(output, whole, close) : undefined);
  if (refused) return refused;
  const { code, runner } = evidenceIn(command);
  // What only prints may print anything: its program writes the code before that.
  const carrier = whole === output ? "" : `\n${whole.slice(-200)}`;
  const printed =
    command !== "" && onlyPrints(command) ? firstLine(start) : `${start.slice(0, 200)}\n${close}`;
  const coded = printed + carrier;
  // Where no program ran there is no field for its code.
  const verdicts =
    command === "" ? [] : read("code", CODES, coded).filter(({ end }) => code || end === "failed");
  if (runner) verdicts.push(...read("runner", RUNNERS, close));
  const failed = verdicts.find(({ end }) => end === "failed");
  if (isError && !failed) return { end: "failed", by: "flag", evidence: short(firstLine(output)) || "error" };
  return failed ?? verdicts[0] ?? UNKNOWN;
}

/** A tool's own error: a flag of its protocol, or an answer that is nothing else. What a command printed is neither. */
function errorIn(output: string, whole: string, close: string): Verdict | undefined {
  const start = output.slice(0, 400);
  const isBrief = output.trimEnd().split("\n", 4).length < 4;
  const flagged = whole === output ? `${start}\n${close}` : `${start}\n${close}\n${whole.slice(-200)}`;
  const flag = read("flag", FLAGS, flagged)[0];
  const found =
    (isBrief ? read("flag", ERRORS, start)[0] : undefined) ??
    (flag && [whole, output].some(isFlagged) ? flag : undefined);
  if (!found) return undefined;
  const says =
    MESSAGE.exec(output.slice(0, 3000))?.[1] ?? (whole === output ? found.evidence : output.slice(0, 400));
  return { ...found, evidence: short(says.replace(/\\(["'])/g, "$1")) };
}

/** A flag is a field of the answer, or stands behind all that a program printed of it; the same words inside of a text are none. */
function isFlagged(answer: string): boolean {
  const value = jsonIn(answer);
  if (value === undefined)
    return FLAG_BEHIND.test(answer.slice(-200)) || FIRST_FIELD.test(answer.slice(0, 400));
  const record = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return Object.entries(Object(record) as object).some(([name, field]) => {
    if (name === "success") return field === false;
    if (name === "status") return field === "error" || field === "failed";
    return /^is_?error$/i.test(name) ? field === true : /^error(?:_message)?$/.test(name) && Boolean(field);
  });
}

const FLAG_BEHIND = /\bisError=True\b[^'"\n]*$/;
const FIRST_FIELD = /^\s*\{\s*"(?:error|error_message|is_?error|success|status)":/i;

/**
 * What the output of a command line can be evidence of: `code`, that all of it went well, `runner`, how its runner closed. A
 * pipe has the exit code of its last program; `tail` and `tee` show the closing lines, others may have left them out.
 */
function evidenceIn(command: string): { readonly code: boolean; readonly runner: boolean } {
  const line = command.slice(0, 4000);
  const [, ...filters] = line.split(/[^|]\|(?!\|)/);
  const isList = /;|\|\||\n/.test(line.trim());
  return {
    code: !isList && (filters.length === 0 || line.includes("pipefail")),
    runner:
      line !== "" && !onlyPrints(line) && filters.every((filter) => /^&?\s*(?:tail|tee)\b/.test(filter)),
  };
}

function read(by: Verdict["by"], rows: readonly Row[], text: string): Verdict[] {
  const verdicts: Verdict[] = [];
  let closed = -1;
  for (const { says, end, inSentence } of rows.toSorted(
    (a, b) => Number(a.inSentence ?? false) - Number(b.inSentence ?? false),
  )) {
    const isCount = end === "count";
    const all = isCount ? [...text.matchAll(new RegExp(says, `${says.flags}g`))] : [says.exec(text)];
    const lines = all.flatMap((one) => (one && !(inSentence && one.index < closed) ? [one] : []));
    const groupOf = (one: RegExpExecArray) => one.slice(1).find((group) => group !== undefined);
    const isNought = (one: RegExpExecArray) => Number(groupOf(one)?.replaceAll(",", "")) === 0;
    // Of several counts the first that is not nought: one package failed.
    const found = lines.find((one) => isCount && !isNought(one)) ?? lines[0];
    if (!found) continue;
    closed = Math.max(closed, found.index);
    verdicts.push({
      end: !isCount ? end : isNought(found) ? "ok" : "failed",
      by,
      evidence: short((isCount ? undefined : groupOf(found)) ?? found[0]),
    });
  }
  return verdicts;
}

/** A runner closes with its verdict: the last lines that say something. */
function closingLines(output: string): string {
  return output.trimEnd().slice(-1200).split("\n").slice(-12).join("\n");
}

/** Does every program of this command line only print what is there? The first of a pipe decides. */
export function onlyPrints(command: string): boolean {
  return command
    .slice(0, 2000)
    .split(/&&|\|\||;|\n/)
    .every((part) => part.trim() === "" || PRINTERS.test(part.trim()));
}

function firstLine(output: string): string {
  const start = output.slice(0, 2000).trimStart();
  return start.slice(0, start.search(/\n|$/));
}

function short(evidence: string): string {
  const line = evidence.trim().replace(/\s+/g, " ");
  return line.length <= 240 ? line : `${line.slice(0, 239)}…`;
}
