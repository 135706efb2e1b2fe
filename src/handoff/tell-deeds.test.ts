import { expect, test } from "vitest";
import { readTurns } from "../reading/read-turns.ts";
import { type UsedLater, usedLater } from "../reading/used-later.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import type { Entry, Story } from "./story.ts";
import { changesOf, withEdits } from "./tell-changes.ts";
import { tellCalls } from "./tell-deeds.ts";

const stepsOf = (...messages: readonly WireMessage[]) =>
  readTurns(conversation(user("Go."), ...messages).messages).flatMap(({ steps }) => steps);
const never: UsedLater = () => false;

function tell(
  messages: readonly WireMessage[],
  { isCured = false, isInHand = false } = {},
): readonly Entry[] {
  const { messages: all } = conversation(user("Go."), ...messages);
  const used = usedLater(all);
  return readTurns(all).flatMap(({ steps }) =>
    steps.flatMap((step) => tellCalls(step, { at: step.at, used, isInHand, isCured: () => isCured })),
  );
}
const done = (name: string, args: unknown, answer: string, isError = false) => [
  assistant("", call(name, args)),
  result(answer, { isError }),
];
const told = (name: string, args: unknown, answer: string, isError = false) =>
  tell(done(name, args, answer, isError))[0]!;
const leadOf = (entry: Entry) => entry.units[0]!;

test("a command is told with how it ended and the line that mattered", () => {
  expect(leadOf(told("Bash", { command: "npm test" }, "12 passed")).text).toBe("$ npm test → 12 passed");
  expect(
    leadOf(told("Bash", { command: "npm test" }, "Exit code 1\nTypeError: x is not a function")).text,
  ).toBe("✗ $ npm test → exit 1: TypeError: x is not a function");
  expect(leadOf(told("Bash", { command: "mkdir x" }, "")).text).toBe("$ mkdir x → ok");
});

test("a check that was piped on is told by what it found, and as ok only if it says so", () => {
  const piped = (answer: string) => told("Bash", { command: "eslint src 2>&1 | head -9" }, answer);
  expect(leadOf(piped("a.ts:1:2: no-var\n\n1 problem")).text).toBe(
    "$ eslint src 2>&1 | head -9 → a.ts:1:2: no-var",
  );
  expect(leadOf(piped("")).text).toBe("$ eslint src 2>&1 | head -9 → ok");
  expect(piped("src/a.ts\nsrc/b.ts").units.map(({ text }) => text)).toEqual([
    "$ eslint src 2>&1 | head -9",
    "→ src/a.ts ⏎ src/b.ts",
  ]);
});

test("an editor that does several things is told with what it did", () => {
  const path = "/tests/a.md";
  const text = (name: string, args: Readonly<Record<string, unknown>>, answer = "ok") =>
    leadOf(told(name, args, answer)).text;
  expect(text("str_replace_editor", { command: "view", path })).toBe("→ str_replace_editor view /tests/a.md");
  expect(text("text_editor", { command: "view", path })).toBe("→ text_editor view /tests/a.md");
  expect(text("str_replace_editor", { command: "create", path, file_text: "x" })).toBe(
    "→ str_replace_editor create /tests/a.md",
  );
  expect(
    text(
      "str_replace_editor",
      { command: "str_replace", path, old_str: "x", new_str: "y" },
      "No match found",
    ),
  ).toMatch(/^✗ str_replace_editor str_replace \/tests\/a\.md → /);
});

test("while a turn is in hand, the lines of a command's output that a later call took something up from are facts", () => {
  const rows = Array.from({ length: 9 }, (_, at) => `${at}a2b3c4d 2026-01-0${at} Change number ${at}`);
  const commands = [
    ...done("Bash", { command: "git log" }, rows.join("\n")),
    ...done("Bash", { command: "git show 5a2b3c4d" }, "diff"),
  ];
  const factsOf = ([log]: readonly Entry[]) =>
    log!.units.flatMap(({ isFact, text }) => (isFact ? [text] : []));
  expect(factsOf(tell(commands, { isInHand: true }))).toEqual([`  ${rows[5]}`]);
  expect(factsOf(tell(commands))).toEqual([]);
  const all = [...commands, ...done("Bash", { command: `git show ${rows.join(" ")}` }, "diff")];
  expect(factsOf(tell(all, { isInHand: true }))).toEqual([]);
});

