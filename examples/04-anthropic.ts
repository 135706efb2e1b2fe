/** The Anthropic SDK: the tool runner runs for fifty turns in a small window. */
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { pithAnthropic } from "pith/anthropic";
import { memoryArchive } from "pith/archive/memory";
import { createModelServer } from "pith/testing";

/** Calls the tool when asked to read, answers when it has the result; any other request asks for a summary. */
const told = "The files were read one after the other, and each has the port 48213.";
const server = await createModelServer({
  reply: ({ body, prompt }) => {
    const last = (body.messages as Anthropic.MessageParam[]).at(-1);
    if (JSON.stringify(last).includes("tool_result")) return { type: "say", text: "It is read." };
    const isRead = /Read file \d+\.$/.test(prompt);
    return isRead ? { type: "call-tool", text: "Reading." } : { type: "say", text: told };
  },
});

const pith = pithAnthropic({ window: 8_000, archive: memoryArchive(), summarizer: "same" });
const client = new Anthropic({ apiKey: "none", baseURL: server.url, fetch: pith.fetch });

const read = {
  name: "read",
  description: "Reads the next file.",
  input_schema: { type: "object" as const, properties: {} },
  parse: (given: unknown) => given,
  run: () => "export const port = 48213;\n".repeat(40),
};
let messages: Anthropic.Beta.BetaMessageParam[] = [];
for (let turn = 0; turn < 50; turn++) {
  const runner = client.beta.messages.toolRunner({
    model: "claude-opus-4-1",
    max_tokens: 1_000,
    thread: false,
    tools: [read, ...pith.tools],
    messages: [...messages, { role: "user", content: `Read file ${turn}.` }],
  });
  await runner.runUntilDone();
  messages = runner.params.messages;
}
await server.close();

const largest = Math.max(...server.requests.map(({ text }) => text.length));
console.log(`${messages.length} messages; the largest request had ${largest} characters`);

assert.ok(messages.length >= 200, "the caller keeps the whole history");
assert.ok(largest < 8_000 * 4, "no request is over the window");
assert.ok(
  server.requests.some(({ prompt }) => prompt.includes(told) && /Read file \d+\.$/.test(prompt)),
  "the model's own account of what left stands in later requests",
);
