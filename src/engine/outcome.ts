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
    says: /^\s*(?:Error:?\s*\n[^\n]*|Error(?: \d+| (?:when|while|executing|calling|in) [^\n]*)|\w*(?:Error|Exception): [^\n]*)/,
    end: "failed",
    examples: [
      "Error: payment method not found",
      "Error 403",
      "Error when executing tool page_down",
      "TypeError: x is not a function",
    ],
  },
];

/** Exit codes as programs write them into their first or their last lines. */
const CODES: readonly Row[] = [
  {
    says: /^\[?(?:(?:The )?(?:Process |Command )?(?:exited|finished|completed) with (?:exit )?|exit )(?:code|status):? (\d+)\.?\]?\.?$(?:\n[^\n]+)?/im,
    end: "count",
    examples: [
      "Exit code 1",
      "exit status 2",
      "Process exited with code 0",
      "[Command finished with exit code 0]",
      "[The command completed with exit code 127.]",
    ],
  },
  {
    says: /<returncode>(-?\d+)|PROCESS-DONE:(\d+):/,
    end: "count",
    examples: ["<returncode>0</returncode>", "///PROCESS-DONE:0:PROCESS-DONE///"],
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
    says: /^(?:(?:\[\w+\] )?BUILD FAIL|(?:error: )?Command failed| ERROR {2}run failed|make: \*{3}|npm ERR!|fatal: )[^\n]*/m,
    end: "failed",
    examples: [
      "[INFO] BUILD FAILURE",
      " ERROR  run failed: command  exited (1)",
      "make: *** [test] Error 2",
      "fatal: not a git repository",
    ],
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
export const ROWS = [...REFUSALS, ...ERRORS, ...CODES, ...RUNNERS];

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
  const refused = read("flag", REFUSALS, start)[0] ?? (command === "" ? errorIn(output, whole) : undefined);
  if (refused) return refused;
  const { code, runner } = evidenceIn(command);
  const codes = command === "" ? [] : codesIn(output, whole, onlyPrints(command));
  const coded = codes.find(({ end }) => code || end === "failed");
  const runners = runner ? read("runner", RUNNERS, closingLines(output)) : [];
  // Where all went well, what a program printed that it ran is not how it ended itself; elsewhere one of several may have failed.
  const closing = coded?.end === "ok" ? runners.slice(-1) : runners;
  const failed = [coded, ...inOrder(closing)].find((verdict) => verdict?.end === "failed");
  if (isError && !failed) return { end: "failed", by: "flag", evidence: short(firstLine(output)) || "error" };
  return failed ?? coded ?? inOrder(closing)[0] ?? UNKNOWN;
}

/** A tool's own error: a flag of its protocol, or an answer that is nothing else. What a command printed is neither. */
function errorIn(output: string, whole: string): Verdict | undefined {
  const isBrief = output.trimEnd().split("\n", 4).length < 4;
  const error = isBrief ? read("flag", ERRORS, output.slice(0, 400))[0] : undefined;
  if (!error && ![whole, output].some(isFlagged)) return undefined;
  const says = MESSAGE.exec(output.slice(0, 3000))?.[1]?.replaceAll('\\"', '"');
  return { end: "failed", by: "flag", evidence: short(says ?? error?.evidence ?? output.slice(0, 400)) };
}

/** Where an answer says what went wrong. */
const MESSAGE = /"(?:text|error|message)":\s*"((?:[^"\\]|\\.){3,400})/;

/**
 * A flag is a field of the answer, or stands behind all that a program printed of it; the same words inside of a text are none. Records
 * have a status and a success of their own: of an answer that failed a field says why.
 */
function isFlagged(answer: string): boolean {
  const value = jsonIn(answer);
  if (value === undefined) return FLAG_BEHIND.test(answer.slice(-200));
  const fields = Object(Array.isArray(value) && value.length === 1 ? value[0] : value) as Record<
    string,
    unknown
  >;
  const why = fields.error ?? fields.error_message ?? fields.message ?? fields.reason;
  return (
    Boolean(fields.error ?? fields.error_message) ||
    [fields.isError, fields.is_error].includes(true) ||
    (typeof why === "string" &&
      (fields.success === false || ["error", "failed"].includes(String(fields.status))))
  );
}