test("of a command that says nothing of how it ended, the first lines that it showed are told, after all words", () => {
  const { units } = told("Bash", { command: "git log --oneline -2" }, "1a2b3c4 Fix it\n5d6e7f8 Add it");
  expect(units.map(({ text }) => text)).toEqual([
    "$ git log --oneline -2",
    "→ 1a2b3c4 Fix it ⏎ 5d6e7f8 Add it",
  ]);
  expect(units[1]!.minor).toBe("printed");
  expect(leadOf(told("Bash", { command: "git status --short" }, "")).text).toBe(
    "$ git status --short → nothing printed",
  );
  const notice = "Shell cwd was reset to /home/me/app";
  expect(leadOf(told("Bash", { command: "cd ../x && git status --short" }, notice)).text).toMatch(
    /→ nothing printed$/,
  );
});

test("what a command printed of a file can be read again; what another command printed cannot", () => {
  const kind = (command: string) => told("Bash", { command }, "some text").detail?.kind;
  expect(["cat a.ts", "cd web && sed -n 1,80p a.ts", "head -30 a.ts"].map(kind)).toEqual([
    "read",
    "read",
    "read",
  ]);
  expect(["git log -2", "cat a.ts && npm ls", "grep x a.ts"].map(kind)).toEqual([
    "printed",
    "printed",
    "printed",
  ]);
});

test("a check is known by its program, not by a word of a path", () => {
  const { units } = told("Bash", { command: "git diff .github/workflows/release.yml" }, "-  a\n+  b");
  expect(units.map(({ text }) => text)).toEqual(["$ git diff .github/workflows/release.yml", "→ - a ⏎ + b"]);
});

test("a check outweighs what merely ran, and an open failure one that was overcome; what lasts is told with the turn", () => {
  const worth = (command: string, answer = "") => leadOf(told("Bash", { command }, answer)).worth;
  expect(leadOf(told("Bash", { command: "git commit -m x" }, "[main 1a2b3c4] x")).minor).toBe("printed");
  expect(worth("npm test")).toBeGreaterThan(worth("echo x"));
  const failing = done("Bash", { command: "npm test" }, "Exit code 1\nError: x");
  expect(leadOf(tell(failing)[0]!).worth).toBeGreaterThan(leadOf(tell(failing, { isCured: true })[0]!).worth);
});

test("a call that timed out failed, whatever its client says", () => {
  for (const answer of [
    "Command timed out after 2m 0.0s",
    "Tool call timed out",
    "Error: timeout",
    "No answer: timed out",
  ]) {
    for (const [name, args] of [
      ["Bash", { command: "npm test" }],
      ["pay", { id: 7 }],
    ] as const) {
      expect(leadOf(told(name, args, answer)).text).toMatch(/^✗ .* → .*timed out|^✗ .* → .*timeout/i);
    }
  }
});

test("a file, a search or a log that speaks of timeouts did not time out", () => {
  const config = "const timeout = 30;\nexport const retries = 3;";
  expect(leadOf(told("Read", { file_path: "src/config.ts" }, config)).text).toBe("→ Read src/config.ts");
  expect(leadOf(told("Grep", { pattern: "timed out" }, "src/a.ts: the call timed out")).text).not.toMatch(
    /^✗/,
  );
  expect(
    leadOf(told("Bash", { command: "npm test" }, "✓ retries a call that timed out\n12 passed")).text,
  ).toMatch(/^\$ npm test → /);
  expect(leadOf(told("get_settings", { id: 7 }, '{"timeout": 30, "mode": "fast"}')).text).toMatch(
    /^→ get_settings/,
  );
  for (const none of ["No tests timed out.", "0 requests timed out", "- none timed out", "no timeout"]) {
    expect(leadOf(told("Bash", { command: "npm test" }, `12 passed\n${none}`)).text).not.toMatch(/^✗/);
  }
});

