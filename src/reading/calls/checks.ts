/** Checks: the commands of a script that test, build or lint, and which of them answers for which. */
import { copyOfText } from "../../json/copy-of-text.ts";
import { onlyLooks } from "./command-text.ts";
import { shortLine } from "./said.ts";
import { type SimpleCommand, splitShell, type Word } from "./shell-words.ts";

export interface Check {
  /** Without its options' trimmings: `npm test`, `go test ./... -run TestAdd`. */
  readonly name: string;
  readonly kind: "test" | "lint" | "build";
  /** By what is known how it ended: its exit code is that of the script, or printed; else what is shown of its output: all or its end, its start, or some lines. */
  readonly end: "own" | "printed" | "shown" | "cut" | "filtered";
}

/** Words of a command that say what it checks: `npm run lint:js`, `python -m pytest`, `cargo test`. */
const KINDS: readonly (readonly [Check["kind"], RegExp])[] = [
  [
    "test",
    /^(?:tests?|specs?|pytest|jest|vitest|mocha|rspec|phpunit|tox|nox|ctest|e2e|verify)(?:[:.-].*)?$|[:_-]tests?$/i,
  ],
  [
    "lint",
    /^(?:lint|eslint|ruff|flake8|pylint|clippy|vet|golangci-lint|biome|rubocop|check)(?:[:.-].*)?$|[:_-]lint$/i,
  ],
  [
    "build",
    /^(?:build|compile|tsc|mypy|pyright|type-?check|types|make|cmake|assemble|javac)(?:[:.-].*)?$|[:_-]build$/i,
  ],
];

/** Programs that check nothing, whatever is named to them. */
const OTHERS = /^(?:git|gh|cd|echo|rm|cp|mv|mkdir|touch|kill|sleep|export|sed|awk|docker|for|while|if|do)$/;
/** So many words from the start say what a command does. */
const FIRST_WORDS = 4;
const MOST_NAME = 100;

export function checksIn(script: string): readonly Check[] {
  let checks = known.get(script);
  if (checks === undefined) {
    checks = MAYBE.test(script) ? readChecks(script) : NONE;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(copyOfText(script), checks);
  }
  return checks;
}

/** The story asks three times for those of each command, and the ledger for those of all at each failure. */
const known = new Map<string, readonly Check[]>();
const MOST_KNOWN = 1_000;

function readChecks(script: string): readonly Check[] {
  const checks: Check[] = [];
  const commands = splitShell(script);
  const fails = failingEnds(commands, STOPS.test(script));
  const isPipeTold = PIPE_FAILS.test(script);
  for (const [at, { words, after }] of commands.entries()) {
    const kind = after === "|" ? undefined : kindOf(words);
    if (kind === undefined) continue;
    checks.push({ name: nameOf(words), kind, end: endAt(commands, at, fails, isPipeTold, kind === "test") });
  }
  return checks;
}

/** For each command whether the script fails where the one before it failed; one more for the end of the script. */
function failingEnds(commands: readonly SimpleCommand[], stops: boolean): readonly boolean[] {
  const fails = [true];
  for (const { words, after } of commands.toReversed()) {
    const program = words[0]?.text ?? "";
    const later = fails.at(-1)!;
    if (after === "||") fails.push(FAILS.has(program));
    else fails.push(after === ";" && !CLOSES.has(program) ? stops : later);
  }
  return fails.reverse();
}

/** By what a command's output goes through, and by what follows it. */
function endAt(
  commands: readonly SimpleCommand[],
  start: number,
  fails: readonly boolean[],
  isPipeTold: boolean,
  isTest: boolean,
): Check["end"] {
  let shown: Check["end"] = commands[start]!.writes.length === 0 ? "shown" : "filtered";
  let at = start + 1;
  for (; commands[at]?.after === "|"; at++) {
    const program = commands[at]!.words[0]?.text ?? "";
    if (program === "head" && shown === "shown") shown = "cut";
    else if (program !== "head" && !PASSES_ON.has(program) && !(isTest && letsFailures(commands[at]!)))
      shown = "filtered";
  }
  const isPiped = at > start + 1;
  if (fails[at]! && (isPipeTold || !isPiped)) return "own";
  const next = commands[at];
  const code = isPiped ? PIPE_CODE : LAST_CODE;
  if (next?.after === ";" && next.words.some(({ text }) => code.test(text))) return "printed";
  return shown;
}

/** `grep -E "^(ok|FAIL)"` shows what passed and would show what failed. */
function letsFailures({ words }: SimpleCommand): boolean {
  const [program, ...others] = words.map(({ text }) => text);
  if (!/^(?:[ef]?grep|rg)$/.test(program ?? "") || others.some((text) => INVERTED.test(text))) return false;
  return others.some((text) => /fail/i.test(text));
}

