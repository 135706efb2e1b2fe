import { expect, test } from "vitest";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { mustKeepOf } from "./must-keep.ts";

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
const edited: readonly WireMessage[] = [
  assistant("Fixing.", call("Edit", { file_path: "src/parser.ts", old_string: "a", new_string: "b" }, "e")),
  result("The file src/parser.ts has been updated.", { id: "e" }),
];
const failing = run("npm test", "Exit code 1\nTypeError: x is not a function", "r1");
const old = [
  user("Fix the parser."),
  ...edited,
  ...todos({ "Write the docs": "pending", Ship: "pending" }, "t"),
  ...failing,
];

function kept(...later: readonly WireMessage[]): readonly string[] {
  const { messages } = conversation(...old, ...later);
  return mustKeepOf(messages.slice(0, old.length), messages);
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
  const done = kept(
    ...todos({ "Write the docs": "completed", Ship: "in_progress" }, "t2"),
    ...run("npm test", "12 passed", "r2"),
    assistant("", call("Write", { file_path: "src/new.ts", content: "x" }, "w")),
    result("File created successfully at: src/new.ts", { id: "w" }),
  );
  expect(done).toEqual(["[ ] Ship", "src/parser.ts: edited"]);
});

test.each([
  ["[Pith hand-off] What happened earlier, as past reference:\n## First ask\nFix it.\n## Progress"],
  ["[Archived 4 messages. Summary of prior work: It went well.]\n## First ask\nFix it.\n## Progress"],
])(
  "[R21] what an earlier hand-off put first stays a must-keep, and its talk does not become one: %s",
  (frame) => {
    const handoff = user(
      `${frame}\nsrc/old.ts: edited 2×\n[ ] Ship it\nIt went well.\n[ ] Quoted and done\nassistant: edited a lot\n` +
        "[End of hand-off. The conversation goes on below.]",
    );
    const { messages } = conversation(handoff, assistant("Going on."));
    expect(mustKeepOf(messages, messages)).toEqual(["[ ] Ship it", "src/old.ts: edited 2×"]);
  },
);
