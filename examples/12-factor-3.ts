/**
 * Factor 3: the source's own dialogue about sales in a loop; rows shaped on arrival, a model's summary at half of the token
 * budget, and SESSION_LOG. Its output stands in docs/session-log.md.
 */
import assert from "node:assert/strict";
import { type CompactionState, createCompactor } from "pith";
import { createModelServer } from "pith/testing";
import { createTokenCounter } from "pith/tokens";

/** The summary that the source shows; here a scripted model on loopback gives it. */
const summary =
  "User requested sales analysis. Fetched full dataset (1000 rows), analyzed Q3 (300 rows showing 15% growth), now comparing to Q2.";
const model = await createModelServer({ reply: { type: "say", text: summary } });
const log: string[] = [];
const compactor = createCompactor({
  preset: "factor3",
  window: 2_400,
  summarizer: { url: `${model.url}/v1`, model: "small-and-cheap" },
  sessionLog: (entry) => log.push(entry),
  clock: () => Date.UTC(2025, 10, 9, 10, 35, 22),
});

/** The source's ten lines; what it leaves out as "..." is filled in. */
const dialogue: readonly { role: string; content: string }[] = [
  { role: "user", content: "Can you analyze the latest sales data?" },
  asks("I'll fetch the sales data from the database.", "call_1", {}),
  answers("call_1", 1_000, (row) => (row % 4) + 1),
  { role: "assistant", content: "Here's the analysis: every region sells in every quarter, in 1000 rows." },
  { role: "user", content: "What about Q3 specifically?" },
  asks("Let me filter for Q3...", "call_2", { quarter: 3 }),
  answers("call_2", 300, () => 3),
  { role: "assistant", content: "Q3 shows 15% growth, in 300 rows." },
  { role: "user", content: "Compare to Q2?" },
  { role: "assistant", content: "I'll fetch Q2 data..." },
];

function asks(content: string, id: string, args: object) {
  const query = { name: "database_query", arguments: JSON.stringify(args) };
  return { role: "assistant", content, tool_calls: [{ id, type: "function", function: query }] };
}

function answers(id: string, count: number, quarterOf: (row: number) => number) {
  const regions = ["north", "south", "east", "west"];
  const sale = (row: number) =>
    [row + 1, `Q${quarterOf(row)}`, regions[(row * 3) % 4], 1_000_000 + ((row * 37_100) % 900_000)].join(",");
  const content = ["id,quarter,region,revenue", ...Array.from({ length: count }, (_, row) => sale(row))];
  return { role: "tool", tool_call_id: id, content: content.join("\n") };
}

const counter = createTokenCounter();
const shown = (tokens: number) => tokens.toLocaleString("en-US");
let messages: typeof dialogue = [];
let full = messages;
let state: CompactionState | undefined;
for (const said of dialogue) {
  assert.equal(log.length, 0, "nothing is summarised below half of the budget");
  full = [...messages, said];
  ({ messages, state } = await compactor.compact(full, { summarize: true, state }));
  if (said.role !== "tool") continue;
  const { content } = messages.at(-1)!;
  console.log(`${shown(counter.text(said.content))} tokens arrive, ${shown(counter.text(content))} are kept`);
  const lines = content.split("\n");
  console.log([...lines.slice(0, 3), "…", ...lines.slice(-3), ""].join("\n"));
}
console.log(`SESSION_LOG\n${log.join("")}`);

// The source has 400 tokens after it; the preset leaves room up to 35 % of the budget, 840.
const { messages: smaller, report } = await compactor.compact(full, { summarize: true, target: 400 });
console.log(`with a target of 400: ${shown(report.tokensBefore)} → ${shown(report.tokensAfter)} tokens\n`);
for (const { role, content } of smaller) console.log(`${role}: ${content}`);
await model.close();

const prompt = `Summarize the following conversation, preserving:
- Key decisions made
- Unresolved issues
- Current task state
Be concise.
`;
for (const request of model.requests) assert.ok(request.prompt.startsWith(prompt), "in the source's words");
for (const after of [messages, smaller]) {
  assert.match(after[0]!.content, /^\[SUMMARY\]: /);
  assert.ok(after[0]!.content.includes(summary), "the model's summary, of which nothing is struck");
  assert.deepEqual(after.slice(1), dialogue.slice(-3), "the latest three messages stay as they are");
}
assert.match(log[0]!, /^Summarized 7 messages → 1 summary \(saved ~\d+ tokens\)\n/);
assert.match(log[0]!, /- Pre-summarization: 1,20\d \/ 2,400 \(50.\d%\)\n/);
assert.ok(report.tokensAfter <= 400);