/** What shows other lines than those that are named, or not all of them. */
const INVERTED = /^-[a-zA-Z]*[vcqm]|^--(?:invert|count|quiet|max)/;

/** A script that ends where one of its commands fails, and one in which a pipe fails with what is piped. */
const STOPS = /\bset -\w*e/;
const PIPE_FAILS = /pipefail/;
const LAST_CODE = /\$\?/;
const PIPE_CODE = /pipestatus/i;
/** Words that only close what was opened before them. */
const CLOSES = new Set(["fi", "}", "esac"]);

/** Programs that show what they are given, or its end, where a check sums up. */
const PASSES_ON = new Set(["tail", "tee", "cat", "less", "more"]);
const FAILS = new Set(["exit", "false", "return"]);

/** What the first telling words of a command say that it checks. */
function kindOf(words: readonly Word[]): Check["kind"] | undefined {
  let program: string | undefined;
  let telling = 0;
  let first = KINDS.length;
  for (let at = 0; at < words.length; at++) {
    const { text } = words[at]!;
    if (isAssignment(text)) continue;
    const isProgram = program === undefined;
    program ??= text;
    if (isProgram && (OTHERS.test(program) || onlyLooks(program))) return undefined;
    const word = isProgram ? text.slice(text.lastIndexOf("/") + 1) : text;
    if (/^-|\/|\s/.test(word)) continue;
    if (MAYBE.test(word)) {
      // By index: until it is compiled, taking a pair apart makes an iterator for each.
      for (let kind = 0; kind < first; kind++) if (KINDS[kind]![1].test(word)) first = kind;
    }
    if (++telling === FIRST_WORDS) break;
  }
  return KINDS[first]?.[0];
}

function nameOf(words: readonly Word[]): string {
  const texts = words.map(({ text }) => text).filter((text) => !isAssignment(text));
  return shortLine(texts.join(" "), MOST_NAME);
}

function isAssignment(text: string): boolean {
  return text.includes("=") && /^\w+=/.test(text);
}

const NONE: readonly Check[] = [];
/** Most commands check nothing, and need not be cut. */
const MAYBE =
  /test|spec|jest|mocha|phpunit|tox|nox|e2e|verify|lint|ruff|flake8|clippy|vet|biome|rubocop|check|build|compile|tsc|mypy|pyright|types|make|assemble|javac/i;

/** Whether a success of the one says that the other's failure is over: `failure` is the line that told it. */
export function answersFor(passed: Check, failed: Check, failure: string): boolean {
  if (passed.kind !== failed.kind) return buildsToo(passed, failed);
  if (passed.name === failed.name) return true;
  const scope = SCOPES.find((each) => each.test(failed.name));
  if (scope !== undefined && !scope.test(passed.name) && !WHOLE.test(passed.name)) return false;
  if (!isNarrow(passed)) return true;
  return [...`${failed.name} ${failure}`.matchAll(NAMED)].some(([name]) => passed.name.includes(name));
}

/** `go test -tags=x -c ./a` builds what `go build -tags=x ./a` does: the same program with the same options on the same place. */
function buildsToo(passed: Check, failed: Check): boolean {
  const [program, verb, ...others] = failed.name.split(" ");
  const [other, does, ...done] = passed.name.split(" ");
  if (other !== program || BUILDS_FIRST.get(`${program} ${verb}`)?.includes(does!) !== true) return false;
  const given = others.filter((word) => /[./=]/.test(word));
  return given.some((word) => !word.startsWith("-")) && given.every((word) => done.includes(word));
}

/** Compilers that build what they test; what only starts other programs, as `npx` and `make` do, says nothing of a build. */
const BUILDS_FIRST: ReadonlyMap<string, readonly string[]> = new Map([
  ["go build", ["test", "vet"]],
  ["cargo build", ["test"]],
]);

/** Suites that are apart. */
const SCOPES = [/integration/i, /\be2e\b|end-to-end/i, /\bbrowser\b|playwright|cypress/i];
const WHOLE = /[: ](?:ci|all|full)\b/;
/** Runs some of what there is. */
export function isNarrow({ name }: Check): boolean {
  return NARROW.test(name);
}

const NARROW =
  /\s(?:-run|-k|-t|-g|--filter|--grep|--testNamePattern)[\s=]|::|\.(?:test|spec)\.\w+|_test\.\w+|\btest_\w+|\.py\b/;
/** What tests and their files are called. */
const NAMED = /\b[Tt]est\w{2,}|[\w-]+(?:_test|\.test|\.spec)\.\w+/g;
