/**
 * Agent control: the situations from the source's own text, in a loop: the agent asks at 60 %, not at 79 %, and the safety net
 * is at 95 %. Its output stands in docs/agent-control.md.
 */
import assert from "node:assert/strict";
import { type CompactionState, createCompactor } from "pith";
import { fillNote, fillOf } from "pith/agent-control";
import { memoryArchive } from "pith/archive/memory";

const log: string[] = [];
const compactor = createCompactor({
  preset: "synthorg-agent",
  window: 8_000,
  reserve: 0,
  archive: memoryArchive(),
  sessionLog: (text) => log.push(text),
  clock: () => Date.UTC(2025, 10, 9, 10, 35, 22),
});

type Said = Record<string, unknown>;
const messages: Said[] = [{ role: "user", content: "Analyse the sales of all regions." }];
let state: CompactionState | undefined;
let ids = 0;

/** One turn of the loop: the model calls a tool, the loop answers it, and the next request goes through Pith. */
async function turn(says: string, name: string, args: object, answer?: string) {
  const id = `call_${++ids}`;
  const calls = [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }];
  const { run } = await compactor.tools(messages);
  const content = answer ?? (await run(name, args));
  messages.push({ role: "assistant", content: says, tool_calls: calls });
  messages.push({ role: "tool", tool_call_id: id, content });
  const result = await compactor.compact(messages, { ...(state && { state }) });
  state = result.state;
  messages.splice(0, messages.length, ...result.messages);
  return result.report;
}

const fetchRegion = (region: number, says: string, weeks = 6) => {
  const sold = (at: number) =>
    `Region ${region}, week ${at}: demand was steady, returns stayed low, and ${1_000 + at * 7} units went to the shops.`;
  const rows = Array.from({ length: weeks }, (_, at) => sold(at)).join("\n");
  return turn(says, "fetch_sales", { region }, rows);
};

for (let region = 1; region <= 5; region++) await fetchRegion(region, `Fetching region ${region}.`, 34);
const doubt = "wait, I think I made an error, let me reconsider the approach";
const full = await fetchRegion(6, doubt, 34);
console.log("the agent sees   ", fillNote(fillOf(full)!));

// "I've gathered all the data I need, now I'll analyse it": a sub-goal is completed, at 60 %.
const reason = "I've gathered all the data I need, now I'll analyse it";
const asked = await turn("", "compress_context", { reason });
console.log("it asks          ", messages.at(-1)!.content);
console.log("and then sees    ", fillNote(fillOf(asked)!));
const handoff = String(messages[0]!.content);
console.log(`\n${handoff}\n`);

// A blank reason is not a reason.
const { run } = await compactor.tools(messages);
console.log("without a reason ", await run("compress_context", { reason: " " }));

// "An agent at 79% might be mid-reasoning": nothing happens to it.
let last = asked;
let region = 7;
const compare = async () => {
  last = await fetchRegion(region, `Comparing region ${region}.`);
  region++;
};
while (fillOf(last)!.tokens < 0.78 * 8_000) await compare();
const midReasoning = last;
console.log("mid-reasoning    ", last.reason);

// "The 95% safety net ensures context overflow cannot happen even if an agent never invokes the tool."
while (!last.compacted) await compare();
console.log("the net          ", last.safetyNet!.code, last.reason);
console.log(`\nSESSION_LOG\n${log.join("")}`);

// The strategy `archive` leaves no summary, only the markers and the id that opens everything.
while (fillOf(last)!.tokens < 0.6 * 8_000) await compare();
await turn("Hold on.", "compress_context", { reason: "the comparison is done", strategy: "archive" });
const archived = String(messages[0]!.content);
console.log(archived);

assert.deepEqual(asked.request, { reason, strategy: "summarize", preserveMarkers: true });
assert.ok(asked.compacted && fillOf(asked)!.tokens < fillOf(full)!.tokens / 2, "the next fill is lower");
assert.match(handoff, /^\[Archived \d+ messages\. Summary of prior work: /);
assert.ok(!midReasoning.compacted, "nothing is automatic below the net");
assert.match(log.join(""), /^Requested by the agent: I've gathered all the data/);
assert.match(log.join(""), /^CONTEXT_BUDGET_COMPACTION_SAFETY_NET: /m);
assert.match(archived, /^\[Archived \d+ messages\.\]/);
assert.match(String(await run("recall_search", { query: "region 8, week 3 units" })), /1021 units/);
