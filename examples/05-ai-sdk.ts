/** The AI SDK: a wrapped model goes on for fifty turns in a small window; the caller's messages stay whole. */
import assert from "node:assert/strict";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, type ModelMessage, tool, wrapLanguageModel } from "ai";
import { pithAiSdk } from "pith/ai-sdk";
import { memoryArchive } from "pith/archive/memory";
import { createModelServer } from "pith/testing";
import { z } from "zod";

/** Calls the tool when it is asked something, and answers when it has the result. */
const server = await createModelServer({
  reply: ({ body }) =>
    (body.messages as { role: string }[]).at(-1)!.role === "tool"
      ? { type: "say", text: "It is read." }
      : { type: "call-tool", text: "Reading." },
});

const pith = pithAiSdk({ window: 8_000, archive: memoryArchive() });
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
  const { response } = await generateText({ model, tools, stopWhen: isStepCount(5), messages });
  messages.push(...response.messages);
}
await server.close();

const largest = Math.max(...server.requests.map(({ text }) => text.length));
console.log(`${messages.length} messages; the largest request had ${largest} characters`);

assert.equal(messages.length, 200, "the caller keeps the whole history");
assert.ok(largest < 8_000 * 4, "no request is over the window");
