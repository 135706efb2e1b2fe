import { expect, test } from "vitest";
import { assistant, call, conversation, result, user } from "../../testing/builders.ts";
import { readTurns } from "../read-turns.ts";
import { foundNothing, hidesEnd } from "./hidden-end.ts";

const FINDINGS = "cli/a.go:119:18: string has 3 occurrences (goconst)\n\tif x {\n1 issues:\n* goconst: 1";

test("a check that is piped on passed only if its output says so", () => {
  expect(hidesEnd("golangci-lint run ./... 2>&1 | head -30", FINDINGS)).toBe(true);
  expect(hidesEnd("golangci-lint run ./... 2>&1 | head -30", "0 issues.")).toBe(false);
  expect(hidesEnd("npx tsc --noEmit | tail -3", "src/a.ts(3,7): error TS2304: Cannot find name")).toBe(true);
  expect(hidesEnd("npm test 2>&1 | tail -5", "Tests  12 passed (12)")).toBe(false);
  expect(hidesEnd("npm test 2>&1 | tail -5", "Tests  2 failed | 12 passed (14)")).toBe(true);
  expect(hidesEnd("npm test 2>&1 | tee log", "> app@1.0.0 test")).toBe(true);
  expect(hidesEnd("npm run lint || true", "src/a.ts:3:7: no-var")).toBe(true);
});

test("a build that prints nothing passed, unless its words were filtered", () => {
  expect(hidesEnd("go build ./... 2>&1 | head -20", "")).toBe(false);
  expect(hidesEnd("go build ./... 2>&1 | head -20", "(Bash completed with no output)")).toBe(false);
  expect(hidesEnd("go build ./... 2>&1 | grep main.go", "")).toBe(true);
  expect(hidesEnd("npm test | head -20", "")).toBe(true);
});

test("a check that another command follows, whatever its end, passed only if its output says so", () => {
  for (const script of [
    "npm test; ls",
    "npm test\nls",
    "npm test && echo yes || echo no",
    "npm test; npm run b",
  ]) {
    expect(hidesEnd(script, "a.ts"), script).toBe(true);
    expect(hidesEnd(script, "Tests  12 passed (12)"), script).toBe(false);
  }
  expect(hidesEnd("npx tsc --noEmit; npx eslint src", "")).toBe(false);
  expect(hidesEnd("npx tsc --noEmit > log; cat other", "")).toBe(true);
  for (const script of [
    "cd web; npm test",
    "npm test && ls",
    "set -e\nnpm test\nls",
    "if [ -f a ]; then npm test; fi",
  ])
    expect(hidesEnd(script, "a.ts"), script).toBe(false);
});

test("a check whose exit code is printed ended with that", () => {
  expect(hidesEnd('npx tsc --noEmit; echo "EXIT: $?"', "EXIT: 0")).toBe(false);
  expect(hidesEnd('npx tsc --noEmit; echo "EXIT: $?"', "EXIT: 2")).toBe(true);
  expect(hidesEnd("npm test; echo $?", "a\n0")).toBe(false);
  expect(hidesEnd("npm test | tail -3; echo $?", "a\n0")).toBe(true);
  expect(hidesEnd("npm test | tail -3; echo $" + "{PIPESTATUS[0]}", "a\n0")).toBe(false);
});

test("of some of its output only a total says that a check passed", () => {
  const packages = "ok  \texample.com/a\t0.1s\nok  \texample.com/b\t0.2s";
  expect(hidesEnd("go test ./... | tail -2", packages)).toBe(false);
  for (const filter of ["head -2", "grep ^ok", "tail -9 | head -2", "grep ok | head"])
    expect(hidesEnd(`go test ./... | ${filter}`, packages), filter).toBe(true);
  const asked = "go test ./... | grep -E '^(ok|FAIL)'";
  expect(hidesEnd(asked, packages)).toBe(false);
  expect(hidesEnd(`${asked} | head -2`, packages)).toBe(true);
  expect(hidesEnd("go test ./... | grep -v FAIL", packages)).toBe(true);
  expect(hidesEnd("npm test 2>&1 | head -3", "PASS src/a.test.ts\nPASS src/b.test.ts")).toBe(true);
  expect(hidesEnd("npm test 2>&1 | grep Tests", "Tests  12 passed (12)")).toBe(false);
  expect(hidesEnd("npm run lint | head -5", "0 problems")).toBe(false);
  expect(hidesEnd("npm test | tail -1", "0 failed 12 passed")).toBe(false);
});

