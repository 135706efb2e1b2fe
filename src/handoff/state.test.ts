import { expect, test } from "vitest";
import { emptyLedger, type Ledger } from "../ledger/ledger.ts";
import { readLedger } from "../ledger/read-ledger.ts";
import { updateLedger } from "../ledger/update-ledger.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { stateWithin } from "./state.ts";

const counter = createTokenCounter();
let id = 0;
const done = (name: string, args: unknown, answer: string): readonly WireMessage[] => {
  const made = `c${++id}`;
  return [assistant("", call(name, args, made)), result(answer, { id: made })];
};
const edit = (path: string) =>
  done("Edit", { file_path: path, old_string: "a", new_string: "b" }, `The file ${path} has been updated.`);
const run = (command: string, output: string) => done("Bash", { command }, output);
const todos = (list: Readonly<Record<string, string>>) =>
  done(
    "TodoWrite",
    { todos: Object.entries(list).map(([content, status]) => ({ content, status })) },
    "Todos have been modified.",
  );
const ledgerOf = (...messages: readonly WireMessage[]) =>
  updateLedger(emptyLedger, conversation(user("Go."), ...messages).messages);
const stateOf = (ledger: Ledger, room = 1_000) => stateWithin(ledger, room, counter).sections;

test("[R40] files that were changed are told until they are committed", () => {
  expect(stateOf(ledgerOf(...edit("a.ts"))).files).toEqual(["a.ts: edited"]);
  const committed = ledgerOf(
    ...edit("a.ts"),
    ...run("git commit -am x", "[main 1a2b3c4] x\n 1 file changed"),
    ...edit("b.ts"),
  );
  expect(stateOf(committed).files).toEqual(["b.ts: edited"]);
});

test("a commit that failed commits nothing, and reading a file changes nothing", () => {
  const failed = ledgerOf(...edit("a.ts"), ...run("git commit -am x", "Exit code 1\nfatal: unable to write"));
  expect(stateOf(failed).files).toEqual(["a.ts: edited"]);
  expect(stateOf(ledgerOf(...done("Read", { file_path: "a.ts" }, "x"))).files).toEqual([]);
});

test("a command that only names a commit is none", () => {
  const looked = ledgerOf(
    ...edit("a.ts"),
    ...run("git log --oneline", "1a2b3c4 commit x"),
    ...run("git status", "ok"),
  );
  expect(stateOf(looked).files).toEqual(["a.ts: edited"]);
});

test("a file that was deleted is told as deleted", () => {
  expect(stateOf(ledgerOf(...edit("a.ts"), ...run("rm a.ts", ""))).files).toEqual(["a.ts: deleted"]);
});

test("[R36] a todo list is told while something on it is open, and then whole", () => {
  expect(stateOf(ledgerOf(...todos({ "Fix it": "completed", "Ship it": "pending" }))).todos).toEqual([
    "[x] Fix it",
    "[ ] Ship it",
  ]);
  expect(stateOf(ledgerOf(...todos({ "Fix it": "completed" }))).todos).toEqual([]);
});

test("[R36] only failures that were not overcome are told", () => {
  const failing = run("npm test", "Exit code 1\nTypeError: x is not a function");
  expect(stateOf(ledgerOf(...failing)).errors).toEqual(["open: TypeError: x is not a function (npm test)"]);
  expect(stateOf(ledgerOf(...failing, ...edit("a.ts"), ...run("npm test", "12 passed"))).errors).toEqual([]);
});

test("of each check the newest run is told, of all of them the three newest, and no other command", () => {
  const ledger = ledgerOf(
    ...run("npm run lint", "ok 1"),
    ...run("npm test", "11 passed"),
    ...run("npm run build", "built in 3 s"),
    ...run("git log -1", "1a2b3c4 x"),
    ...run("npx tsc", "no complaints"),
    ...run("npm test", "12 passed"),
  );
  const { commands } = stateOf(ledger);
  expect(commands).toHaveLength(3);
  expect(commands.join("\n")).toMatch(/npm run build[\s\S]*tsc[\s\S]*npm test[\s\S]*12 passed/);
  expect(commands.join("\n")).not.toMatch(/lint|git log|11 passed/);
});

test("what found room among the must-keeps is told as such, and the room is kept", () => {
  const ledger = ledgerOf(...Array.from({ length: 60 }, (_, at) => edit(`src/part-${at}.ts`)).flat());
  for (const room of [0, 20, 60, 200, 2_000]) {
    const { sections, told } = stateWithin(ledger, room, counter);
    const lines = Object.values(sections).flat();
    expect(counter.text(lines.join("\n"))).toBeLessThanOrEqual(Math.max(0, room));
    expect(told.length).toBe(sections.files.filter((line) => line.endsWith(": edited")).length);
  }
  expect(stateWithin(ledger, 2_000, counter).told).toHaveLength(60);
});

test("nothing known is no state", () => {
  expect(stateWithin(emptyLedger, 1_000, counter)).toEqual({
    sections: { todos: [], errors: [], files: [], commands: [] },
    told: [],
  });
});

