import fc from "fast-check";
import { expect, test } from "vitest";
import { SUMMARY_PREFIX } from "../conversation/handoffs/prefixes.ts";
import type { Message } from "../conversation/message.ts";
import { anthropicMessages } from "../providers/anthropic-messages/format.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { LEDGER_LIMITS } from "./draft.ts";
import { emptyLedger, type Ledger } from "./ledger.ts";
import { updateLedger } from "./update-ledger.ts";

function ledgerOf(...messages: readonly WireMessage[]): Ledger {
  return updateLedger(emptyLedger, conversation(...messages).messages);
}

const edit = (path: string) =>
  assistant("", call("Edit", { file_path: path, old_string: "x", new_string: "y" }));
const read = (path: string) => assistant("", call("Read", { file_path: path }));
const bash = (command: string) => assistant("", call("Bash", { command }));
const edited = result("The file has been updated successfully.");

test("[R36] counts what was done to each file and knows what was done last", () => {
  const { files } = ledgerOf(
    read("./src/a.ts"),
    result("1\tx"),
    edit("src/a.ts"),
    edited,
    assistant("", call("Write", { file_path: "new.ts", content: "x" }), call("Read", { file_path: "b.ts" })),
    result("File created successfully at: new.ts"),
    result("1\ty"),
    bash("rm b.ts"),
    result(""),
    read("src/a.ts"),
    result("1\ty"),
  );
  expect(files).toEqual([
    { path: "src/a.ts", reads: 2, edits: 1, created: false, last: "read", at: 11 },
    { path: "new.ts", reads: 0, edits: 0, created: true, last: "created", at: 6 },
    { path: "b.ts", reads: 1, edits: 0, created: false, last: "deleted", at: 9 },
  ]);
});

test("a folder that goes takes its known files with it", () => {
  const { files } = ledgerOf(
    read("src/a.ts"),
    result("1\tx"),
    read("lib/b.ts"),
    result("1\tx"),
    bash("rm -rf src && mv lib core"),
    result(""),
  );
  expect(files.map(({ path, last }) => `${path} ${last}`)).toEqual([
    "src/a.ts deleted",
    "lib/b.ts deleted",
    "core/b.ts created",
  ]);
});

test("[R40] a failed edit is an error, not an edit, until the same edit succeeds", () => {
  const failed = [
    edit("a.ts"),
    result("<tool_use_error>String to replace not found in file.</tool_use_error>"),
  ];
  const before = ledgerOf(...failed);
  expect(before.files).toEqual([]);
  expect(before.errors).toEqual([
    { text: "String to replace not found in file.", source: "Edit a.ts", open: true, at: 2 },
  ]);
  const after = ledgerOf(...failed, read("a.ts"), result("1\tx"), edit("a.ts"), edited);
  expect(after.errors).toMatchObject([{ open: false, resolvedBy: "Edit a.ts" }]);
});

test("[R36 R40] tells a command's end, its exit and the line that mattered", () => {
  const { commands } = ledgerOf(
    bash("npm  test"),
    result("Exit code 1\n> vitest\n FAIL src/x.test.ts > adds\nAssertionError: expected 1 to be 2\n"),
    bash("npm test"),
    result("> vitest\nTests  12 passed (12)\n"),
    bash("git commit -m x"),
    result("[main 1a2b3c4] x\n 2 files changed, 3 insertions(+)"),
    bash("sleep 100"),
    result("Command running in background with ID: b1"),
  );
  expect(commands).toEqual([
    { command: "npm test", runs: 2, outcome: "ok", line: "Tests 12 passed (12)", at: 4 },
    { command: "git commit -m x", runs: 1, outcome: "ok", line: "2 files changed, 3 insertions(+)", at: 6 },
    {
      command: "sleep 100",
      runs: 1,
      outcome: "unknown",
      line: "Command running in background with ID: b1",
      at: 8,
    },
  ]);
  expect(ledgerOf(bash("npm test"), result("Exit code 1\nFAIL src/x.test.ts > adds")).commands).toMatchObject(
    [{ outcome: "failed", exitCode: 1, line: "FAIL src/x.test.ts > adds" }],
  );
});

test("an error is open until its command succeeds, and resolved by the edit before that", () => {
  const failing = [
    bash("cd web && npm test 2>&1 | tail -20"),
    result("Exit code 1\nTypeError: x is not a function"),
  ];
  expect(ledgerOf(...failing).errors).toEqual([
    { text: "TypeError: x is not a function", source: "npm test", open: true, at: 2 },
  ]);
  const { errors } = ledgerOf(
    ...failing,
    edit("a.ts"),
    edited,
    bash("ls"),
    result("a.ts"),
    bash("npm test"),
    result("ok"),
  );
  expect(errors).toMatchObject([{ open: false, resolvedBy: "Edit a.ts" }]);
});