test("beside what passed, what says that something failed is seen", () => {
  for (const output of [
    "test result: FAILED. 3 passed; 0 errors",
    "Tests run: 5, Failures: 1\n[INFO] BUILD FAILURE\nFinished at: 12:00",
    "ok 1 - a\nnot ok 2 - b\n# pass 1\n# fail 1",
  ])
    expect(hidesEnd("npm test | tail -9", output), output).toBe(true);
});

test("of several checks whose end is hidden each needs its own sign", () => {
  expect(hidesEnd("npm run lint | tail -3; npm test | tail -3", "12 passed")).toBe(true);
  expect(hidesEnd("npm run lint | tail -3; npm test | tail -3", "0 problems\n12 passed")).toBe(false);
  expect(hidesEnd("npm test -w a | tail -3; npm test -w b | tail -3", "12 passed")).toBe(true);
  expect(hidesEnd("npm run lint && npm run e2e | tail -3", "0 problems")).toBe(true);
  const afterOther = "go vet ./... && golangci-lint run | tail -3";
  expect(hidesEnd(afterOther, "vet\n0 issues.\n")).toBe(false);
  expect(hidesEnd(afterOther, "0 issues.\ncannot load the configuration")).toBe(true);
});

test("a check whose own exit code is known hides nothing", () => {
  for (const script of ["npm run lint", "set -o pipefail; npm run lint | head", "npm run lint || exit 1"])
    expect(hidesEnd(script, FINDINGS), script).toBe(false);
  expect(hidesEnd("ls | head -3", FINDINGS)).toBe(false);
});

test("of a check whose end is hidden the first finding is the line that tells", () => {
  const command = "golangci-lint run ./... 2>&1 | head -30";
  const { messages } = conversation(user("Go."), assistant("", call("Bash", { command })), result(FINDINGS));
  const deed = readTurns(messages)[0]!.steps[0]!.calls[0]!.deed!;
  expect(deed.hidden).toBe(true);
  expect(deed.line).toBe("cli/a.go:119:18: string has 3 occurrences (goconst)");
});

test("a search that ends with 1 and says nothing found nothing", () => {
  expect(foundNothing("git branch -vv | rg gone", 1, "Process exited with code 1")).toBe(true);
  expect(foundNothing("cd src && grep -rn x .", 1, "Exit code 1")).toBe(true);
  expect(foundNothing("grep -rn x .", 2, "grep: y: No such file or directory")).toBe(false);
  expect(foundNothing("grep -rn x .", 1, "a.ts:1: x")).toBe(false);
  expect(foundNothing("test -f a && grep x a", 1, "")).toBe(false);
  expect(foundNothing("grep x a; npm test", 1, "")).toBe(false);
});

test("what a search found nothing for is told as that, and opens no error", () => {
  const command = "git branch -vv | rg gone";
  const { messages } = conversation(
    user("Go."),
    assistant("", call("Bash", { command })),
    result("Exit code 1", { isError: true }),
  );
  const { failed, line, error } = readTurns(messages)[0]!.steps[0]!.calls[0]!.deed!;
  expect([failed, line, error]).toEqual([false, "no match", undefined]);
});

test("a script of which the last search found nothing does not tell how its check ended", () => {
  for (const command of [
    "npm test > /tmp/log 2>&1; grep -n ERR /tmp/log",
    "set -o pipefail; npm test 2>&1 | grep passed",
  ]) {
    const { messages } = conversation(
      user("Go."),
      assistant("", call("Bash", { command })),
      result("Exit code 1", { isError: true }),
    );
    expect(readTurns(messages)[0]!.steps[0]!.calls[0]!.deed, command).toMatchObject({
      hidden: true,
      failed: false,
    });
  }
});

test("a megabyte of output is read in no time", () => {
  for (const piece of [" ", "( ", "\n ", "0 ", "exit ", "1", "a.b:1:", "FAIL", "not ok"]) {
    const output = `${piece.repeat(1_000_000 / piece.length)}x`;
    const started = performance.now();
    hidesEnd("npm run lint | head", output);
    hidesEnd('npm test; echo "exit $?"', output);
    foundNothing("ls | grep x", 1, output);
    expect(performance.now() - started, piece).toBeLessThan(1_000);
  }
});
