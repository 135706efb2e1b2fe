import { expect, test } from "vitest";
import { tellingLine } from "./telling-line.ts";

const line = (text: string) =>
  tellingLine({ failed: false, declined: false, running: false, exitCode: undefined, lines: [], text });

const words = "some words of a program\n".repeat(40);

test.each([
  "Tests: 12 passed, 12 total",
  "3 tests passed",
  "2 files changed, 3 insertions(+)",
  "[fix/x 1a2b3c4] fix: the loop",
  "ok github.com/a/b 0.01s",
  "Build success in 3 s",
  "Done in 1.2s.",
  "https://github.com/a/b/pull/12",
])("a line that tells what a success came to is found wherever it is: %s", (result) => {
  expect(line(`${result}\n${words}`)).toBe(result);
  expect(line(`${words}${result}\n${words}`)).toBe(result);
  expect(line(words + result)).toBe(result);
});

test("what only looks like a result is none", () => {
  for (const text of ["v12 passed along", "okay then", "[not a commit]", "attests 12", "/pull/ the rope"])
    expect(line(`${words}${text}\n${words}`), text).toBe("");
});

test("of a short output the only line is told, of several none that tells nothing", () => {
  expect(line("\n  wrote a.txt  \n\n")).toBe("wrote a.txt");
  expect(line("wrote a.txt\nwrote b.txt")).toBe("");
  expect(line("")).toBe("");
});

test("what failed is what the program says of it, and not the last thing that it found", () => {
  const failed = (text: string) =>
    tellingLine({ failed: true, declined: false, running: false, exitCode: 2, lines: ["Exit code 2"], text });
  expect(
    failed(
      "Exit code 2\nsrc/a.ts:1: x\nsrc/b.ts:2: x\nrg: apps: No such file or directory (os error 2)\nsrc/c.ts:3: x",
    ),
  ).toBe("rg: apps: No such file or directory (os error 2)");
});