test("a deed that cannot be undone is told with its arguments and its answer, and outweighs a look", () => {
  const deed = leadOf(told("book_flight", { flight: "HAT002", seats: 2 }, "Booked as R4711"));
  expect(deed.text).toBe("→ book_flight(flight HAT002, seats 2) → Booked as R4711");
  const look = leadOf(told("get_flight", { flight: "HAT002" }, "on time"));
  expect(look.text).toBe("→ get_flight(flight HAT002) → on time");
  expect(deed.minor).toBeUndefined();
  expect(look.minor).toBe("intended");
  expect(deed.worth).toBeGreaterThan(look.worth);
});

test("an answer of records stands under its call, what was taken up later worth most", () => {
  const rows = [
    { id: "HAT001", price: 120 },
    { id: "HAT002", price: 99 },
  ];
  const [entry] = tell([
    assistant("", call("search_flights", { to: "Rome" })),
    result(JSON.stringify(rows)),
    assistant("HAT002 it is, for 99."),
  ]);
  expect(entry!.units.map(({ text }) => text)).toEqual([
    "→ search_flights(to Rome)",
    "  2 rows; id | price",
    "    HAT001 | 120",
    "    HAT002 | 99",
  ]);
  const [lead, head, first, second] = entry!.units;
  expect([lead!.under, head!.under, first!.under, second!.under]).toEqual([undefined, 0, 1, 1]);
  expect(second!.worth).toBeGreaterThan(first!.worth);
});

test("a failure says why", () => {
  expect(
    leadOf(told("Edit", { file_path: "src/a.ts" }, "String to replace not found in file.", true)).text,
  ).toBe("✗ Edit src/a.ts → String to replace not found in file.");
});

test("a failure that is JSON, or stands in a client's envelope, says its message", () => {
  const failed = JSON.stringify({ status: "error", code: 4, message: "No deck is open yet" }, null, 2);
  expect(leadOf(told("add_slide", { title: "x" }, failed)).text).toBe(
    "✗ add_slide(title x) → No deck is open yet",
  );
  const nested = JSON.stringify({ status: "error", error: { message: "No deck is open" } });
  expect(leadOf(told("add_slide", {}, nested)).text).toMatch(/→ No deck is open$/);
  const inner = JSON.stringify({ content: [{ type: "text", text: "ENOENT: no such file" }], isError: true });
  const python = `meta=None content=[TextContent(type='text', text='${inner}', annotations=None)] isError=False`;
  expect(leadOf(told("read_file", { path: "/a/b.csv" }, python)).text).toBe(
    "✗ read_file /a/b.csv → ENOENT: no such file",
  );
});

test("a failure of a tool that calls others says which of them was tried", () => {
  const inner = { path: "/data/a.csv", content: "1,2" };
  const given = { server_name: "files", tool_name: "write_file", params: inner };
  expect(leadOf(told("execute-tool", given, "Error: 'file_hash' is required", true)).text).toBe(
    "✗ execute-tool files write_file /data/a.csv → Error: 'file_hash' is required",
  );
});

test("rows of an answer that one call copied by the dozen are not all facts: a few tell what the others are like", () => {
  const rows = Array.from(
    { length: 12 },
    (_, at) => `Station ${at}7x,nitrogen dioxide,Mean,ppb,${at}3.5,winter`,
  );
  const [fetched] = tell([
    ...done("fetch", { url: "https://example.org/a.csv" }, rows.join("\n")),
    ...done("save_note", { text: rows.join("\n") }, "saved"),
  ]);
  expect(fetched!.units.filter(({ isFact }) => isFact)).toHaveLength(6);
});

test("what a tool says of its own answer at its end is a fact, however long the answer is", () => {
  const rows = Array.from({ length: 400 }, (_, at) => `Paragraph ${at} of the page says something else.`);
  const notice = "<error>Content truncated. Call the tool with a start_index of 5000 to get more.</error>";
  const { units } = told("fetch", { url: "https://example.org" }, [...rows, notice].join("\n"));
  expect(units.filter(({ isFact }) => isFact).map(({ text }) => text.trim())).toEqual([notice]);
});

test("a call that nothing answered yet says so", () => {
  expect(tell([assistant("", call("deploy", { to: "staging" }))])[0]!.units[0]!.text).toBe(
    "→ deploy(to staging) (no answer yet)",
  );
});