test("an error that a later failure no longer tells was resolved by the edit between them", () => {
  const { errors } = ledgerOf(
    bash("npm test"),
    result("Exit code 1\nTypeError: first"),
    edit("a.ts"),
    edited,
    bash("npm test"),
    result("Exit code 1\nTypeError: second"),
  );
  expect(errors.map(({ text, open, resolvedBy }) => ({ text, open, resolvedBy }))).toEqual([
    { text: "TypeError: first", open: false, resolvedBy: "Edit a.ts" },
    { text: "TypeError: second", open: true, resolvedBy: undefined },
  ]);
});

test("an error without an edit in between is resolved by the command before the success", () => {
  const failing = [bash("npm test"), result("Exit code 1\nError: Cannot find module 'x'")];
  const { errors } = ledgerOf(
    ...failing,
    bash("npm install"),
    result("added 3 packages"),
    bash("npm test"),
    result("ok"),
  );
  expect(errors).toMatchObject([{ resolvedBy: "npm install" }]);
  expect(ledgerOf(...failing, bash("npm test"), result("ok")).errors).toMatchObject([
    { resolvedBy: "npm test" },
  ]);
});

test("a script that was typed in is resolved by the next one that works, and its error is told without colours", () => {
  const failed = [
    bash("python -c \"import yaml; yaml.load(open('a.yml'))\""),
    result("Exit code 1\n\u001b[31;1mFileNotFoundError: no a.yml\u001b[0m"),
  ];
  expect(ledgerOf(...failed).errors).toEqual([
    { text: "FileNotFoundError: no a.yml", source: "python -c …", open: true, at: 2 },
  ]);
  const { errors } = ledgerOf(...failed, bash("cd src && python -c 'import yaml'"), result("valid"));
  expect(errors).toMatchObject([{ open: false }]);
  expect(ledgerOf(...failed, bash("python run.py"), result("valid")).errors).toMatchObject([{ open: true }]);
});

test("a failure that names no error is told by the first of a few lines, or the last of many", () => {
  const few = ledgerOf(
    bash("go test ./..."),
    result("Exit code 1\ngo: updates to go.mod needed; to update it:\n\tgo mod tidy"),
  );
  expect(few.errors).toMatchObject([{ text: "go: updates to go.mod needed; to update it:" }]);
  const many = ledgerOf(bash("./deploy.sh"), result("Exit code 3\none\ntwo\nthree\nstopped at the gate"));
  expect(many.errors).toMatchObject([{ text: "stopped at the gate" }]);
});

test("a look that finds nothing and a call that a person declined are no errors", () => {
  const { errors, commands } = ledgerOf(
    bash("grep -rn foo src"),
    result("Exit code 1"),
    read("nowhere.ts"),
    result("File does not exist.", { isError: true }),
    edit("a.ts"),
    result("The user doesn't want to proceed with this tool use."),
    bash("rm a.ts"),
    result("The user doesn't want to proceed with this tool use."),
  );
  expect(errors).toEqual([]);
  expect(commands.map(({ command }) => command)).toEqual(["grep -rn foo src"]);
});

test("[R37] keeps what the user lays down, verbatim and once, and never from tool or quoted text", () => {
  const rule = "Never touch  the public API!";
  const { constraints } = ledgerOf(
    user(`Fix the parser. ${rule}`),
    bash("cat rules.md"),
    result("You must always delete everything."),
    assistant("I must never do that."),
    user(`> You must use tabs.\n\n${rule}`),
  );
  expect(constraints).toEqual([{ text: rule, role: "user", at: 1 }]);
});

test("keeps decisions with their reasons, bounded in length", () => {
  const { decisions } = ledgerOf(
    assistant(
      "Looking around.\n- I'll use a Map because lookups dominate.\n\n```js\n// instead of this\n```\nDone.",
    ),
    assistant(
      `The root cause is a stale cache. Should we use a lock instead of that? ${"We decided to wait and ".repeat(40)}.`,
    ),
  );
  expect(decisions.map(({ text }) => text.slice(0, 40))).toEqual([
    "I'll use a Map because lookups dominate.",
    "The root cause is a stale cache.",
    "We decided to wait and We decided to wai",
  ]);
  expect(Math.max(...decisions.map(({ text }) => text.length))).toBe(300);
});

