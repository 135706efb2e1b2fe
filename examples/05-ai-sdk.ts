/** The AI SDK: a wrapped model runs for fifty turns in a small window; the caller's messages stay whole. */
import assert from "node:assert/strict";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, type ModelMessage, tool, wrapLanguageModel } from "ai";
import { pithAiSdk } from "pith/ai-sdk";
import { memoryArchive } from "pith/archive/memory";
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

const pith = pithAiSdk({ window: 8_000, archive: memoryArchive(), summarizer: "same" });
const openai = createOpenAI({ apiKey: "none", baseURL: `${server.url}/v1` });
const model = wrapLanguageModel({ model: openai.chat("gpt-5"), middleware: pith.middleware });

const read = tool({
  description: "Reads the next file.",
  inputSchema: z.object({}),
  execute: async () => "export const port = 48213;\n".repeat(40),
});
const messages: ModelMessage[] = [];
for (let turn = 0; turn < 50; turn++) {
  messages.push({ role: "user", content: `Read file ${turn}.` });
  const tools = { read, ...pith.tools };
  const { responseMessages } = await generateText({ model, tools, stopWhen: isStepCount(5), messages });
  messages.push(...responseMessages);
}
await server.close();

const largest = Math.max(...server.requests.map(({ text }) => text.length));
console.log(`${messages.length} messages; the largest request had ${largest} characters`);

assert.equal(messages.length, 200, "the caller keeps the whole history");
assert.ok(largest < 8_000 * 4, "no request is over the window");
assert.ok(
  server.requests.some(({ prompt }) => prompt.includes(told) && /Read file \d+\.$/.test(prompt)),
  "the model's own account of what left stands in later requests",
);