test("reading a file that is committed does not make it uncommitted, and a push or a merge commits nothing", () => {
  const commit = run("git add a.ts && git commit -m x", "[main 1a2b3c4] x\n 1 file changed");
  const readAgain = ledgerOf(...edit("a.ts"), ...commit, ...done("Read", { file_path: "a.ts" }, "x"));
  expect(stateOf(readAgain).files).toEqual([]);
  const pushed = ledgerOf(...edit("a.ts"), ...run("git push", "   1a2b3c4..2b3c4d5  main -> main"));
  expect(stateOf(pushed).files).toEqual(["a.ts: edited"]);
});

test("a commit takes the files that it was given, and those of a script that went on to fail", () => {
  const one = run("cd app && git add src/a.ts && git commit -m x", "[main 1a2b3c4] x\n 1 file changed");
  const some = ledgerOf(...edit("/home/me/app/src/a.ts"), ...edit("/home/me/app/b.ts"), ...one);
  expect(stateOf(some).files).toEqual(["/home/me/app/b.ts: edited"]);
  const script = `git add ${"src/some/long/folder/".repeat(20)}a.ts . && git commit -m "$(cat <<'EOF'\nfix: x\nEOF\n)" && git push`;
  const failed = run(
    script,
    "Exit code 1\n[main 1a2b3c4] fix: x\n 1 file changed\n ! [rejected] main -> main",
  );
  expect(stateOf(ledgerOf(...edit("a.ts"), ...failed)).files).toEqual([]);
});

test("a failure is over once the same was checked in another way, spoken of or committed", () => {
  const unit = run("go test ./a/ -run TestAdd -v", "Exit code 1\n--- FAIL: TestAdd (0.01s)");
  const told = ["open: --- FAIL: TestAdd (0.01s) (go test ./a/ -run TestAdd -v)"];
  const since = (...more: readonly WireMessage[]) =>
    stateOf(ledgerOf(...unit, ...edit("a.go"), ...more)).errors;
  expect(since()).toEqual(told);
  expect(since(...run("go test ./... 2>&1 | tail -5", "ok  a  0.1s"))).toEqual([]);
  expect(since(...run("mise run lint && mise run test", "0 issues.\nok  a  0.1s"))).toEqual([]);
  expect(since(...run("go test ./a/ -run 'TestAdd|TestSub'", "PASS"))).toEqual([]);
  expect(since(...run("go test ./a/ -run TestSub", "PASS"))).toEqual(told);
  expect(since(...run("mise run lint", "0 issues."))).toEqual(told);
  expect(since(...run("git commit -am x", "[main 1a2b3c4] x"))).toEqual([]);
  expect(since(user("And now b."))).toEqual(told);
  expect(since(user("And now b."), assistant("Done."), user("And c."))).toEqual([]);
  const refused = run(
    "gh pr create --draft --base old",
    "Exit code 1\npull request create failed: no such base",
  );
  expect(stateOf(ledgerOf(...refused)).errors).toHaveLength(1);
  const made = run("gh pr create --draft --base main", "https://github.com/a/b/pull/12");
  expect(stateOf(ledgerOf(...refused, ...made)).errors).toEqual([]);
  const whole = run("mise run test:integration", "Exit code 1\n--- FAIL: TestFlow (0.01s)");
  expect(stateOf(ledgerOf(...whole, ...run("mise run test", "ok  a  0.1s"))).errors).toHaveLength(1);
  expect(stateOf(ledgerOf(...whole, ...run("mise run test:ci", "ok  a  0.1s"))).errors).toEqual([]);
});

test("a check says whether files were changed after it, and one that speaks of checking is none", () => {
  const both = run(
    "mise run fmt && mise run lint && mise run test 2>&1 | tail -20",
    "0 issues.\nok  a  0.1s",
  );
  expect(stateOf(ledgerOf(...both)).commands).toEqual(["mise run lint, mise run test → ok"]);
  expect(stateOf(ledgerOf(...both, ...edit("a.go"))).commands).toEqual([
    "mise run lint, mise run test → ok, before later edits",
  ]);
  const named = run("git log # check the build\ngrep -rn test src", "x");
  expect(stateOf(ledgerOf(...named)).commands).toEqual([]);
});

test("what was put where nobody commits is told only where everything is there", () => {
  expect(stateOf(ledgerOf(...edit("/tmp/x.json"), ...edit("/app/a.ts"))).files).toEqual([
    "/app/a.ts: edited",
  ]);
  expect(stateOf(ledgerOf(...edit("/tmp/x.json"))).files).toEqual(["/tmp/x.json: edited"]);
});

test("a file that was named from inside a folder is committed by its whole name", () => {
  const commit = run("git add src/color/a.go && git commit -m x", "[main 1a2b3c4] x");
  expect(stateOf(ledgerOf(...edit("color/a.go"), ...edit("color/b.go"), ...commit)).files).toEqual([
    "color/b.go: edited",
  ]);
});

