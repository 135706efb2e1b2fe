/** Mastra: an agent with the processor answers with a history larger than its window. */
import assert from "node:assert/strict";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent } from "@mastra/core/agent";
import { memoryArchive } from "pith/archive/memory";
import { pithMastra } from "pith/mastra";
import { createModelServer } from "pith/testing";

const server = await createModelServer({ reply: { type: "say", text: "They are all read." } });

const pith = pithMastra({ window: 8_000, archive: memoryArchive(), summarizer: "same" });
const agent = new Agent({
  id: "reader",
  name: "reader",
  instructions: "You are a careful agent.",
  model: createOpenAI({ apiKey: "none", baseURL: `${server.url}/v1` }).chat("gpt-5") as never,
  tools: { ...pith.tools },
  inputProcessors: [pith.processor],
  errorProcessors: [pith.processor],
});

const history = Array.from({ length: 50 }, (_, turn) => [
  { role: "user" as const, content: `Read file ${turn}.` },
  { role: "assistant" as const, content: `File ${turn}:\n${"export const port = 48213;\n".repeat(40)}` },
]).flat();
const { text } = await agent.generate([...history, { role: "user", content: "Is all of it read?" }]);
await server.close();

const sent = server.requests[0]!.text;
console.log(`${history.length + 1} messages; the request had ${sent.length} characters; the answer: ${text}`);

assert.equal(text, "They are all read.");
assert.ok(sent.length < 8_000 * 4, "the request is not over the window");
assert.ok(sent.includes("Is all of it read?"), "the newest ask is in view");
