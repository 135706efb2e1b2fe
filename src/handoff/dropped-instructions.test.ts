import { expect, test } from "vitest";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { droppedInstructions, newestWithin } from "./dropped-instructions.ts";

const loaded = (...messages: readonly WireMessage[]) =>
  droppedInstructions(conversation(...messages).messages, "");
const called = (name: string, args: Readonly<Record<string, unknown>>) => [
  assistant("", call(name, args)),
  result("Always sign the pages."),
];

test.each([
  ["Skill", { skill: "pdf" }, 'pdf: loaded by Skill {"skill":"pdf"}'],
  ["mcp__docs__load_skill", { name: "pdf" }, 'pdf: loaded by mcp__docs__load_skill {"name":"pdf"}'],
  ["skill_view", { name: "release" }, 'release: loaded by skill_view {"name":"release"}'],
  ["Read", { file_path: "/w/AGENTS.md" }, 'w/AGENTS.md: loaded by Read {"file_path":"/w/AGENTS.md"}'],
  ["shell", { command: "cat skills/pdf/SKILL.md" }, "pdf/SKILL.md: loaded by cat skills/pdf/SKILL.md"],
  [
    "read_file",
    { path: ".cursor/rules/style.mdc" },
    '.cursor/rules/style.mdc: loaded by read_file {"path":".cursor/rules/style.mdc"}',
  ],
])("[R39] what %s %o loads is told with what loads it again", (name, args, line) => {
  expect(loaded(...called(name, args))).toEqual([line]);
});

test("[R39] what a program loaded in the user's name is told by where it came from, as it was written", () => {
  expect(loaded(user("Base directory for this skill: /home/me/skills/pdf\n\nAlways sign."))).toEqual([
    "pdf: loaded from /home/me/skills/pdf",
  ]);
  expect(loaded(user("Base directory for this skill: C:\\skills\\pdf\\\nSign."))).toEqual([
    "pdf: loaded from C:\\skills\\pdf\\",
  ]);
  expect(loaded(user("# AGENTS.md instructions for /w\n\nUse tabs."))).toEqual([
    "AGENTS.md: loaded from AGENTS.md instructions for /w",
  ]);
});

test.each([
  ["Edit", { file_path: "AGENTS.md", old_string: "a", new_string: "b" }],
  ["Grep", { pattern: "x", path: "CLAUDE.md" }],
  ["Read", { file_path: "src/skill.ts" }],
  ["Bash", { command: `cat AGENTS.md ${"x".repeat(300)}` }],
  ["Skill", {}],
])("what %s %o does loads no instructions", (name, args) => {
  expect(loaded(...called(name, args))).toEqual([]);
});

test("a load that failed, and one that stands again in what stays, is not told", () => {
  const { messages } = conversation(
    ...called("Skill", { skill: "pdf" }),
    ...called("Skill", { skill: "release" }),
  );
  expect(droppedInstructions(messages, 'Skill {"skill":"pdf"}')).toEqual([
    'release: loaded by Skill {"skill":"release"}',
  ]);
  const failing = messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === "tool-result" ? { ...part, isError: true } : part)),
  }));
  expect(droppedInstructions(failing, "")).toEqual([]);
});

test("[R21 R39] what an earlier hand-off told of is told again, once, the newest last and eight at most", () => {
  const handoff = user(
    "[Pith hand-off] Past reference:\n## State: instructions no longer in view\n" +
      'pdf: loaded by Skill {"skill":"pdf"}\nold: loaded by Skill {"skill":"old"}\n' +
      "[End of hand-off]",
  );
  expect(loaded(handoff, ...called("Skill", { skill: "pdf" }))).toEqual([
    'old: loaded by Skill {"skill":"old"}',
    'pdf: loaded by Skill {"skill":"pdf"}',
  ]);
  const many = Array.from({ length: 12 }, (_, at) => called("Skill", { skill: `s${at}` })).flat();
  expect(loaded(handoff, ...many)).toHaveLength(8);
  expect(loaded(handoff, ...many).at(-1)).toBe('s11: loaded by Skill {"skill":"s11"}');
});

test("[R39] what was loaded several times is named once, and what git says of such a file, counts or deletes it loads nothing", () => {
  const { messages } = conversation(
    ...called("shell", { command: "cat AGENTS.md" }),
    ...called("shell", { command: "sed -n '1,80p' AGENTS.md" }),
    ...called("shell", { command: "git diff -- AGENTS.md" }),
    ...called("shell", { command: "wc -l AGENTS.md && rm -f AGENTS.md" }),
  );
  expect(droppedInstructions(messages, "")).toEqual(["AGENTS.md: loaded by sed -n '1,80p' AGENTS.md"]);
});

test("in a small room the newest are named, and the newest of all in any", () => {
  const lines = ["a: loaded from /skills/a", "b: loaded from /skills/b", "c: loaded from /skills/c"];
  const within = (room: number) => newestWithin(lines, room, createTokenCounter());
  expect(within(1_000)).toEqual(lines);
  expect(within(20)).toEqual(lines.slice(1));
  expect(within(0)).toEqual(lines.slice(2));
  expect(newestWithin([], 0, createTokenCounter())).toEqual([]);
});

test("a skill that a call loaded and a program then showed is named once, by the call", () => {
  const shown = "Base directory for this skill: /plugins/tools/skills/pdf\n\nAlways sign the pages.";
  expect(loaded(...called("Skill", { skill: "tools:pdf" }), user(shown))).toEqual([
    'tools:pdf: loaded by Skill {"skill":"tools:pdf"}',
  ]);
});

test.each([
  "<tool_use_error>Unknown skill: pdf</tool_use_error>",
  "Unknown skill: pdf",
  "Error: no skill pdf",
])("a load that answers %s loaded nothing, though the wire does not say that it failed", (answer) => {
  expect(loaded(assistant("", call("Skill", { skill: "pdf" })), result(answer))).toEqual([]);
});