test("a call that the user declined is told with the user's own words, however many", () => {
  const declined =
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n";
  const entries = tell(done("Bash", { command: "rm -rf build" }, `${declined}Use git clean.`, true));
  const textsOf = (told: readonly Entry[]) =>
    told.map(({ voice, units }) => [voice, ...units.map(({ text }) => text)]);
  expect(textsOf(entries)).toEqual([
    ["deed", "→ Bash rm -rf build: the user declined it, saying:", "Use git clean."],
  ]);
  expect(entries[0]!.units[1]).toMatchObject({ under: 0 });
  expect(entries[0]!.units[1]!.worth).toBeGreaterThan(leadOf(entries[0]!).worth);
  const long = tell(done("Bash", { command: "make" }, `${declined}${"Never do it. ".repeat(1_000)}`, true));
  expect(long[0]!.units).toHaveLength(1_001);
  const silent = tell(done("Bash", { command: "make" }, "The user doesn't want to proceed.", true));
  expect(textsOf(silent)).toEqual([["deed", "→ Bash make: the user declined it"]]);
});

test("a question to the user is told by what they answered, a plan as what the agent said", () => {
  const answered = told("AskUserQuestion", { questions: [] }, "User answered: tabs");
  expect([answered.voice, ...answered.units.map(({ text }) => text)]).toEqual([
    "deed",
    "→ AskUserQuestion, answered:",
    "User answered: tabs",
  ]);
  const plan = told("ExitPlanMode", { plan: `# Plan\n${"Change the parser first. ".repeat(5)}` }, "approved");
  expect([plan.voice, leadOf(plan).text]).toEqual(["agent", "Plan: # Plan"]);
});

test("another agent's report stands under its call", () => {
  const report = told("Task", { description: "look" }, "# Found\nThe bug is in src/a.ts.");
  expect(report.voice).toBe("deed");
  expect(report.units.map(({ text, under }) => [text, under])).toEqual([
    ["→ Task: look", undefined],
    ["# Found", 0],
    ["The bug is in src/a.ts.", 1],
  ]);
});

test.each([
  [
    "a patch",
    "apply_patch",
    { input: "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-old\n+new\n*** End Patch" },
  ],
  [
    "several edits",
    "MultiEdit",
    { file_path: "src/a.ts", edits: [{ old_string: "old", new_string: "new" }] },
  ],
])("%s is told by its file, as any other edit, and what it wrote is a detail", (_, tool, args) => {
  const { units, detail } = told(tool, args, "Success. Updated src/a.ts");
  expect(units.map(({ text, minor }) => [text, minor])).toEqual([[`→ ${tool} src/a.ts`, "printed"]]);
  expect(detail?.kind).toBe("written");
  expect(detail?.text).toContain("new");
});

test("what an earlier compaction left out of a call is no argument and no answer: only where it is is told", () => {
  const lines = (name: string, args: unknown, answer: string) => [leadOf(told(name, args, answer)).text];
  const leftOut = { pith: "arguments left out: pith:cunpnk6ljvgd" };
  expect(lines("Write", leftOut, "[not shown: pith:7l0nhioag4ku]")).toEqual(["→ Write (pith:cunpnk6ljvgd)"]);
  expect(lines("Write", { pith: "arguments left out" }, "[not shown]")).toEqual(["→ Write (not shown)"]);
  expect(lines("Read", { file_path: "src/a.ts" }, "[not shown: pith:7l0nhioag4ku]")).toEqual([
    "→ Read src/a.ts (pith:7l0nhioag4ku)",
  ]);
  expect(lines("search", { words: "parser" }, "[not shown: pith:7l0nhioag4ku]")).toEqual([
    "→ search(words parser) (pith:7l0nhioag4ku)",
  ]);
  expect(lines("search", { words: "parser" }, "[not shown: yes]\nmore")).not.toEqual([
    "→ search(words parser) (yes)",
  ]);
});

test("a todo list is no deed", () => {
  expect(tell(done("TodoWrite", { todos: [{ content: "x", status: "pending" }] }, "ok"))).toEqual([]);
});

