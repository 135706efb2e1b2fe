/** The hint that a summarizer could be set: once in a conversation, to whoever has not said that there is none. */
import { expect, test } from "vitest";
import { createCompactor } from "../src/compactor.ts";
import { printReport } from "../src/report/print-report.ts";
import type { CompactorOptions } from "../src/run/options.ts";
import { type CompactionState, initialState } from "../src/state/compaction-state.ts";
import { scriptedSummarizer } from "../src/testing/scripted-summarizer.ts";
import { knownSession } from "./known-session.ts";

const compact = (options: CompactorOptions, state: CompactionState = initialState) =>
  createCompactor({ target: "50%", clock: () => 0, ...options }).compact(knownSession, {
    target: "20%",
    state,
  });

test("without a summarizer the first hand-off of a conversation says what one would bring, and no other does", async () => {
  const first = await compact({});
  expect(first.report.hints).toEqual([expect.stringContaining("No summarizer is set")]);
  expect(printReport(first.report).split("\n").at(-1)).toContain("--summarizer");
  const again = await compact({}, first.state);
  expect([again.report.compacted, again.report.hints]).toEqual([true, undefined]);
});

test.each([
  ["who said that there is none", { summarizer: "none" as const }],
  ["who has one", { summarizer: scriptedSummarizer(["a"]) }],
  ["a preset whose hand-off is a text of its source's", { preset: "synthorg" as const }],
])("nothing is said to %s", async (_, options) => {
  const { report } = await compact(options);
  expect([report.compacted, report.hints]).toEqual([true, undefined]);
});