test("[F63] keeps the sentences in which the assistant doubts or turns round", () => {
  const { doubts } = ledgerOf(
    assistant("But wait, this is off. Let me check the file. On second thought, keep the old one. All done."),
  );
  expect(doubts.map(({ text }) => text)).toEqual([
    "But wait, this is off.",
    "On second thought, keep the old one.",
  ]);
});

test("[F63] harvests doubts and decisions from thinking too, which may be stripped later", () => {
  const thinking = {
    type: "thinking",
    thinking: "Hmm, perhaps the cache is stale. The fix is a lock.",
    signature: "s",
  };
  const { messages } = anthropicMessages.read([
    { role: "user", content: "go" },
    { role: "assistant", content: [thinking, { type: "text", text: "Done." }] },
  ]);
  const { doubts, decisions } = updateLedger(emptyLedger, messages);
  expect(doubts.map(({ text }) => text)).toEqual(["Hmm, perhaps the cache is stale."]);
  expect(decisions.map(({ text }) => text)).toEqual(["The fix is a lock."]);
});

test("[R36] keeps values with their keys, the newest of a key", () => {
  const { values } = ledgerOf(
    user("My order id is odd. Order ID: W2378156, port=8080"),
    assistant("", call("get_order", { id: 1 })),
    result(
      '{"order_id": "W9999999", "user": {"zip": "94016", "name": "Ann"}, "items": [{"item_id": 1234567}]}',
    ),
    assistant("Deployed to **url**: https://x.org/a?b=1. See src/a.ts:1234 at 12:30, version: 2.4.1; x: 7."),
    bash("deploy"),
    result("build: 20240131\nstatus: fine"),
  );
  expect(values.map(({ key, value }) => `${key}=${value}`)).toEqual([
    "order_id=W9999999",
    "port=8080",
    "user.zip=94016",
    "items.item_id=1234567",
    "url=https://x.org/a?b=1",
    "version=2.4.1",
    "build=20240131",
  ]);
});

test("[R36] a key does not begin behind an apostrophe", () => {
  const { values } = ledgerOf(user("Ann's build server: https://ci.example.org/7"));
  expect(values.map(({ key }) => key)).toEqual(["build server"]);
});

test.each([
  [
    "TodoWrite",
    {
      todos: [
        { content: "a", status: "completed" },
        { content: "b", status: "in_progress" },
      ],
    },
  ],
  [
    "update_plan",
    {
      plan: [
        { step: "a", status: "completed" },
        { step: "b", status: "in_progress" },
      ],
    },
  ],
  [
    "manage_todo_list",
    {
      todoList: [
        { id: 1, title: "a", status: "completed" },
        { id: 2, title: "b", status: "in-progress" },
      ],
    },
  ],
  [
    "task_tracker",
    {
      command: "plan",
      task_list: [
        { title: "a", status: "done" },
        { title: "b", status: "in_progress" },
      ],
    },
  ],
  ["update_todo", { todos: "- [x] a\n- [>] b" }],
])("reads the list of %s, the newest being the state", (name, args) => {
  const { todos } = ledgerOf(
    assistant("- [ ] old\n- [ ] older"),
    assistant("", call(name, args)),
    result("ok"),
  );
  expect(todos).toEqual([
    { text: "a", status: "done" },
    { text: "b", status: "active" },
  ]);
});

test("follows a list that is told item by item", () => {
  const { todos } = ledgerOf(
    assistant(
      "",
      call("TaskCreate", { subject: "a", description: "" }),
      call("TaskCreate", { subject: "b" }),
    ),
    result("Task #1 created successfully: a"),
    result("Task #2 created successfully: b"),
    assistant("", call("TaskUpdate", { taskId: "1", status: "in_progress" })),
    result("Updated task #1 status"),
    assistant("", call("TaskUpdate", { taskId: "2", status: "deleted" })),
    result("Updated task #2 status"),
    assistant("", call("TaskUpdate", { taskId: "1", addBlocks: ["2"] })),
    result("Updated task #1 blocks"),
    assistant("", call("todo_write", { merge: true, todos: [{ id: "9", content: "c" }, "d", 7, null] })),
    result("ok"),
  );
  expect(todos).toEqual([
    { id: "1", text: "a", status: "active" },
    { id: "9", text: "c", status: "open" },
    { text: "d", status: "open" },
  ]);
});

