import { expect, test } from "vitest";
import { hasAllRecordings, sayThatDataIsAbsent } from "../../test/recordings.ts";
import { failureMarks } from "./failure-marks.ts";
import { KIND_NAMES, makeCase } from "./generate.ts";
import { LEAST_TOKENS, missing, missingMarks, tokensOf } from "./measure.ts";
import { recordedFailures } from "./recorded.ts";

test.each(KIND_NAMES)(
  "of a long output of the kind %s the one thing that matters is in view at 15 %%",
  (kind) => {
    for (let seed = 0; seed < 10; seed++) {
      const made = makeCase(kind, seed);
      expect(tokensOf(made.text)).toBeGreaterThanOrEqual(LEAST_TOKENS);
      const { lost, shown } = missing(made);
      expect(lost, `${kind} ${seed}: ${made.name}`).toEqual([]);
      expect(shown.tokens).toBeLessThanOrEqual(shown.maxTokens);
    }
  },
);

if (!hasAllRecordings) sayThatDataIsAbsent("marked failures of recorded outputs");

test.runIf(hasAllRecordings)("the failures that recorded outputs mark are in view at 15 %", async () => {
  let outputs = 0;
  for await (const { output, marks } of recordedFailures(12)) {
    outputs++;
    expect(missingMarks(output, marks).lost, output.toolArguments).toEqual([]);
  }
  expect(outputs).toBe(12);
});

test("the same case comes from the same seed, and failures are found in it without the engine's help", () => {
  expect(makeCase("tests", 7)).toEqual(makeCase("tests", 7));
  expect(failureMarks(makeCase("tests", 7).text).length).toBeGreaterThan(0);
  expect(failureMarks("all is well\n12 passed")).toEqual([]);
});
