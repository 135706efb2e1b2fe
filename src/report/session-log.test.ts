import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { OptionsError } from "../errors/options-error.ts";
import type { Report } from "./report.ts";
import { sessionLogEntry, summarizedLine, tokenUsageBlock } from "./session-log.ts";
import { appendSessionLog } from "./session-log-file.ts";

const removed = {
  role: "user",
  tokensBefore: 800,
  tokensAfter: 0,
  stage: "hand-off",
  fate: "removed",
} as const;
const sampleReport: Report = {
  preset: "factor3",
  format: "openai-chat",
  encoding: "o200k_base",
  exact: true,
  reason: "The threshold is reached.",
  compacted: true,
  tokensBefore: 4_000,
  tokensAfter: 2_300,
  messagesBefore: 5,
  messagesAfter: 4,
  promptTokensBefore: 4_200,
  promptTokensAfter: 2_500,
  window: 10_000,
  base: 8_000,
  stages: [
    { stage: "shape-tool-results", tokensSaved: 500, ratioSaved: 0.125, messages: 1 },
    { stage: "hand-off", tokensSaved: 1_200, ratioSaved: 0.3, messages: 2 },
  ],
  messages: [
    { ...removed, position: 1 },
    { ...removed, position: 2 },
    { position: 4, role: "user", tokensBefore: 1_500, tokensAfter: 1_500, fate: "kept" },
  ],
  cost: { before: 870, after: 2_500 },
  archive: "none",
};

const at = Date.UTC(2025, 10, 9, 10, 35, 22, 123);

test("[F28] writes the source's line word for word", () => {
  expect(summarizedLine(8, 1_200)).toBe("Summarized 8 messages → 1 summary (saved ~1,200 tokens)");
});

test("[F39] writes the source's monitoring block word for word", () => {
  expect(tokenUsageBlock({ at, before: 4_200, after: 2_800, budget: 8_000 })).toBe(
    [
      "## Token Usage @ 2025-11-09T10:35:22",
      "- Pre-summarization: 4,200 / 8,000 (52.5%)",
      "- Post-summarization: 2,800 / 8,000 (35%)",
      "- Savings: 1,400 tokens (33% reduction)",
    ].join("\n"),
  );
});

test("takes a Date too, and no budget, and no time at all", () => {
  expect(tokenUsageBlock({ at: new Date(at), before: 0, after: 0 })).toContain(
    "- Pre-summarization: 0 tokens\n",
  );
  expect(tokenUsageBlock({ at: Number.NaN, before: 1_000, after: 900 })).toContain("@ an unknown time");
});

test("[F28 F29] the entry of a hand-off gives the messages it took in and what it saved", () => {
  expect(sessionLogEntry(sampleReport, at)).toBe(
    [
      "Shortened 1 message by shape-tool-results (saved ~500 tokens)",
      "Summarized 2 messages → 1 summary (saved ~1,200 tokens)",
      "## Token Usage @ 2025-11-09T10:35:22",
      "- Pre-summarization: 4,200 / 8,000 (52.5%)",
      "- Post-summarization: 2,500 / 8,000 (31.3%)",
      "- Savings: 1,700 tokens (40% reduction)",
      "",
      "",
    ].join("\n"),
  );
});

test("a trim has its own line, and an unknown window leaves the shares out", () => {
  const { window: _, base: _base, ...open } = sampleReport;
  const report: Report = {
    ...open,
    stages: [{ stage: "trim", tokensSaved: 1_700, ratioSaved: 0.4, messages: 3 }],
  };
  expect(sessionLogEntry(report, at)).toMatch(
    /^Trimmed 3 messages \(saved ~1,700 tokens\)\n.*\n- Pre.*: 4,200 tokens\n/,
  );
});

test("nothing done leaves no trace, and a failure one line", () => {
  expect(sessionLogEntry({ ...sampleReport, compacted: false }, at)).toBe("");
  const error = new OptionsError("window", "The window\nis wrong.");
  expect(sessionLogEntry({ ...sampleReport, compacted: false, error }, at)).toBe(
    "Compaction failed @ 2025-11-09T10:35:22: The window is wrong. [INVALID_OPTIONS]\n\n",
  );
});

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "session-log-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("[F38] every entry is appended and nothing that stands in the log is touched", () => {
  const path = join(folder, "SESSION_LOG.md");
  writeFileSync(path, "# Task\nFix it.\n");
  appendSessionLog(path, "one");
  appendSessionLog(path, "");
  appendSessionLog(path, "two → 2\n\n");
  expect(readFileSync(path, "utf8")).toBe("# Task\nFix it.\none\ntwo → 2\n\n");
});

test("a log that cannot be written says why and what to do", () => {
  const missing = join(folder, "no", "LOG.md");
  expect(() => appendSessionLog(missing, "x")).toThrow(/its folder does not exist; create it/);
  expect(() => appendSessionLog(folder, "x")).toThrow(/it is a folder/);
  expect(() => appendSessionLog("a\0b", "x")).toThrow(OptionsError);
});
