/** LangChain: an agent with the middleware runs for fifty turns in a small window; its state stays whole. */
import assert from "node:assert/strict";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, tool } from "langchain";
import { memoryArchive } from "pith/archive/memory";
import { pithLangChain } from "pith/langchain";
import { createModelServer } from "pith/testing";
import { z } from "zod";

/** Calls the tool when asked to read, answers when it has the result; any other request asks for a summary. */
const told = "The files were read one after the other, and each has the port 48213.";
const server = await createModelServer({
  reply: ({ body, prompt }) => {
    const last = (body.messages as { role: string }[]).at(-1)!;
    if (last.role === "tool") return { type: "say", text: "It is read." };
    const isRead = /Read file \d+\.$/.test(prompt);
    return isRead ? { type: "call-tool", text: "Reading." } : { type: "say", text: told };
  },
});

/** LangChain identifies messages by their ids, and the scripted model gives every answer the same id. */
let answers = 0;
const numbered: typeof fetch = async (url, init) => {
  const response = await fetch(url, init);
  return new Response((await response.text()).replace("chatcmpl-1", `chatcmpl-${++answers}`), response);
};

const read = tool(() => "export const port = 48213;\n".repeat(40), {
  name: "read",
  description: "Reads the next file.",
  schema: z.object({}),
});
const pith = pithLangChain({ window: 8_000, archive: memoryArchive(), summarizer: "same" });
const agent = createAgent({
  model: new ChatOpenAI({
    model: "gpt-4.1",
    apiKey: "none",
    configuration: { baseURL: `${server.url}/v1`, fetch: numbered },
  }),
  tools: [read],
  middleware: [pith.middleware],
});

let { messages } = await agent.invoke({ messages: [{ role: "user", content: "Read file 0." }] });
for (let turn = 1; turn < 50; turn++) {
  const ask = { role: "user", content: `Read file ${turn}.` };
  ({ messages } = await agent.invoke(
    { messages: [...messages, ask] },
    { configurable: { thread_id: "one" } },
  ));
}
await server.close();

const largest = Math.max(...server.requests.map(({ text }) => text.length));
console.log(`${messages.length} messages; the largest request had ${largest} characters`);

assert.equal(messages.length, 200, "the agent's state keeps the whole history");
assert.ok(largest < 8_000 * 4, "no request is over the window");
assert.ok(
  server.requests.some(({ prompt }) => prompt.includes(told) && /Read file \d+\.$/.test(prompt)),
  "the model's own account of what left stands in later requests",
);