test("what changed in a turn is told once: the files, what was made, the declarations touched", () => {
  const steps = stepsOf(
    ...done(
      "Write",
      { file_path: "src/new.ts", content: "export function parse() {}\nclass Reader {}\n" },
      "File created successfully at: src/new.ts",
    ),
    ...done(
      "Edit",
      { file_path: "src/old.ts", old_string: "a", new_string: "const limit = 3;" },
      "The file src/old.ts has been updated.",
    ),
    ...done(
      "Edit",
      { file_path: "src/old.ts", old_string: "b", new_string: "c" },
      "The file src/old.ts has been updated.",
    ),
    ...done("Edit", { file_path: "src/failed.ts" }, "String to replace not found in file.", true),
  );
  const text = changesOf(steps, false)[0]!
    .units.map((unit) => unit.text)
    .join("");
  expect(text).toMatch(/^Changed: src\/new\.ts \((?:new; )?parse, Reader\), src\/old\.ts ×2/);
  expect(text).not.toContain("failed.ts");
  expect(changesOf(stepsOf(...done("Read", { file_path: "a.ts" }, "x")), true)).toEqual([]);
  expect(changesOf([], true)).toEqual([]);
});

test("the declarations that a patch or one of several edits touches are told, too", () => {
  const patch =
    "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-let x;\n+export function parse() {}\n*** End Patch";
  const edits = [{ old_string: "x", new_string: "export class Reader {}" }];
  const steps = stepsOf(
    ...done("apply_patch", { input: patch }, "Success. Updated the following files:\nM src/a.ts"),
    ...done("MultiEdit", { file_path: "src/b.ts", edits }, "Applied 1 edit to src/b.ts"),
  );
  const [changed] = changesOf(steps, false);
  expect(changed!.units.map(({ text }) => text).join("")).toBe(
    "Changed: src/a.ts (parse), src/b.ts (Reader)",
  );
});

test("a declaration that a later edit of the turn renamed or took out is told as it is then", () => {
  const write = done(
    "Write",
    { file_path: "a.go", content: "type Env struct {\n}\nfunc NewEnv() {\n}" },
    "ok",
  );
  const rename = done(
    "Edit",
    { file_path: "a.go", old_string: "func NewEnv() {", new_string: "func NewTestEnv() {" },
    "The file a.go has been updated.",
  );
  const drop = done(
    "Edit",
    { file_path: "a.go", old_string: "type Env struct {\n}", new_string: "// none" },
    "The file a.go has been updated.",
  );
  const changed = (...messages: readonly WireMessage[]) =>
    changesOf(stepsOf(...messages), false)[0]!.units.map(({ text }) => text);
  expect(changed(...write, ...rename)).toEqual(["Changed: a.go ×2 (new; Env, NewTestEnv)"]);
  expect(changed(...write, ...rename, ...drop)).toEqual(["Changed: a.go ×3 (new; NewTestEnv)"]);
  expect(changed(...write, ...rename, ...write)).toEqual(["Changed: a.go ×3 (new; Env, NewEnv)"]);
});

const bash = (command: string) => done("Bash", { command }, "");
const changed = (...messages: readonly WireMessage[]) =>
  changesOf(stepsOf(...messages), false).map(({ units }) => units.map(({ text }) => text).join(""));
const editOf = (path: string, now: string) =>
  done("Edit", { file_path: path, old_string: "a", new_string: now }, `The file ${path} has been updated.`);

test("what was made and went again in a turn is not told, and what was deleted and made again is not deleted", () => {
  expect(changed(...bash("cat > /tmp/_tmp.md < a.md; vale /tmp/_tmp.md; rm /tmp/_tmp.md"))).toEqual([]);
  const write = (answer: string) => done("Write", { file_path: "a.ts", content: "x" }, answer);
  const made = write("File created successfully at: a.ts");
  expect(changed(...made, ...editOf("a.ts", "b"), ...bash("rm a.ts"))).toEqual([]);
  const patch = "*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch";
  const patched = done("apply_patch", { input: patch }, "Success. Updated the following files:\nA a.ts");
  expect(changed(...patched, ...bash("rm a.ts"))).toEqual([]);
  expect(changed(...bash("rm -rf site && mkdir site"))).toEqual([]);
  expect(changed(...bash("rm a.ts"), ...bash("echo x > a.ts"))).toEqual(["Changed: a.ts ×2"]);
  expect(changed(...bash("rm -rf site a.ts"))).toEqual(["Changed: site (deleted), a.ts (deleted)"]);
});

