import { expect, test } from "vitest";
import { answersFor, checksIn } from "./checks.ts";

const kinds = (script: string) => checksIn(script).map(({ name, kind }) => `${kind}: ${name}`);

test("checks are known through whatever runs them", () => {
  const told = {
    "npm test": "test: npm test",
    "CI=1 npm run test:unit -- --watch=false": "test: npm run test:unit -- --watch=false",
    "poetry run pytest tests/a.py": "test: poetry run pytest tests/a.py",
    ".venv/bin/pytest -q": "test: .venv/bin/pytest -q",
    "python3 -m pytest": "test: python3 -m pytest",
    "cargo test --workspace": "test: cargo test --workspace",
    "go vet ./...": "lint: go vet ./...",
    "make check": "lint: make check",
    make: "build: make",
    "npx tsc --noEmit": "build: npx tsc --noEmit",
    "./gradlew build": "build: ./gradlew build",
  };
  for (const [script, check] of Object.entries(told)) expect(kinds(script), script).toEqual([check]);
  expect(kinds("cd web && npm run lint && npm test | tail -5")).toEqual([
    "lint: npm run lint",
    "test: npm test",
  ]);
});

test("a command that only names a test is no check", () => {
  for (const script of [
    "cat a.test.ts",
    "git checkout test",
    "rm -rf build",
    "grep -c test a.ts",
    "ls | sort test",
  ])
    expect(kinds(script), script).toEqual([]);
});

test("a test or a linter that passed says that the build of the same place is over, too", () => {
  const answers = (passed: string, failed: string) =>
    answersFor(checksIn(passed)[0]!, checksIn(failed)[0]!, "");
  const failed = "go build -tags=e2e ./cli/e2e/...";
  expect(answers("go test -tags=e2e -c ./cli/e2e/... -o /dev/null", failed)).toBe(true);
  expect(answers("go vet -tags=e2e ./cli/e2e/...", failed)).toBe(true);
  expect(answers("go test -c ./cli/e2e/...", failed)).toBe(false);
  expect(answers("go test -tags=e2e ./cli/...", failed)).toBe(false);
  expect(answers("cargo test --manifest-path a/Cargo.toml", "cargo build --manifest-path a/Cargo.toml")).toBe(
    true,
  );
  expect(answers("go build ./a", "go test ./a")).toBe(false);
});

test("what only starts other programs says nothing of a build that failed", () => {
  const answers = (passed: string, failed: string) =>
    answersFor(checksIn(passed)[0]!, checksIn(failed)[0]!, "");
  expect(answers("npm test", "npm run build")).toBe(false);
  expect(answers("npx eslint src/a.ts", "npx tsc --noEmit src/a.ts")).toBe(false);
  expect(answers("npm test -w packages/a", "npm run build -w packages/a")).toBe(false);
  expect(answers("pnpm --filter ./packages/a lint", "pnpm --filter ./packages/a build")).toBe(false);
});
