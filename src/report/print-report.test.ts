import { expect, test } from "vitest";
import { OptionsError } from "../errors/options-error.ts";
import { TargetUnreachableError } from "../errors/target-unreachable-error.ts";
import { printReport, reportToJson } from "./print-report.ts";
import type { Report } from "./report.ts";

const sampleReport: Report = {
  preset: "factor3",
  format: "openai-chat",
  encoding: "o200k_base",
  exact: true,
  reason: "4,200 of 8,000 tokens, 52.5%: the threshold of 4,000 is reached (hand-off).",
  compacted: true,
  tokensBefore: 4_000,
  tokensAfter: 2_300,
  targetTokens: 2_600,
  messagesBefore: 5,
  messagesAfter: 4,
  promptTokensBefore: 4_200,
  promptTokensAfter: 2_500,
  window: 8_000,
  stages: [
    { stage: "shape-tool-results", tokensSaved: 500, ratioSaved: 0.125, messages: 1 },
    { stage: "hand-off", tokensSaved: 1_200, ratioSaved: 0.3, messages: 2 },
  ],
  messages: [
    { position: 0, role: "system", tokensBefore: 200, tokensAfter: 200, fate: "kept" },
    {
      position: 1,
      role: "user",
      tokensBefore: 600,
      tokensAfter: 0,
      stage: "hand-off",
      fate: "removed",
      reason: "summarised in the hand-off",
    },
    {
      position: 2,
      role: "assistant",
      tokensBefore: 1_000,
      tokensAfter: 0,
      stage: "hand-off",
      fate: "removed",
      reason: "summarised in the hand-off",
    },
    {
      position: 3,
      role: "tool",
      tokensBefore: 900,
      tokensAfter: 400,
      stage: "shape-tool-results",
      fate: "changed",
      reason: "a long listing\u001b[31m was cut",
    },
    { position: 4, role: "user", tokensBefore: 1_500, tokensAfter: 1_500, fate: "kept" },
  ],
  cost: { before: 870, after: 2_500 },
  archive: "none",
};

test("what is in view stands beside the target", () => {
  expect(printReport({ ...sampleReport, inViewTokens: 1_600 })).toContain(
    "target 2,600, 1,600 in view, o200k_base",
  );
});

test("[F1] shows before and after, each stage's saving, and what was cut and why", () => {
  expect(printReport(sampleReport)).toBe(`\
Compacted 4,000 → 2,300 tokens: 42.5% saved
4,200 of 8,000 tokens, 52.5%: the threshold of 4,000 is reached (hand-off).

factor3                    before          after
tokens                      4,000          2,300  target 2,600, o200k_base
messages                        5              4  openai-chat
whole request       4,200 (52.5%)  2,500 (31.3%)  window 8,000
next request costs            870          2,500  in fresh input tokens

stage               messages  saved  of all
shape-tool-results         1    500   12.5%
hand-off                   2  1,200     30%

5 messages: 2 kept, 1 changed, 2 removed; no archive: the originals are not kept
message  role       before  after  stage               why
      2  assistant   1,000      -  hand-off            summarised in the hand-off
      1  user          600      -  hand-off            summarised in the hand-off
      3  tool          900    400  shape-tool-results  a long listing [31m was cut`);
});

test("nothing done is said with its reason", () => {
  const { window: _, targetTokens: _target, ...rest } = sampleReport;
  const text = printReport({ ...rest, compacted: false, reason: "Not due.", stages: [], exact: false });
  expect(text).toMatch(/^Nothing was compacted\.\nNot due\.\n\n/);
  expect(text).toContain("window unknown");
  expect(text).toContain("estimated with o200k_base");
  expect(text).not.toContain("stage");
});

test("a failure is said first, with its code", () => {
  const error = new OptionsError("window", "The window is wrong.");
  const text = printReport({ ...sampleReport, compacted: false, error });
  expect(text).toMatch(/^Failed, nothing was changed: The window is wrong\. \[INVALID_OPTIONS\]\n/);
});

test("lines keep to the width, and colours come only when asked for", () => {
  const narrow = printReport(sampleReport, { width: 40 });
  expect(
    Math.max(
      ...narrow
        .split("\n")
        .slice(1)
        .map((line) => line.length),
    ),
  ).toBeLessThanOrEqual(40);
  expect(printReport(sampleReport)).not.toContain("\u001b");
  expect(printReport(sampleReport, { color: true })).toContain("\u001b[1mCompacted");
  const error = new OptionsError("window", "wrong");
  expect(printReport({ ...sampleReport, error }, { color: true })).toContain("\u001b[31mFailed");
});

test("names the archive, and a report of nothing prints too", () => {
  expect(printReport({ ...sampleReport, archive: "sqlite:a.db" })).toContain("originals in sqlite:a.db");
  const empty = { ...sampleReport, tokensBefore: 0, tokensAfter: 0, messages: [], stages: [] };
  expect(printReport(empty)).toContain("0 → 0 tokens: 0% saved");
});

test("as JSON the report is plain and whole, and the error has its code and data but no stack", () => {
  expect(reportToJson(sampleReport)).toEqual(sampleReport);
  const error = new TargetUnreachableError({
    targetTokens: 10,
    floorTokens: 50,
    parts: [{ name: "task", tokens: 50 }],
  });
  const json = reportToJson({ ...sampleReport, error });
  expect(json.error).toMatchObject({ code: "TARGET_UNREACHABLE", floorTokens: 50, message: error.message });
  expect(JSON.stringify(json)).not.toContain("stack");
});

test("says how many of the must-keeps are in the hand-off, and why not all", () => {
  expect(printReport(sampleReport)).not.toContain("must-keeps");
  expect(printReport({ ...sampleReport, mustKeeps: { total: 9, told: 9 } })).toContain(
    "\n\n9 of 9 must-keeps are in the hand-off\n\n",
  );
  expect(printReport({ ...sampleReport, mustKeeps: { total: 1_200, told: 9 } })).toContain(
    "9 of 1,200 must-keeps are in the hand-off; the hand-off had no room for the others",
  );
});
