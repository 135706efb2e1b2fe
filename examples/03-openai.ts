/** The OpenAI SDK: a client whose requests fit the window, and can still recall what they left out. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import OpenAI from "openai";
import { memoryArchive } from "pith/archive/memory";
import { pithOpenAI } from "pith/openai";
import { createModelServer } from "pith/testing";

const messages = JSON.parse(readFileSync(new URL("./coding-session.json", import.meta.url), "utf8"));
const server = await createModelServer({ reply: { type: "say", text: "All of it is removed." } });

const pith = pithOpenAI({ window: 16_000, archive: memoryArchive(), summarizer: "same" });
const client = new OpenAI({ apiKey: "none", baseURL: `${server.url}/v1`, fetch: pith.fetch });

messages.push({ role: "user", content: "Is anything of the installer left?" });
const stream = await client.chat.completions.create({
  model: "gpt-5",
  stream: true,
  tools: [...pith.chatTools],
  messages,
});
let answer = "";
for await (const { choices } of stream) answer += choices[0]?.delta.content ?? "";
await server.close();

const sent = server.requests[0]!.body.messages as object[];
console.log(`${messages.length} messages were given, ${sent.length} were sent; the answer: ${answer}`);

assert.equal(answer, "All of it is removed.");
assert.ok(sent.length < messages.length / 2, "the request is smaller");
assert.ok(JSON.stringify(sent.at(-1)).includes(messages.at(-1).content), "the newest ask is as it was");
const found = await pith.runTool("recall_search", { query: "installer" });
assert.match(found ?? "", /pith:[0-9a-z]{8,}/, "what left is found by recall");
