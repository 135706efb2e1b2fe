import { expect, test } from "vitest";
import { isNoise } from "./noise-lines.ts";

test("what programs print around what they were asked for is noise, what they say is not", () => {
  const noise = [
    "==========",
    "   12→",
    "/usr/lib/python3/site-packages/a.py:3: UserWarning: use b",
    "  warnings.warn(",
    "  % Total    % Received % Xferd  Average Speed",
    "100  1234    0  1234    0     0   5000      0 --:--:-- --:--:-- --:--:--  5000",
    "│ permissions: YOLO mode",
    "diff --git a/x.ts b/x.ts",
    "index 1a2b3c4..5d6e7f8 100644",
    "+++ b/x.ts",
    "- [x] I have read the guide",
    "### Prerequisites",
    "./node_modules/left-pad/index.js",
  ];
  expect(noise.filter((line) => !isNoise(line))).toEqual([]);
  const said = [
    "42",
    "   12→const a = 1",
    "+++ more",
    "- [ ] Ship the fix",
    "# Notes",
    "## main",
    "warnings: 3",
    "--- a note",
    "| a | b |",
  ];
  expect(said.filter(isNoise)).toEqual([]);
});

test("a line without an end is judged in no time", () => {
  for (const piece of [" ", "a", "/", "a/", "=", "│"]) {
    const line = piece.repeat(1_000_000 / piece.length);
    const started = performance.now();
    isNoise(line);
    expect(performance.now() - started).toBeLessThan(1_000);
  }
});
