/** Hidden ends: a check whose exit code is another command's ended as what it printed says, or as nobody knows. */
import { SAID_NOTHING } from "../agents/notices.ts";
import { type Check, checksIn } from "./checks.ts";
import { splitShell, type Word } from "./shell-words.ts";

/** `npm test | tail -5` and `npm test; ls` ended well as far as the shell knows: whether the output leaves open how the check ended. */
export function hidesEnd(script: string, output: string): boolean {
  if (!/[|;&\n]/.test(script)) return false;
  const checks = checksIn(script);
  const hidden = withoutPrinted(
    checks.filter((check) => check.end !== "own"),
    output,
  );
  if (hidden.length === 0) return false;
  if (saysNothing(output)) return !hidden.every(isSilent);
  const mayLog = hidden.every(({ kind }) => kind === "test");
  if (FAILED.test(output) || (mayLog ? FOUND.test(output) : findingIn(output) !== undefined)) return true;
  return !hidden.every((check) => saysPassed(check, checks, output));
}

/** Of several checks each needs a sign that can be none of the others'. */
function saysPassed(check: Check, checks: readonly Check[], output: string): boolean {
  const part = check.end === "cut" || check.end === "filtered" ? "total" : "passed";
  if (checks.length === 1) return SIGNS.some((sign) => sign[part].test(output));
  const isTest = check.kind === "test";
  const others = checks.filter((other) => other !== check && (other.kind === "test") === isTest);
  const sign = (isTest ? TESTS : FINDINGS)[part];
  if (others.length === 0) return sign.test(output);
  // What is printed last is that of the last, if the others ended before it.
  const isLast = check === checks.at(-1) && others.every(({ end }) => end === "own");
  return isLast && sign.test(lastLine(output));
}

function lastLine(output: string): string {
  const said = output.trimEnd();
  return said.slice(said.lastIndexOf("\n") + 1);
}

/** Without the checks whose exit code was printed, where each that was printed is 0. */
function withoutPrinted(hidden: readonly Check[], output: string): readonly Check[] {
  const others = hidden.filter(({ end }) => end !== "printed");
  if (others.length === hidden.length) return hidden;
  const codes = [...output.matchAll(PRINTED_CODE)].map(([, code]) => Number(code));
  const isTold = codes.length >= hidden.length - others.length && codes.every((code) => code === 0);
  return isTold ? others : hidden;
}

/** `EXIT: 0`, `exit code=0`, `0` */
const PRINTED_CODE =
  /^(?:.{0,40}?(?:exit|code|status|\brc|\bret)[a-z_]{0,8}[^\w\n]{0,3}|[^\w\n]{0,5})(\d{1,3})[^\w\n]{0,5}$/gim;

/** A build or a linter that finds nothing says nothing, unless only some of its words were let through. */
function isSilent({ kind, end }: Check): boolean {
  return kind !== "test" && end !== "filtered";
}

/** Nothing, or what a program says in its place. */
function saysNothing(output: string): boolean {
  const said = output.trim();
  return said === "" || (said.length <= MOST_NOTICE && SAID_NOTHING.test(said));
}

const MOST_NOTICE = 200;

/** The first line that tells what a check found: at a place, or by its number. */
export function findingIn(output: string): string | undefined {
  const line = FINDING.exec(output) ?? FOUND.exec(output);
  return line?.[0].trim();
}

/** `src/a.go:48:1: Function name: init`, `src/a.ts(3,7): error TS2304`. */
const FINDING =
  /^(?:[A-Za-z]:)?[^\s:()]{1,300}\.\w{1,10}(?::\d{1,9}:\d{1,9}:?|:\d{1,9}:|\(\d{1,9},\d{1,9}\):)\s.{1,2000}$/m;
const FOUND =
  /^.{0,200}?(?<![\d.])[1-9]\d{0,8} (?:tests? |specs? |examples? )?(?:failed|failing|failures?|errors?|issues?|problems?)\b(?! \(0 errors).{0,400}$/im;
/** Also beside what passed. */
const FAILED =
  /\bFAILED\b|^\W{0,12}FAIL\b|\bBUILD FAIL|(?<!\d )\b[Ff]ail(?:ed|ures?)?[:=]? ?[1-9]|^not ok \d|\berror(?:\[\w{1,20}\])?: could not compile/m;

/** What says that a check passed: a total, of which any part of the output that shows it will do, or a word of one that is shown to its end. */
interface PassSigns {
  readonly total: RegExp;
  readonly passed: RegExp;
}
const TESTS = passSigns(
  String.raw`(?<![\d.])[1-9]\d{0,8} (?:tests? |specs? )?pass(?:ed|ing)?\b`,
  String.raw`^\W{0,3}(?:ok|PASS(?:ED)?)\b|\ball (?:\w+ ){0,3}pass(?:ed)?\b`,
);
const FINDINGS = passSigns(
  String.raw`(?<![\d.])0 (?:tests? )?(?:failed|failures|errors|issues|problems|warnings)\b|\bno (?:\w+ )?(?:errors?|issues|problems|failures|warnings) found\b`,
  String.raw`\bno (?:\w+ )?(?:errors?|issues|problems|failures|warnings)\b|^\W{0,3}(?:ok|BUILD SUCCESS\w*|Success(?:fully)?|Finished|Compiled|Built)\b|\b(?:compiled|built|completed) (?:successfully|in \d)`,
);
const SIGNS = [TESTS, FINDINGS];

function passSigns(total: string, word: string): PassSigns {
  return { total: new RegExp(total, "im"), passed: new RegExp(`${total}|${word}`, "im") };
}

/** A search at the end of a script that found nothing ends with 1, which is no failure: whether that is all it was. */
export function foundNothing(script: string, exitCode: number | undefined, output: string): boolean {
  if (exitCode !== 1 || !SEARCHES.test(script) || !saysNothing(output.replace(EXIT_LINE, ""))) return false;
  const commands = splitShell(script);
  const last = commands.at(-1)!;
  // What is before it may have failed without a word instead.
  const mayBeOther = commands.some(
    ({ words }, at) => commands[at + 1]?.after === "&&" && words[0]?.text !== "cd",
  );
  return last.after !== "||" && !mayBeOther && isSearch(last.words);
}

function isSearch([program, verb]: readonly Word[]): boolean {
  return SEARCH_PROGRAMS.has(program?.text ?? "") || (program?.text === "git" && verb?.text === "grep");
}

const SEARCHES = /\b(?:[ef]?grep|rg|ag|ack)\b/;
const SEARCH_PROGRAMS = new Set(["grep", "egrep", "fgrep", "rg", "ag", "ack"]);
const EXIT_LINE = /^\W{0,3}(?:[A-Z]\w{0,10} )?exit(?:ed)?\b.{0,30}\b1\W{0,3}$/gim;
