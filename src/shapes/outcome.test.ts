import { expect, test } from "vitest";
import type { ToolOutput } from "../conversation/tool-output.ts";
import { outcomeOf } from "./outcome.ts";

function output(text: string, toolName = "Bash", isError = false): ToolOutput {
  return { text, toolName, toolArguments: '{"command":"make"}', isError };
}

test("[R40] a non-zero exit is a failure, and its line is kept, wherever it is told", () => {
  for (const line of [
    "Exit code 2",
    "Process exited with code 2",
    "[The command completed with exit code 2.]",
    '"exit_code": 2',
  ]) {
    const { failed, exitCode, lines } = outcomeOf(output(`${line}\nsome words\nmore words`));
    expect([failed, exitCode]).toEqual([true, 2]);
    expect(lines).toContain(line);
  }
});

test("an exit code of zero is no failure, whatever words the output uses", () => {
  const { failed, exitCode } = outcomeOf(output("Process exited with code 0\nTypeError: shown by a demo"));
  expect([failed, exitCode]).toEqual([false, 0]);
});

test("[R40] without an exit code a diagnosis is a failure, a mention is not", () => {
  expect(outcomeOf(output("compiling\nerror: unknown type\ndone")).failed).toBe(true);
  expect(outcomeOf(output("wrote the error page")).failed).toBe(false);
  expect(outcomeOf(output("0 errors, 0 failed")).lines).toEqual([]);
  expect(outcomeOf(output("anything", "Bash", true)).failed).toBe(true);
});

test("[R40] a failure is told by its sign as by its words, and the lines of a success are none", () => {
  const { failed, lines } = outcomeOf(output("✗ adds two numbers\nerror: 1 test\nall other tests ran"));
  expect([failed, lines]).toEqual([true, ["✗ adds two numbers", "error: 1 test"]]);
  expect(outcomeOf(output("Exit code 0\nerror: shown by a demo")).lines).toEqual([]);
});

test("a file that speaks of errors is no failure of the read", () => {
  const { failed, lines } = outcomeOf({
    ...output('if (error) throw new Error("failed")', "Read"),
    toolArguments: "{}",
  });
  expect([failed, lines]).toEqual([false, []]);
});

test("[R40] names of failing tests are all among the lines, other lines of one shape only the first few", () => {
  const names = Array.from({ length: 40 }, (_, index) => `--- FAIL: TestCase${index} (0.1s)`);
  const text = [
    ...names,
    ..."ERROR request 17 broke\n".repeat(100).split("\n"),
    "FAILED tests/a.py::test_b - assert 1 == 2",
  ];
  const { lines } = outcomeOf(output(text.join("\n")));
  for (const name of names) expect(lines).toContain(name);
  expect(lines).toContain("FAILED tests/a.py::test_b - assert 1 == 2");
  expect(lines.length).toBeLessThan(70);
});

test("the exit told in the header of a long output is kept beside its error lines", () => {
  const text = `Chunk ID: a\nProcess exited with code 7\nOutput:\n${"words\n".repeat(2_000)}fatal: gone`;
  expect(outcomeOf(output(text, "exec_command")).lines).toEqual([
    "Process exited with code 7",
    "fatal: gone",
  ]);
});

test("an outcome in few characters: the failure with its place, the summary, the comparison", () => {
  const passed = Array.from({ length: 200 }, (_, index) => `    ✓ keeps part ${index} (3 ms)`).join("\n");
  const text = `${passed}
FAIL src/a.test.ts
  ● totals › sums refunds

    Expected: 3
    Received: 4

      at Object.<anonymous> (src/a.test.ts:42:17)

Tests:       1 failed, 200 passed, 201 total`;
  const lines = outcomeOf(text, { command: "npx jest", maxChars: 300 });
  expect(lines[0]).toBe("● totals › sums refunds");
  expect(lines).toEqual(
    expect.arrayContaining([
      "at Object.<anonymous> (src/a.test.ts:42:17)",
      "Tests:       1 failed, 200 passed, 201 total",
      "Expected: 3",
    ]),
  );
  expect(lines.length).toBeLessThanOrEqual(5);
  expect(lines.join("\n").length).toBeLessThanOrEqual(300);
  expect(outcomeOf(text, { maxTokens: 10 })).toEqual(["● totals › sums refunds"]);
});

test("without a failure the outcome is the summary, what deviates, and the last line", () => {
  const pods = Array.from({ length: 60 }, (_, index) => `pod-${index} 1/1 Running 0 ${index + 1}d`);
  pods[31] = "pod-31 0/1 CrashLoopBackOff 17 2d";
  expect(outcomeOf(pods.join("\n"), { command: "kubectl get pods" })[0]).toBe(pods[31]);
  expect(outcomeOf("collected 3 items\n...\n3 passed in 0.1s", { command: "pytest" })[0]).toBe(
    "3 passed in 0.1s",
  );
  expect(outcomeOf("wrote a.txt")).toEqual(["wrote a.txt"]);
  expect(outcomeOf("")).toEqual([]);
});

test("the root of a chain of causes is told before what it caused, a record before the list it stands in", () => {
  const trace = `Exception in thread "main" BeanException: cannot start\n\tat a.B.c(B.java:1)\nCaused by: java.net.ConnectException: db-3 refused\n\tat a.D.e(D.java:7)`;
  expect(outcomeOf(trace)[0]).toBe("Caused by: java.net.ConnectException: db-3 refused");
  const items = Array.from({ length: 40 }, (_, id) => ({ id, state: id === 17 ? "lost" : "kept" }));
  expect(outcomeOf(JSON.stringify({ items }))[0]).toBe('{"id":17,"state":"lost"}');
});
