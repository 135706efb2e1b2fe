/** Commands: what was run, how often, how it last ended, and the line of its output that mattered. */
import type { CallEnd } from "./call-end.ts";
import type { Draft } from "./draft.ts";
import { putFact } from "./recent-facts.ts";
import { cutLine } from "./said.ts";

/** Notes a command that was run. */
export function noteCommand(draft: Draft, script: string, end: CallEnd): void {
  const command = commandText(script);
  if (command === "" || end.declined) return;
  const known = draft.commands.byKey.get(command);
  putFact(draft.commands, command, {
    command,
    runs: (known?.runs ?? 0) + 1,
    outcome: end.running ? "unknown" : end.failed ? "failed" : "ok",
    ...(end.exitCode === undefined ? {} : { exitCode: end.exitCode }),
    line: end.failed ? failureLine(end) : resultLine(end.text),
    at: draft.messages,
  });
}

/** A command on one line: white space made even, lines joined by `;`, the text that it feeds to a program left out. */
export function commandText(script: string): string {
  const start = script.slice(0, 4_000);
  const heredoc = /<<-?\s*(['"]?)([A-Za-z_]\w{0,40})\1[^\n]*\n/.exec(start);
  const told = heredoc === null ? start : `${start.slice(0, heredoc.index + heredoc[0].length - 1)} …`;
  const joined = told
    .replace(/\\\r?\n/g, " ")
    .trim()
    .replace(/\s*\r?\n\s*/g, "; ");
  return cutLine(joined, MAX_COMMAND);
}

const MAX_COMMAND = 300;
const MAX_LINE = 240;

/** What failed: the diagnosis rather than the exit code or the head of a trace. */
export function failureLine({ lines, text }: CallEnd): string {
  const told = lines.map((line) => line.trim()).filter((line) => line !== "" && !HEAD_OR_EXIT.test(line));
  const line = told.find((each) => DIAGNOSIS.test(each)) ?? told[0] ?? saidLast(text) ?? lines[0] ?? "";
  return cutLine(line.replace(/<\/?(?:tool_use_error|error)>/g, ""), MAX_LINE);
}

const HEAD_OR_EXIT =
  /^(?:<error>|Traceback \(most recent call last\)|(?:Command |Process )?exit(?:ed)?\b.{0,30}\d+\.?$|\[?exit\b|npm (?:ERR!|error) code|Error:?$|=+ (?:FAILURES|ERRORS) =+$)/i;
const DIAGNOSIS =
  /(?:^|[\s:])(?:[A-Z]\w{0,60}(?:Error|Exception)|error(?:\[\w{1,20}\]| TS\d+)?|fatal|panic)\b[^\n]{0,20}: \S|--- FAIL: |^FAILED? \S|[✗✕×✖●] \S/;

/** What a success came to: a line of figures, a commit, or the only line there is. */
function resultLine(text: string): string {
  const lines = text
    .slice(-3_000)
    .split("\n")
    .filter((line) => line.trim() !== "");
  if (lines.length === 1 && text.length <= 400) return cutLine(lines[0]!, MAX_LINE);
  const telling = lines.findLast((line) => line.length <= 400 && RESULT.test(line));
  return telling === undefined ? "" : cutLine(telling, MAX_LINE);
}

const RESULT =
  /\b\d+ (?:tests? )?(?:pass(?:ed|ing)?|failed|skipped|warnings?|errors?|problems?|files? changed|insertions?|packages?)\b|\btests?:? +\d+|^\[[\w./ -]{1,80} [0-9a-f]{7,40}\] |^(?:ok|PASS|BUILD SUCCESS\w*|Successfully|Done|Built|Compiled)\b|https?:\/\/\S+\/(?:pull|issues|commit)\//i;

/** Without a line that speaks of a failure: the first of a few lines, which mostly are one message; of many the last. */
function saidLast(text: string): string | undefined {
  const lines = text
    .slice(-2_000)
    .split("\n")
    .filter((line) => line.trim() !== "" && !HEAD_OR_EXIT.test(line.trim()));
  return lines.length <= 3 ? lines[0] : lines.at(-1);
}

/**
 * The command that a line is about, to tell it again when it is run with other trimmings:
 * `cd web && CI=1 npm test 2>&1 | tail -20` → `npm test`, `python -c "import a; a.run()"` → `python -c …`
 */
export function commandCore(command: string): string {
  if (command.endsWith("…")) return command;
  const step = stepsOf(command).findLast((each) => /^[\w./~-]/.test(each) && !SETTING.test(each)) ?? command;
  const bare = step
    .replace(/\s+\|\s+(?:head|tail|grep|rg|less|cat|tee|sort|wc|sed|awk|cut|uniq|jq)\b.*$/, "")
    .replace(/\s*\d?>(?:&\d|>?\s*\/dev\/null)/g, "");
  const core = bare.replace(/^(?:\w+=\S*\s+)+/, "").trim() || command;
  return core.replace(INLINE_SCRIPT, "$1 …");
}

/** A script that was typed in is never run again word for word: the next one that works took its place. */
const INLINE_SCRIPT =
  /^((?:\S{0,200}\/)?(?:python[\d.]{0,5}|node|bun|deno|ruby|perl|php|pwsh|powershell)(?: -{1,2}[\w-]{1,30}){0,3} (?:-[ce]|-Command|eval|--eval)) .*$/s;

/** Steps that set the scene or speak of it. */
const SETTING = /^(?:cd|export|set|source|echo|printf|sleep|pushd|popd|true|exit)\b|^\w+=\S*$/;

/** Cut at `&&` and `;` outside quotes. */
function stepsOf(command: string): readonly string[] {
  if (!command.includes("&&") && !command.includes(";")) return [command];
  const steps = [""];
  for (const [piece] of command.matchAll(/"(?:\\.|[^"\\])*"|'[^']*'|&&|;|[^"';&]+|["'&]/g)) {
    if (piece === "&&" || piece === ";") steps.push("");
    else steps[steps.length - 1] += piece;
  }
  return steps.map((step) => step.trim());
}

/** A command that only looks: that it finds nothing is an answer, not an error. */
export function onlyLooks(core: string): boolean {
  return /^(?:sudo )?(?:grep|egrep|rg|ag|ls|find|fd|cat|head|tail|which|type|command|test|\[|stat|file|wc|diff|tree|du|sed -n|pgrep|git (?:grep|log|show|diff|status|branch|rev-parse|ls-files|ls-remote|check-ignore|merge-base|config|blame))\b/.test(
    core,
  );
}
