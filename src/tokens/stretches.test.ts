import fc from "fast-check";
import { expect, test } from "vitest";
import { countTokens } from "./bpe.ts";
import { stretchesOf } from "./stretches.ts";

test("cuts after a line end, unless white space, a slash or what is not ASCII follows", () => {
  expect(stretchesOf("a;\n  b\nc\n\n//d\n/e\né\nf\n")).toEqual(["a;\n  b\n", "c\n\n//d\n/e\né\n", "f\n"]);
  expect(stretchesOf("")).toEqual([]);
  expect(stretchesOf("\n")).toEqual(["\n"]);
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
