/** Checks: the commands of a script that test, build or lint, and which of them answers for which. */
import { onlyLooks } from "./command-text.ts";
import { shortLine } from "./said.ts";
import { splitShell } from "./shell-words.ts";

export interface Check {
  /** Without its options' trimmings: `npm test`, `go test ./... -run TestAdd`. */
  readonly name: string;
  readonly kind: "test" | "lint" | "build";
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
  if (!MAYBE.test(script)) return NONE;
  return splitShell(script).flatMap(({ words, after }): readonly Check[] => {
    const texts = words.map(({ text }) => text).filter((text) => !/^\w+=/.test(text));
    const program = texts[0] ?? "";
    if (after === "|" || OTHERS.test(program) || onlyLooks(program)) return NONE;
    const telling = texts
      .map((text, at) => (at === 0 ? text.split("/").at(-1)! : text))
      .filter((text) => !/^-|\/|\s/.test(text))
      .slice(0, FIRST_WORDS);
    const kind = KINDS.find(([, word]) => telling.some((text) => word.test(text)))?.[0];
    return kind === undefined ? NONE : [{ name: shortLine(texts.join(" "), MOST_NAME), kind }];
  });
}

const NONE: readonly Check[] = [];
/** Most commands check nothing, and need not be cut. */
const MAYBE =
  /test|spec|jest|mocha|phpunit|tox|nox|e2e|verify|lint|ruff|flake8|clippy|vet|biome|rubocop|check|build|compile|tsc|mypy|pyright|types|make|assemble|javac/i;

/** Whether a success of the one says that the other's failure is over: `failure` is the line that told it. */
export function answersFor(passed: Check, failed: Check, failure: string): boolean {
  if (passed.kind !== failed.kind) return false;
  if (passed.name === failed.name) return true;
  const scope = SCOPES.find((each) => each.test(failed.name));
  if (scope !== undefined && !scope.test(passed.name) && !WHOLE.test(passed.name)) return false;
  if (!isNarrow(passed)) return true;
  return [...`${failed.name} ${failure}`.matchAll(NAMED)].some(([name]) => passed.name.includes(name));
}

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
