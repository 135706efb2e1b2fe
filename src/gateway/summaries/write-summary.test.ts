import { expect, test } from "vitest";
import { initialState } from "../../state/compaction-state.ts";
import { assistant, user } from "../../testing/builders.ts";
import { scriptedSummarizer } from "../../testing/scripted-summarizer.ts";
import type { SummaryJob } from "./summary-job.ts";
import { writeSummary } from "./write-summary.ts";

const words = (name: string) => `${name} looked at a part and saw nothing. `.repeat(100);
const messages = Array.from({ length: 16 }, (_, at) => (at % 2 ? assistant : user)(words(`m${at}`)));
const job: SummaryJob = {
  tenant: "t",
  snapshot: "s",
  conversation: "c",
  text: JSON.stringify({ model: "unknown", messages }),
  format: "openai-chat",
  preset: "hermes",
  window: 20_000,
  reserve: 1_000,
  state: initialState,
};

async function asked(...wish: readonly Parameters<typeof writeSummary>[3][]): Promise<string> {
  const summarizer = scriptedSummarizer(["Nothing happened."]);
  await writeSummary(job, [summarizer], new AbortController().signal, ...wish);
  return summarizer.calls[0]?.prompt ?? "";
}

test("[F46 F48] asks in the words of the preset's source, and for its size", async () => {
  expect(await asked()).toMatch(/^Summarize these conversation turns concisely\.[\s\S]*Target ~500 tokens\./);
});

test("[F45 F48] asks in other words and for another size where the gateway was told so", async () => {
  expect(await asked({ template: "checkpoint", summaryTokens: 321 })).toMatch(
    /^You are performing a CONTEXT CHECKPOINT COMPACTION\.[\s\S]*Target roughly 321 tokens\./,
  );
});