test("what may have been there before it was written and deleted is deleted", () => {
  const read = done("Read", { file_path: "/repo/a.ts" }, "x");
  const remove = bash("rm a.ts");
  const deleted = ["Changed: a.ts ×2 (deleted)"];
  expect(changed(...read, ...bash("echo x > a.ts"), ...remove)).toEqual(deleted);
  expect(changed(...bash("echo x > a.ts"), ...remove)).toEqual(deleted);
  const write = (answer: string) => done("write_file", { path: "a.ts", content: "x" }, answer);
  expect(changed(...write("ok"), ...remove)).toEqual(deleted);
  expect(changed(...write("Wrote db/created.sql"), ...remove)).toEqual(deleted);
  expect(changed(...read, ...write("Successfully created a.ts."), ...remove)).toEqual(deleted);
});

test("what takes the place of a file counts as a change of it, and is not told as new", () => {
  const swap = bash("sed 's/a/b/' a.ts > a.ts.tmp && mv a.ts.tmp a.ts");
  expect(changed(...editOf("a.ts", "const limit = 3;"), ...swap)).toEqual(["Changed: a.ts ×2 (limit)"]);
  expect(changed(...bash("jq .x package.json > tmp.json && mv tmp.json package.json"))).toEqual([
    "Changed: package.json",
  ]);
  expect(changed(...bash("rm a.ts"), ...swap)).toEqual(["Changed: a.ts ×2"]);
  expect(changed(...bash("cat a.ts > b.ts; echo x > a.ts"))).toEqual(["Changed: b.ts (new), a.ts"]);
  expect(changed(...editOf("/repo/a.ts", "b"), ...bash("echo x > a.ts"))).toEqual([
    "Changed: /repo/a.ts, a.ts",
  ]);
});

test("the first file of a change carries the others", () => {
  const edit = (path: string) =>
    done("Edit", { file_path: path, new_string: "x" }, `The file ${path} has been updated.`);
  const { units } = changesOf(stepsOf(...edit("a.ts"), ...edit("b.ts")), false)[0]!;
  expect(units.map(({ join, under }) => [join, under])).toEqual([
    ["\n", undefined],
    ["", 0],
  ]);
});

test("of the turn in hand the files that were changed last are told with what went and what came, the last of them last", () => {
  const edit = (path: string, line: string) =>
    done(
      "Edit",
      { file_path: path, old_string: "# Log\nalways", new_string: `# Log\n${line}` },
      `The file ${path} has been updated.`,
    );
  const [entry, ...more] = changesOf(
    stepsOf(...edit("b.md", "xyz"), ...edit("a.md", "when known"), ...edit("b.md", "only when known")),
    true,
  );
  expect(more).toEqual([]);
  expect(entry!.units).toMatchObject([
    { text: "Changed: a.md, b.md ×2", lasting: true },
    { text: "  a.md −1 +1 lines: − always ⏎ + when known", isEdit: true, under: 0 },
    { text: "  b.md −2 +2 lines: − always ⏎ + xyz ⏎ + only when known", isEdit: true, under: 0 },
  ]);
  const many = changesOf(
    stepsOf(..."abcdefgh".split("").flatMap((name) => edit(`${name}.md`, "when known"))),
    true,
  );
  expect(many.map(({ units }) => units[0]!.text)).toEqual([
    "Changed: a.md",
    "Changed: c.md, d.md, e.md, f.md, g.md, h.md",
  ]);
  expect(many.map(({ units }) => units.filter(({ isEdit }) => isEdit).length)).toEqual([0, 6]);
});

test("the newest edits of a turn in hand stay whatever the room; those of a turn that was answered do not", () => {
  const units = ["a.ts", "b.ts"].map((name) => ({
    ...{ text: `  ${name} +1 lines: + const x = 1;`, join: "\n" as const, worth: 0.1 },
    ...{ under: 0, isEdit: true },
  }));
  const lead = { text: "Changed: a.ts, b.ts", join: "\n" as const, worth: 3, lasting: true };
  const turn = {
    number: 1,
    standing: "open",
    entries: [{ voice: "deed", units: [lead, ...units] }],
  } as const;
  const counter = createTokenCounter();
  const musts = (story: Story) =>
    story.at(-1)!.entries.flatMap((entry) => entry.units.map(({ must = false }) => must));
  expect(musts(withEdits([turn], 1_000, counter))).toEqual([true, true, true]);
  expect(musts(withEdits([turn], 20, counter))).toEqual([true, false, true]);
  expect(musts(withEdits([turn], 5, counter))).toEqual([false, false, false]);
  expect(musts(withEdits([{ ...turn, standing: "answered" }], 1_000, counter))).toEqual([
    false,
    false,
    false,
  ]);
});

