/**
 * The hand-off prefix: an agent makes the source's own commit; its summary comes with the legacy prefix, the current one, none,
 * or as null, and the system prompt gets its note once. Its output stands in docs/handoff.md.
 */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createCompactor, type Result } from "pith";
import { LEGACY_SUMMARY_PREFIX, SUMMARY_PREFIX } from "pith/summarizer";

/** A model that answers with whatever `content` is, null too. */
let content: string | null = null;
const model = createServer((_, response) => {
  const choices = [{ message: { role: "assistant", content }, finish_reason: "stop" }];
  response.setHeader("content-type", "application/json").end(JSON.stringify({ choices }));
});
await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
const compactor = createCompactor({
  preset: "hermes",
  window: 1_600,
  summarizer: { url, model: "auxiliary" },
});

interface Said {
  readonly role: string;
  readonly content: string | null;
  readonly [key: string]: unknown;
}
let ids = 0;
/** A call without words: its content is null. */
function step(name: string, args: object, answer: string): readonly Said[] {
  const id = `call_${++ids}`;
  const call = { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
  return [
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: id, content: answer },
  ];
}
const user = (text: string): Said => ({ role: "user", content: text });
const assistant = (text: string): Said => ({ role: "assistant", content: text });

const path = "agent/context_compressor.py";
const tests = Array.from(
  { length: 80 },
  (_, at) => `tests/agent/test_context_compressor.py::test_${at} PASSED`,
);
const runTests = () => step("run_tests", { path: "tests/agent" }, [...tests, "80 passed"].join("\n"));
const messages: readonly Said[] = [
  { role: "system", content: "You are Hermes, an agent that edits code." },
  user(
    "Replace the old '[CONTEXT SUMMARY]:' prefix on compressed summaries with a Codex-inspired handoff framing.",
  ),
  ...step("read_file", { path }, 'if not summary.startswith("[CONTEXT SUMMARY]:"):'),
  ...step("patch", { path, add: 'LEGACY_SUMMARY_PREFIX = "[CONTEXT SUMMARY]:"' }, "1 hunk applied"),
  ...step("patch", { path, add: "def _with_summary_prefix(summary: str) -> str:" }, "1 hunk applied"),
  assistant("The helper strips any legacy prefix the summarization model may have produced."),
  user("The trigger thresholds must not change. Run the tests."),
  ...runTests(),
  assistant("All 80 tests pass."),
  user("What does the note in the system prompt say?"),
  assistant("It still is the old generic note."),
  user("Update it."),
];

const summary = `In ${path} the helper _with_summary_prefix() strips any legacy prefix, and all 80 tests pass.`;
const answers: Readonly<Record<string, string | null>> = {
  "with the legacy prefix": `${LEGACY_SUMMARY_PREFIX} ${summary}`,
  "with the current one": `${SUMMARY_PREFIX}\n${summary}`,
  "with neither": summary,
  null: null,
};
/** Where it stands: after the system prompt and the first three messages. */
const AT = 4;
const results: Result<readonly Said[]>[] = [];
for (const [name, answer] of Object.entries(answers)) {
  content = answer;
  const result = await compactor.compact(messages, { summarize: true });
  results.push(result);
  const handoff = result.messages[AT]!.content!;
  const told = handoff.includes(`Summary by a model: ${summary}\n`)
    ? "and the summary"
    : "and the story without one";
  console.log(`the model answers ${name.padEnd(22)}  → the prefix once, ${told}`);
  assert.ok(handoff.startsWith(`${SUMMARY_PREFIX}\n`));
  assert.equal(handoff.split(SUMMARY_PREFIX).length, 2, "the prefix stands there once");
}
const [legacy, current, neither, none] = results;
assert.deepEqual([current!.messages, neither!.messages], [legacy!.messages, legacy!.messages]);
assert.equal(none!.report.summary!.attempts[0]!.failure, "empty");

const { messages: after, state, report } = legacy!;
console.log(`\n${report.reason}\n`);
for (const [at, said] of after.entries()) {
  const lines = said.content?.split("\n") ?? ["null, with a call"];
  const shown = at === AT ? [...lines.slice(0, 4), "…", ...lines.slice(-1)] : lines;
  console.log(`${at} ${said.role}: ${shown.join("\n")}`);
}
const note =
  "[Note: Some earlier conversation turns have been compacted into a handoff summary to preserve context space. Build on that summary rather than re-doing work.]";
assert.equal(after[0]!.content, `${messages[0]!.content}\n\n${note}`);
assert.deepEqual(after.slice(1, AT), messages.slice(1, AT), "the first three messages stay as they are");
assert.deepEqual(after.slice(AT + 1), messages.slice(-4), "and so do the last four");

// The agent goes on until the next compaction.
const more = [
  assistant("Done."),
  user("Run the tests."),
  ...runTests(),
  assistant("They pass."),
  user("Push it."),
];
const second = await compactor.compact([...after, ...more], { summarize: true, state });
model.close();
const texts = second.messages.map((said) => said.content ?? "");
const times = (text: string) => texts.join("\n").split(text).length - 1;
console.log(`\nafter a second compaction: ${times(note)} note, ${times(SUMMARY_PREFIX)} hand-off`);
assert.ok(second.report.compacted);
assert.deepEqual([times(note), times(SUMMARY_PREFIX), texts[0]], [1, 1, after[0]!.content]);
