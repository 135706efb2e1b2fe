import { expect, test } from "vitest";
import { findFailures } from "./failures.ts";
import { templatesOf } from "./templates.ts";
import { testNameIn } from "./test-name.ts";

function failuresIn(text: string) {
  const lines = text.split("\n");
  const found = findFailures(lines, "output", templatesOf(lines));
  const textOf = (indices: readonly number[]): readonly string[] =>
    indices.map((index) => lines[index]!.trim());
  return {
    told: textOf(found.told),
    retold: textOf(found.retold),
    evidence: textOf(found.evidence),
    ends: textOf(found.ends),
  };
}

test("a test that is named in three places is told once, where it says most, with its assertion and place", () => {
  const { told, retold, evidence, ends } = failuresIn(`tests/a.py::test_sum FAILED [ 50%]
____ test_sum ____
    def test_sum():
>       assert total == 3
E       assert 4 == 3
tests/a.py:12: AssertionError
FAILED tests/a.py::test_sum - assert 4 == 3
==== 1 failed, 8 passed in 0.4s ====`);
  expect(told).toContain("FAILED tests/a.py::test_sum - assert 4 == 3");
  expect(retold).toEqual(["tests/a.py::test_sum FAILED [ 50%]", "____ test_sum ____"]);
  expect([...told, ...evidence]).toEqual(
    expect.arrayContaining(["E       assert 4 == 3", "tests/a.py:12: AssertionError"]),
  );
  expect(ends).toEqual(["==== 1 failed, 8 passed in 0.4s ===="]);
});

test("what a go test says before it fails is evidence, what it logs is less so", () => {
  const { evidence } = failuresIn(`--- FAIL: TestA (0.1s)
    a_test.go:3: starting
    a_test.go:9: hook output: INFO begun
    a_test.go:12: Sum() = 4, want 3
FAIL`);
  expect(evidence).toEqual(["a_test.go:12: Sum() = 4, want 3", "a_test.go:3: starting"]);
});

test.each([
  "src/a.ts(3,5): error TS2345: Argument of type 'string' is not assignable.",
  "src/a.c:3:5: error: expected ';' before '}' token",
  "error[E0308]: mismatched types",
  "./main.go:12:5: undefined: store",
  "[ERROR] /app/A.java:[3,5] cannot find symbol",
  "e: file:///app/A.kt:3:5 Unresolved reference: total",
  "Module not found: Error: Can't resolve './a'",
  "a.cs(3,5): error CS1002: ; expected [/app/a.csproj]",
  "make: *** [Makefile:12: all] Error 2",
  "Caused by: java.net.ConnectException: Connection refused",
  "deploy.sh: line 3: kubectl: command not found",
  "✖ sums refunds (1.2ms)",
  "not ok 3 - sums refunds",
  "test sums::refunds ... FAILED",
  "  Failed Acme.Tests.Sums [14 ms]",
  "  1) Order sums refunds",
])("%s is told as a failure", (line) => {
  const lines = `Tests: 12\n${"a plain line of it\n".repeat(5)}${line}\n1 failing`;
  expect(failuresIn(lines).told).toContain(line.trim());
});

test("matches of a search and lists of steps are no failures", () => {
  const matches = Array.from({ length: 20 }, (_, index) => `src/a${index}.ts:12: const x = ${index};`);
  expect(failuresIn(matches.join("\n")).told).toEqual([]);
  expect(failuresIn("1) Read the file\n2) Change it\n● Then test").told).toEqual([]);
});

test("the name of a test is the same in all spellings of its runner", () => {
  const spellings = [
    "tests/a.py::T::test_b FAILED [ 50%]",
    "____ T.test_b ____",
    "FAILED tests/a.py::T::test_b - assert 1 == 2",
    "FAIL: test_b (tests.a.T.test_b)",
    "test_b (tests.a.T.test_b) ... FAIL",
    "--- FAIL: test_b (0.01s)",
  ];
  expect(new Set(spellings.map(testNameIn))).toEqual(new Set(["test_b"]));
  expect(testNameIn("  ● totals › sums refunds")).toBe(testNameIn("    ✕ sums refunds (6 ms)"));
});