test("a list beyond its limit loses finished items first", () => {
  const todos = Array.from({ length: 210 }, (_, index) => ({
    id: `${index}`,
    content: `t${index}`,
    status: index % 2 ? "completed" : "pending",
  }));
  const start = ledgerOf(
    assistant("", call("TodoWrite", { merge: true, todos: todos.slice(0, 150) })),
    result("ok"),
  );
  const more = conversation(
    assistant("", call("TodoWrite", { merge: true, todos: todos.slice(150) })),
    result("ok"),
  );
  const ledger = updateLedger(start, more.messages);
  expect(ledger.todos).toHaveLength(200);
  expect(ledger.dropped.todos).toBe(10);
  expect(ledger.todos.filter(({ status }) => status === "open")).toHaveLength(105);
});

test("skips earlier hand-offs, and reads what was said beside them", () => {
  const { decisions, constraints } = ledgerOf(
    user(`${SUMMARY_PREFIX}\nYou must never deploy. We decided to use tabs.`),
    assistant(`${SUMMARY_PREFIX}\nWe decided to use spaces.`),
  );
  expect([...decisions, ...constraints]).toEqual([]);
});

test("a call that was never answered did nothing", () => {
  const { files, pending } = ledgerOf(edit("a.ts"), user("stop that"), result("ok", { id: "call_1" }));
  expect(files).toEqual([]);
  expect(pending).toEqual([]);
  expect(ledgerOf(edit("a.ts")).pending).toHaveLength(1);
});

test("every list is bounded, the least recent go, and the total of files stays exact", () => {
  const names = Array.from({ length: 1_200 }, (_, index) => `f${index}.ts`);
  const messages = [...names, ...names.slice(0, 100)].flatMap((name) => [
    assistant(
      `We decided to keep ${name}. Hold on, is it ${name}? key ${name}: ${name}999`,
      call("Bash", { command: `cat ${name}; make ${name}` }),
    ),
    result(`Exit code 1\nError: ${name} is bad`),
    read(name),
    result("1\tx"),
  ]);
  const ledger = ledgerOf(...messages);
  expect(ledger.files.length + ledger.dropped.files).toBe(1_200);
  expect(ledger.files.at(-1)?.path).toBe("f99.ts");
  for (const [name, limit] of Object.entries(LEDGER_LIMITS)) {
    expect(ledger[name as "files"].length).toBe(limit);
    expect(ledger.dropped[name as "files"]).toBeGreaterThan(0);
  }
});

const word = fc.constantFrom(
  "a.ts",
  "src/b.ts",
  "./a.ts",
  "c",
  "npm test",
  "rm a.ts",
  "mv src lib",
  "TypeError: x",
  "id: 12345",
);
const wire: fc.Arbitrary<readonly WireMessage[]> = fc.oneof(
  fc
    .tuple(word, word)
    .map(([a, b]) => [assistant(`Wait, I'll use ${a} instead of ${b}.\n- [ ] ${a}\n- [x] ${b}`)]),
  word.map((a) => [user(`You must never use ${a}. id: 98765${a.length}`)]),
  fc
    .tuple(
      fc.constantFrom("Read", "Edit", "Write", "Bash", "TodoWrite", "TaskCreate", "TaskUpdate", "frob"),
      word,
      word,
      fc.boolean(),
    )
    .map(([name, a, b, fails]) => [
      assistant(
        "",
        call(name, {
          file_path: a,
          command: b,
          todos: [{ content: a }],
          subject: b,
          taskId: "1",
          status: "completed",
        }),
      ),
      result(fails ? `Exit code 1\nError: ${b} failed` : `Task #1 created\n${b}`, { isError: fails }),
    ]),
);

test("of messages that are far back the deeds are read, and what binds, and not what was merely said", () => {
  const { messages } = conversation(
    user("Never touch prod.yaml. The port: 54321."),
    assistant("I'll use a Map because it is faster. Wait, is it?", call("Edit", { file_path: "a.ts" }, "e")),
    result("The file a.ts has been updated.", { id: "e" }),
    assistant(
      "I'll use a Set instead of the Map, order id: W2378156.",
      call("Bash", { command: "make" }, "m"),
    ),
    result("Exit code 2\nmake: fatal error: no rule", { id: "m" }),
  );
  const ledger = updateLedger(emptyLedger, messages, { wordsFrom: 3 });
  expect(ledger).toMatchObject({
    files: [{ path: "a.ts" }],
    errors: [{ open: true }],
    constraints: [{ text: "Never touch prod.yaml." }],
    decisions: [{ text: "I'll use a Set instead of the Map, order id: W2378156." }],
    values: [{ key: "order id" }],
    doubts: [],
  });
});

