/** Replace every part: who counts, when and how far to compact, who writes, where originals are kept, what is logged, and the clock. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type CompactionEvent, createCompactor, type Message } from "pith";
import type { Archive, ArchiveWrite, StoredItem } from "pith/archive";
import { type Policy, presets } from "pith/policy";
import type { Summarizer } from "pith/summarizer";
import type { TokenCounter } from "pith/tokens";

const messages = JSON.parse(readFileSync(new URL("./coding-session.json", import.meta.url), "utf8"));

/** Counts as a tokenizer of your own would; here, four characters are a token. */
const text = (said: string) => Math.ceil(said.length / 4);
// A text must cost the same alone and in a message.
const message = ({ parts }: Message) =>
  parts.reduce((sum, part) => sum + text("text" in part ? part.text : JSON.stringify(part)), 4);
const tools = (definitions: readonly unknown[]) => text(JSON.stringify(definitions));
const counter: TokenCounter = {
  encoding: "four characters",
  exact: false,
  text,
  message,
  tools,
  conversation: (given) => given.messages.reduce((sum, each) => sum + message(each), tools(given.tools)),
};

/** Your own preset is a value: an existing one with your changes. */
const policy: Policy = {
  ...presets.balanced,
  name: "my own",
  thresholds: [{ at: 0.5, action: "hand-off" }],
  targetRatio: 0.2,
};

/** An archive needs two functions; the rest is optional. */
const items = new Map<string, StoredItem>();
const writes: ArchiveWrite[] = [];
const archive: Archive = {
  name: "a map",
  put: async (write) => {
    writes.push(write);
    for (const item of write.items) items.set(item.id, item);
  },
  get: async (id) => items.get(id),
};

/** A summarizer is one function: a model, a person, or a line of code. What it writes is audited either way. */
const summarizer: Summarizer = {
  name: "a line of code",
  summarize: async ({ prompt }) => ({
    text: `The agent worked on the installer; its transcript has ${prompt.length > 0 ? "words" : "none"}.`,
    finish: "stop",
    model: "none",
  }),
};

const events: CompactionEvent[] = [];
let log = "";
const compactor = createCompactor({
  counter,
  preset: policy,
  window: 20_000,
  archive,
  summarizer,
  clock: () => Date.UTC(2030, 0, 1),
  onEvent: (event) => events.push(event),
  sessionLog: (lines) => {
    log += lines;
  },
});
const { messages: compacted, report } = await compactor.compact(messages, {
  summarize: true,
  conversationId: "mine",
});
const sent = JSON.stringify(compacted);
console.log(
  `${report.reason} ${report.tokensBefore} tokens became ${report.tokensAfter}, by ${report.encoding}.`,
);

assert.equal(report.error, undefined);
assert.deepEqual([report.preset, report.encoding, report.archive], ["my own", "four characters", "a map"]);
assert.equal(report.summary?.summarizer, "a line of code");
assert.ok(sent.includes("The agent worked on the installer"), "the narrative is in the hand-off");
assert.ok(
  writes.every(({ at }) => at === Date.UTC(2030, 0, 1)),
  "it is the time that the clock says",
);
assert.ok(
  events.some(({ type }) => type === "compaction-end") && log.includes("2030"),
  "it is told and logged",
);
const [id] = /pith:[0-9a-z]{8,}/.exec(sent) ?? [];
const { run } = await compactor.tools(compacted);
const opened = await run("recall_expand", { id });
assert.ok(
  items.has(id!) && opened !== undefined,
  "what left the context is in the archive, under the id it names",
);