test("arguments that are no JSON, answers of nothing and of lone surrogates are told all the same", () => {
  expect(leadOf(told("x", "{broken", "")).text).toBe("→ x({broken) → no output");
  expect(leadOf(told("x", "[1,2]", "\ud800")).text).toContain("→ x(");
  expect(leadOf(told("x", { a: null }, " \n ")).text).toContain("no output");
});

test.each(["a", " ", "`", "<", "a-", "_", "<system-reminder>", "[", "{", "the user said:"])(
  "an answer of a megabyte of %j is told in no time",
  (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    const [step] = stepsOf(...done("x", { text }, `${text}\n${text}\n${text}`));
    const started = performance.now();
    tellCalls(step!, { at: 1, used: never, isCured: () => false });
    changesOf([step!], true);
    expect(performance.now() - started).toBeLessThan(4_000);
  },
);

test("a line that was printed is weighed at once, however long it is and whatever it is made of", () => {
  const blobs = ["x", "xé ", "a1-", "9f"].map((piece) => piece.repeat(2_000));
  const before = performance.now();
  for (const blob of blobs) tell(done("get_page", { id: 7 }, `${blob}\n${blob}\n${blob}`));
  expect(performance.now() - before).toBeLessThan(2_000);
});

test("what a call was only given to think is said by the agent", () => {
  const [entry] = tell(done("think", { thought: "The price is 305, not 255: a bag costs 50." }, ""));
  expect(entry!.voice).toBe("agent");
  expect(entry!.units.map(({ text }) => text)).toEqual(["The price is 305, not 255: a bag costs 50."]);
});

test("a tool that calls others is told by what it called: a look is a look, a file that it wrote stays out of the line", () => {
  const look = told("run_tool", { tool_name: "search_pages", params: { query: "x" } }, "one\ntwo\nthree");
  expect(leadOf(look).minor).toBe("printed");
  const wrote = told("run_tool", { tool_name: "send_page", params: { content: "<html>" } }, "sent");
  expect(leadOf(wrote).minor).toBeUndefined();
});

test("records that are still to be used are facts, and of a deed what it was not given", () => {
  const card = JSON.stringify({ id: "card_7", ends: "7447", note: "blue" });
  const facts = (messages: readonly WireMessage[], fresh?: "last" | "before") => {
    const steps = stepsOf(...messages);
    const entries = steps.flatMap((step) =>
      tellCalls(step, { at: step.at, used: never, isCured: () => false, ...(fresh && { fresh }) }),
    );
    return entries[0]!.units.filter(({ isFact }) => isFact).map(({ text }) => text.trim());
  };
  expect(facts(done("get_card", { user: "ann" }, card))).toEqual([]);
  expect(facts(done("get_card", { user: "ann" }, card), "last")).toEqual(["id: card_7", "ends: 7447"]);
  expect(facts(done("book", { card: "card_7" }, card))).toEqual(["ends: 7447"]);
});

test("of an error that repeats the call, the cause is told", () => {
  const given = "site:a.example crocodiles ".repeat(12).trim();
  const error = `Error when executing tool find_pages with arguments {'query': '${given}'}: Exception: No results. Use fewer words.`;
  const { text } = leadOf(told("find_pages", { query: given }, error));
  expect(text).toMatch(/^✗ find_pages site:.* → Exception: No results\. Use fewer words\.$/);
});

test("of what a command showed, warnings and rules come after what it says", () => {
  const shown = "/a/lib.py:3: UserWarning: old\n  warnings.warn(\n=====\nR0 is 5\nR1 is 7";
  expect(told("Bash", { command: "./simulate --all" }, shown).units[1]!.text).toBe("→ R0 is 5 ⏎ R1 is 7");
});
