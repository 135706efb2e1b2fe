/** All defaults: one recorded conversation, one call, a smaller conversation that is still a valid request. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createCompactor } from "pith";

const messages = JSON.parse(readFileSync(new URL("./coding-session.json", import.meta.url), "utf8"));

const compactor = createCompactor({ target: "30%" });
const { messages: compacted, report } = await compactor.compact(messages);

console.log(`${report.tokensBefore} tokens in ${report.messagesBefore} messages`);
console.log(`${report.tokensAfter} tokens in ${report.messagesAfter} messages`);
console.log(report.reason);

assert.equal(report.error, undefined);
assert.ok(report.tokensAfter <= 0.3 * report.tokensBefore, "it fits the target");
assert.equal(compacted.at(-1), messages.at(-1), "the newest message is the very same object");
const openCalls = new Set<string>();
for (const message of compacted) {
  for (const call of message.tool_calls ?? []) openCalls.add(call.id);
  if (message.role === "tool") assert.ok(openCalls.delete(message.tool_call_id), "every result has its call");
}
assert.equal(openCalls.size, 0, "every call has its result");