test("pieces give the same ledger as the whole, also after a round trip through JSON", () => {
  fc.assert(
    fc.property(fc.array(wire, { maxLength: 40 }), fc.array(fc.nat(80), { maxLength: 6 }), (groups, cuts) => {
      const { messages } = conversation(...groups.flat());
      const whole = updateLedger(emptyLedger, messages);
      let ledger: Ledger = emptyLedger;
      let from = 0;
      for (const cut of [...cuts.toSorted((a, b) => a - b), messages.length]) {
        ledger = JSON.parse(JSON.stringify(updateLedger(ledger, messages.slice(from, cut))));
        from = Math.max(from, cut);
      }
      expect(ledger).toEqual(JSON.parse(JSON.stringify(whole)));
      expect(updateLedger(emptyLedger, messages)).toEqual(whole);
    }),
    { numRuns: 200 },
  );
});

test.each(["a", " ", "-", "界", "=", "a: 1", "[ ] ", "I'll ", "\n", "QUJD", '{"a":', "\0", "\ud800", "> "])(
  "bears a megabyte of %j in every place",
  (piece) => {
    const text = `${piece.repeat(Math.ceil(1_000_000 / piece.length))}`;
    const messages: readonly Message[] = conversation(
      assistant(text, call("Bash", { command: text }), call("Edit", { file_path: text }), call(text, text)),
      result(text),
      result(text),
      result(text),
    ).messages;
    const ledger = updateLedger(emptyLedger, messages);
    expect(JSON.stringify(ledger).length).toBeLessThan(200_000);
  },
);

test("a check that was piped on and does not say that it passed neither passed nor makes a failure go away", () => {
  const { commands, errors } = ledgerOf(
    bash("golangci-lint run ./..."),
    result("Exit code 1\na.go:1:2: error: unused (unused)"),
    bash("golangci-lint run ./... 2>&1 | head -30"),
    result("a.go:1:2: unused (unused)\n1 issues:"),
  );
  expect(commands.map(({ outcome, line }) => `${outcome} ${line}`)).toEqual([
    "failed a.go:1:2: error: unused (unused)",
    "unknown a.go:1:2: unused (unused)",
  ]);
  expect(errors.map(({ open }) => open)).toEqual([true]);
});

test("of a command whose result is left out nobody knows how it ended", () => {
  const { commands, errors } = ledgerOf(
    bash("npm test"),
    result("Exit code 1\n3 failed", { isError: true }),
    bash("npm test"),
    result("[not shown: pith:abc]"),
  );
  expect(commands).toMatchObject([{ outcome: "unknown", line: "", runs: 2 }]);
  expect(errors.map(({ open }) => open)).toEqual([true]);
});

test("a file that was made and deleted before any commit is as if it had never been; one that was there is deleted", () => {
  const { files } = ledgerOf(
    bash("cat > _tmp.md <<'EOF'\nx\nEOF\nvale _tmp.md; rm _tmp.md"),
    result(""),
    read("a.ts"),
    result("1\tx"),
    bash("rm a.ts"),
    result(""),
  );
  expect(files.map(({ path, last, settled }) => [path, last, settled ?? false])).toEqual([
    ["_tmp.md", "deleted", true],
    ["a.ts", "deleted", false],
  ]);
  const committed = ledgerOf(
    bash("touch b.ts && git add b.ts && git commit -m x"),
    result("[main 1a2b3c4] x"),
    bash("rm b.ts"),
    result(""),
  );
  expect(committed.files[0]).toMatchObject({ last: "deleted", settled: undefined });
});

test("a file that was there, or may have been there, before it was written is deleted, and only one made anew cancels out", () => {
  const endOf = (...messages: readonly WireMessage[]) => {
    const { last, settled } = ledgerOf(...messages).files.at(-1)!;
    return [last, settled ?? false];
  };
  const remove = [bash("rm /r/a.ts"), result("")];
  const create = [assistant("", call("Write", { file_path: "/r/a.ts", content: "y" })), result("Created.")];
  const print = [bash("echo x > /r/a.ts"), result("")];
  expect(endOf(...create, ...remove)).toEqual(["deleted", true]);
  expect(endOf(...remove, ...create)).toEqual(["edited", false]);
  expect(endOf(...remove, ...create, ...remove)).toEqual(["deleted", false]);
  expect(endOf(...create, ...remove, ...create)).toEqual(["created", false]);
  expect(endOf(...print, ...remove)).toEqual(["deleted", false]);
  expect(endOf(...print, ...remove, ...print)).toEqual(["created", false]);
  expect(endOf(...print, read("/r/a.ts"), result("x"), ...remove)).toEqual(["deleted", false]);
  const untracked = [bash("git status --short"), result("?? a.ts")];
  expect(endOf(...print, ...untracked, ...remove)).toEqual(["deleted", true]);
});
