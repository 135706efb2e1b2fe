/** A summary in the background: a model writes it while the agent continues, and nothing it made up gets through. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type CompactionState, createCompactor } from "pith";
import { openAISummarizer, type Summarizer } from "pith/summarizer";
import { createModelServer } from "pith/testing";

const session = JSON.parse(readFileSync(new URL("./coding-session.json", import.meta.url), "utf8"));
const story = "The agent searched the repository for what belongs to the installer and removed it.";
const invented = "It also changed src/invented/module-k3f9.ts at line 48213.";
const model = await createModelServer({ reply: { type: "say", text: `${story}\n${invented}` } });

/** The summary that is being written; `compact` never waits for it, only this example does. */
let writing: Promise<unknown> = Promise.resolve();
const writer = openAISummarizer({ url: `${model.url}/v1`, model: "small-and-cheap" });
const summarize: Summarizer["summarize"] = (request) => {
  const summary = writer.summarize(request);
  writing = summary.catch(() => undefined);
  return summary;
};
const compactor = createCompactor({ window: 16_000, summarizer: { ...writer, summarize } });

/** The agent's loop, message by message; meanwhile the model answers. */
let messages: object[] = [];
let state: CompactionState | undefined;
const told: string[] = [];
for (const message of session) {
  messages = [...messages, message];
  const kept = state && { state };
  const result = await compactor.compact(messages, {
    summarize: "background",
    ...kept,
  });
  messages = result.messages;
  state = result.state;
  const { summary } = result.report;
  if (summary?.summarizer) {
    told.push(JSON.stringify(messages));
    console.log(`${summary.summarizer}: ${summary.struck} struck, ${summary.putBack} put back`);
    assert.ok(summary.struck > 0, "the audit strikes what the session never said");
  }
  // The agent's own model answers in between, and the summary is started.
  await setTimeout(5);
  await writing;
}
await model.close();

assert.ok(told.length > 0, "a compaction found its summary ready");
for (const text of told) {
  assert.ok(text.includes(story), "what is true is told");
  assert.ok(!text.includes("module-k3f9"), "what was made up is not");
}
