import { expect, test } from "vitest";
import { emptyLedger } from "../ledger/ledger.ts";
import { mustKeepLines } from "../ledger/told-facts.ts";
import { updateLedger } from "../ledger/update-ledger.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { spanLedger, standingAfter } from "./span-ledger.ts";

const counter = createTokenCounter();
const todos = (list: Readonly<Record<string, string>>, id: string): readonly WireMessage[] => [
  assistant(
    "",
    call("TodoWrite", { todos: Object.entries(list).map(([content, status]) => ({ content, status })) }, id),
  ),
  result("Todos have been modified.", { id }),
];
const run = (command: string, output: string, id: string): readonly WireMessage[] => [
  assistant("", call("Bash", { command }, id)),
  result(output, { id }),
];
const edit = (path: string, id: string): readonly WireMessage[] => [
  assistant("Fixing.", call("Edit", { file_path: path, old_string: "a", new_string: "b" }, id)),
  result(`The file ${path} has been updated.`, { id }),
];
const failing = run("npm test", "Exit code 1\nTypeError: x is not a function", "r1");
const old = [
  user("Fix the parser."),
  ...edit("src/parser.ts", "e"),
  ...todos({ "Write the docs": "pending", Ship: "pending" }, "t"),
  ...failing,
];

function kept(...later: readonly WireMessage[]): readonly string[] {
  const { messages } = conversation(...old, ...later);
  const span = messages.slice(0, old.length);
  return mustKeepLines(standingAfter(spanLedger(span, undefined, counter), messages.slice(old.length)));
}

test("open todos, open errors and changed files are to be kept", () => {
  expect(kept()).toEqual([
    "[ ] Write the docs",
    "[ ] Ship",
    "open: TypeError: x is not a function (npm test)",
    "src/parser.ts: edited",
  ]);
});

test("[R49] what was done or resolved after the span is no longer open, and what came after it is not told", () => {
  const later = [
    ...todos({ "Write the docs": "completed", Ship: "in_progress" }, "t2"),
    ...run("npm test", "12 passed", "r2"),
    ...edit("src/new.ts", "w"),
  ];
  expect(kept(...later)).toEqual(["[>] Ship", "src/parser.ts: edited"]);
});

const handoff = (...lines: readonly string[]) =>
  user(["[Pith hand-off] Past reference:", ...lines, "[End of hand-off]"].join("\n"));
const told = handoff(
  "## Story so far",
  "[1] User: Ship it.",
  "[ ] Quoted and done",
  "src/quoted.ts: edited",
  "## State: todo list",
  "[ ] Ship it",
  "## State: files changed, not committed",
  "src/old.ts: edited",
  "… 3 more files changed",
);

test("[R21] without a stored ledger an earlier hand-off is read back, and its quotes are not taken for facts", () => {
  const { messages } = conversation(told, ...edit("src/old.ts", "e2"), ...edit("src/new.ts", "e3"));
  const ledger = spanLedger(messages, undefined, counter);
  expect(mustKeepLines(ledger)).toEqual(["[ ] Ship it", "src/new.ts: edited", "src/old.ts: edited"]);
  expect(ledger.dropped.files).toBe(3);
});

test("a stored ledger counts where the span holds the hand-off that it was left with", () => {
  const stored = updateLedger(emptyLedger, conversation(...old).messages);
  const { messages } = conversation(told, ...edit("src/parser.ts", "e2"));
  expect(mustKeepLines(spanLedger(messages, stored, counter))).toEqual([
    "[ ] Write the docs",
    "[ ] Ship",
    "src/parser.ts: edited",
    "open: TypeError: x is not a function (npm test)",
  ]);
});

test("a conversation that was set back to before its compaction is read anew, not twice", () => {
  const { messages } = conversation(...old);
  const stored = updateLedger(emptyLedger, messages);
  expect(spanLedger(messages, stored, counter)).toEqual(stored);
});

test("of two earlier hand-offs both are read, and the newer todo list is the agent's", () => {
  const { messages } = conversation(
    told,
    handoff(
      "## State: todo list",
      "[x] Ship it",
      "## State: files changed, not committed",
      "src/more.ts: created",
    ),
  );
  const ledger = spanLedger(messages, undefined, counter);
  expect(mustKeepLines(ledger)).toEqual(["src/old.ts: edited", "src/more.ts: created"]);
});
