import fc from "fast-check";
import { expect, test } from "vitest";
import { countTokens } from "./bpe.ts";
import { stretchesOf } from "./stretches.ts";

test("cuts only before lines that open with ASCII other than white space or a slash", () => {
  const lines = Array.from({ length: 400 }, (_, at) => `${["", "  ", "/", "é", "\t"][at % 5]}line ${at}\n`);
  const stretches = stretchesOf(lines.join(""));
  expect(stretches.join("")).toBe(lines.join(""));
  expect(stretches.length).toBeGreaterThan(10);
  for (const stretch of stretches) expect(stretch).toMatch(/^line/);
});

test("a line that is put in changes no stretch but the one that it stands in", () => {
  const lines = Array.from({ length: 400 }, (_, at) => `line ${at} of many\n`);
  const before = new Set(stretchesOf(lines.join("")));
  const after = stretchesOf(lines.toSpliced(200, 0, "a line that was not there\n").join(""));
  expect(after.filter((stretch) => !before.has(stretch)).length).toBeLessThanOrEqual(2);
});

test.each(["o200k_base", "cl100k_base"] as const)(
  "counts of stretches add up to the text's, in %s",
  (encoding) => {
    const marks = [
      "\n",
      "\n",
      "\r",
      " ",
      "\t",
      "/",
      ";",
      "'",
      "s",
      "A",
      "b",
      "12345",
      "é",
      "一",
      "\u3000",
      "\u0301",
      "😀",
      "-",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...marks), { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        const stretches = stretchesOf(text);
        expect(stretches.join("")).toBe(text);
        const sum = stretches.reduce((tokens, stretch) => tokens + countTokens(stretch, encoding), 0);
        expect(sum).toBe(countTokens(text, encoding));
      }),
      { numRuns: 5_000 },
    );
  },
);