const FLAG_BEHIND = /\bisError=True\b[^'"\n]*$/;

/** The exit code in the record that carries the output, else in its first and last lines; what only prints may print anything there. */
function codesIn(output: string, whole: string, isPrinted: boolean): readonly Verdict[] {
  const { metadata, ...fields } = Object(jsonIn(whole)) as Record<string, unknown>;
  const { exit_code, exitCode, returncode } = { ...Object(metadata), ...fields };
  const code = [exit_code, exitCode, returncode].find((each) => typeof each === "number");
  if (code !== undefined && !(isPrinted && whole === output))
    return [{ end: code === 0 ? "ok" : "failed", by: "code", evidence: `exit code ${code}` }];
  const lines = output.trim().split("\n");
  const [first = ""] = lines;
  const ends = isPrinted ? [first] : [...lines.slice(0, 3), ...lines.slice(3).slice(-4)];
  return inOrder(read("code", CODES, ends.map((line) => line.slice(0, 400)).join("\n")));
}

/**
 * What the output of a command line can be evidence of: `code`, that all of it went well, `runner`, how its runner closed. A
 * pipe has the exit code of its last program; `tail` and `tee` show the closing lines, others may have left them out.
 */
function evidenceIn(command: string): { readonly code: boolean; readonly runner: boolean } {
  const line = command.slice(0, 4000);
  const [, ...filters] = line.split(/[^|]\|(?!\|)/);
  const isList = [";", "||", "\n"].some((sign) => line.trim().includes(sign));
  return {
    code: !isList && (filters.length === 0 || line.includes("pipefail")),
    runner:
      line !== "" &&
      !onlyPrints(line) &&
      filters.every((filter) => /^&?\s*(?:tail(?! -c)|tee)\b/.test(filter)),
  };
}

interface Line extends Verdict {
  /** Which row, and where in the text. */
  readonly row: number;
  readonly at: number;
}

/** All lines that say how it ended, in the order of the text. */
function read(by: Verdict["by"], rows: readonly Row[], text: string): readonly Line[] {
  const lines: Line[] = [];
  for (const inSentence of [undefined, true]) {
    const closed = lines.reduce((last, { at }) => Math.max(last, at), -1);
    for (const [row, { says, end, ...kind }] of rows.entries()) {
      if (kind.inSentence !== inSentence) continue;
      for (const found of text.matchAll(everywhere(says))) {
        const said = found.slice(1).find((group) => group !== undefined);
        const isNought = Number(said?.replaceAll(",", "")) === 0;
        if (inSentence && found.index < closed) continue;
        lines.push({
          ...{ by, row, at: found.index },
          end: end !== "count" ? end : isNought ? "ok" : "failed",
          evidence: short((end === "count" ? undefined : said) ?? found[0]),
        });
      }
    }
  }
  return lines.sort((a, b) => a.at - b.at);
}

/** In the order of the rows: of what says the same the first row says it best. */
function inOrder(lines: readonly Line[]): readonly Line[] {
  return lines.toSorted((a, b) => a.row - b.row || a.at - b.at);
}

const everywhere = (() => {
  const known = new Map<RegExp, RegExp>();
  return (pattern: RegExp): RegExp => {
    const all = known.get(pattern) ?? new RegExp(pattern, `${pattern.flags}g`);
    known.set(pattern, all);
    return all;
  };
})();

/** A runner closes with its verdict: the last lines that say something. Behind a note that some were left out there are none. */
function closingLines(output: string): string {
  const lines = output.trimEnd().slice(-1200).split("\n").slice(-12);
  return LEFT_OUT.test(lines.at(-1)!) ? "" : lines.join("\n");
}

const LEFT_OUT = /\b(?:truncated|omitted)\b/;

/** Does every program of this command line only print what is there? The first of a pipe decides. */
export function onlyPrints(command: string): boolean {
  return command
    .slice(0, 2000)
    .split(/&&|\|\||;|\n/)
    .every((part) => part.trim() === "" || PRINTERS.test(part.trim()));
}

function firstLine(output: string): string {
  return output.slice(0, 2000).trimStart().split("\n", 1)[0]!;
}

function short(evidence: string): string {
  const line = evidence.trim().replace(/\s+/g, " ");
  return line.length <= 240 ? line : `${line.slice(0, 239)}…`;
}