test("a list that is asked for stands as it is shown, whoever ticked it off", () => {
  const made = done("TaskCreate", { subject: "Add the flag" }, "Task #1 created successfully: Add the flag");
  const more = done("TaskCreate", { subject: "Test it" }, "Task #2 created successfully: Test it");
  const shown = done("TaskList", {}, "#2 [pending] Test it\n#1 [completed] Add the flag");
  expect(stateOf(ledgerOf(...made, ...more, ...shown)).todos).toEqual([
    "[x] #1 Add the flag",
    "[ ] #2 Test it",
  ]);
  const all = done("TaskList", {}, "#2 [completed] Test it\n#1 [completed] Add the flag");
  expect(stateOf(ledgerOf(...made, ...more, ...all)).todos).toEqual([]);
});

test("git status says what is changed, whoever committed it", () => {
  const clean = run("git status", "On branch main\nnothing to commit, working tree clean");
  expect(stateOf(ledgerOf(...edit("a.ts"), ...clean)).files).toEqual([]);
  const long = [
    'On branch main\nChanges not staged for commit:\n  (use "git add <file>...")',
    "\tmodified:   src/a.ts\n\tmodified:   src/helper.ts\n\nUntracked files:\n\tsrc/new/\n\tnotes.txt\n",
  ].join("\n");
  const made = done("Write", { file_path: "/app/src/new/c.ts", content: "x" }, "File created successfully");
  const some = [...edit("/app/src/a.ts"), ...edit("/app/src/b.ts"), ...made];
  const told = ["/app/src/a.ts: edited", "/app/src/new/c.ts: created"];
  expect(stateOf(ledgerOf(...some, ...run("git status -u", long))).files.toSorted()).toEqual(told);
  const short = run("git status --short", " M src/a.ts\n M src/helper.ts\n?? src/new/\n?? notes.txt");
  expect(stateOf(ledgerOf(...some, ...short)).files.toSorted()).toEqual(told);
});

test("an edit that missed its place is over once the agent looked again and changed another file, or a person spoke", () => {
  const missed = done(
    "Edit",
    { file_path: "a.md", old_string: "x", new_string: "y" },
    "<tool_use_error>String to replace not found in file.</tool_use_error>",
  );
  const open = ["open: String to replace not found in file. (Edit a.md)"];
  const look = done("Read", { file_path: "a.md" }, "1\tz");
  expect(stateOf(ledgerOf(...missed)).errors).toEqual(open);
  expect(stateOf(ledgerOf(...missed, ...edit("b.md"))).errors).toEqual(open);
  expect(stateOf(ledgerOf(...edit("b.md"), ...missed, ...look)).errors).toEqual(open);
  expect(stateOf(ledgerOf(...missed, ...look, ...edit("b.md"))).errors).toEqual([]);
  expect(stateOf(ledgerOf(...missed, assistant("Done."), user("Thanks."))).errors).toEqual([]);
});

test("where documentation is all that was changed, no check is before later edits; a ledger stored before that was told apart cannot know", () => {
  const ledger = ledgerOf(...run("npm test", "12 passed"), ...edit("README.md"));
  expect(stateOf(ledger).commands).toEqual(["npm test → ok: 12 passed"]);
  const stored = readLedger(JSON.parse(JSON.stringify(ledger)));
  expect(stateOf(stored).commands).toEqual(["npm test → ok: 12 passed"]);
  const { code: _, ...latest } = stored.latest;
  expect(stateOf({ ...stored, latest }).commands).toEqual(["npm test → ok, before later edits: 12 passed"]);
  const goingOn = updateLedger(stored, conversation(...edit("a.ts")).messages);
  expect(stateOf(goingOn).commands).toEqual(["npm test → ok, before later edits: 12 passed"]);
});

test("a check is before later edits if code changed after it, by an edit or by git, and not if only documentation did", () => {
  const lint = run("npm run lint", "ok");
  const checks = (...messages: readonly WireMessage[]) =>
    stateOf(ledgerOf(...edit("a.ts"), ...messages)).commands;
  expect(checks(...lint, ...edit("README.md"), ...edit("/tmp/notes.ts"))).toEqual(["npm run lint → ok"]);
  expect(checks(...lint, ...edit("b.ts"), ...edit("README.md"))).toEqual([
    "npm run lint → ok, before later edits",
  ]);
  expect(checks(...run("npm run lint:md", "ok"), ...edit("README.md"))).toEqual([
    "npm run lint:md → ok, before later edits",
  ]);
  expect(checks(...lint, ...run("git pull", "Updating 1a2b3c4..5d6e7f8\nFast-forward"))).toEqual([
    "npm run lint → ok, before later edits",
  ]);
  for (const [script, answer] of [
    ["git pull", "Already up to date."],
    ["git checkout -b next", "Switched to a new branch 'next'"],
    ["git log --oneline", "1a2b3c4 merge"],
  ] as const)
    expect(checks(...lint, ...run(script, answer)), script).toEqual(["npm run lint → ok"]);
});
