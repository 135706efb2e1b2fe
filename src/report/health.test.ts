import { expect, test } from "vitest";
import type { Conversation } from "../conversation/conversation.ts";
import { readConversation } from "../engine/reading.ts";
import { assistant, call, conversation, result, system, user } from "../testing/builders.ts";
import type { Fill } from "../tokens/fill.ts";
import { findConflicts } from "./conflicts.ts";
import { type HealthOptions, health, healthLine } from "./health.ts";
import { findStale } from "./staleness.ts";

test.each([
  [3_999, "OK", "none"],
  [4_000, "WARN", "summarize"],
  [6_399, "WARN", "summarize"],
  [6_400, "CRITICAL", "trim"],
])("[F40] %i of 8,000 tokens is %s, and the action is %s", (tokens, status, action) => {
  expect(check({ fill: fill(tokens) })).toMatchObject({ status, action, utilisation: tokens / 8_000 });
});

test.each([
  [20, "OK", "none"],
  [21, "WARN", "consider summarizing"],
  [30, "WARN", "consider summarizing"],
  [31, "WARN", "trim"],
])("[F40] %i messages are %s, and the action is %s, whatever the tokens", (messages, status, action) => {
  expect(check({ conversation: talk(messages), fill: fill(100) })).toMatchObject({
    status,
    action,
    messages,
  });
});

test("the harsher of the two rules is recommended", () => {
  expect(check({ conversation: talk(21), fill: fill(4_000) }).action).toBe("summarize");
  expect(check({ conversation: talk(31), fill: fill(4_000) }).action).toBe("trim");
});

test("without a window the messages alone are judged", () => {
  const found = check({ conversation: talk(21) });
  expect(found).toMatchObject({ status: "WARN", action: "consider summarizing" });
  expect(found).not.toHaveProperty("utilisation");
  expect(healthLine(found)).toBe("Health check: 21 messages → Consider summarizing");
});

test("[F40] the log line has the source's form", () => {
  expect(healthLine(check({ fill: fill(4_000) }))).toBe("Health check: 50% tokens → Summarize");
  expect(healthLine(check({ fill: fill(6_500) }))).toBe("Health check: 81.3% tokens → Trim");
  expect(healthLine(check({ fill: fill(400) }))).toBe("Health check: 5% tokens → OK");
  expect(healthLine(check({ fill: fill(4_000) }), "Summarized")).toBe(
    "Health check: 50% tokens → Summarized",
  );
});

test("[F40] says which of persona, task and session id are missing", () => {
  expect(check({ conversation: conversation(user("Fix it.")) })).toMatchObject({
    status: "WARN",
    missing: ["persona"],
  });
  expect(check({ conversation: conversation(system("You are terse.")) }).missing).toEqual(["task"]);
  const required = ["persona", "task", "session id"] as const;
  expect(check({ required }).missing).toEqual(["session id"]);
  expect(check({ required, sessionId: "s-1" }).missing).toEqual([]);
});

test.each([
  ["Always use tabs.", "Never use tabs.", "opposite"],
  ["Please always run the tests!", "don't run the tests", "opposite"],
  ["- You must use the staging server.", "You must not use the staging server, it is down.", "opposite"],
  ["Set the timeout to 30.", "Set timeout to 60.", "two values"],
  ["Set the log level to `debug`.", "The log level must be info.", "two values"],
  ["_请注意。_Always use tabs.", "_请注意。_Never use tabs.", "opposite"],
] as const)("[F40] %j conflicts with %j", (earlier, later, kind) => {
  const messages = conversation(user(`Hello.\n\n${earlier}`), assistant("Sure."), user(later)).messages;
  expect(findConflicts(readConversation(messages))).toMatchObject([
    { kind, earlier: { position: 0 }, later: { position: 2 } },
  ]);
});

test.each([
  ["Always use tabs.", "Never use tabs in Makefiles."],
  ["Always use tabs.", "Always use tabs."],
  ["Set the timeout to 30.", "Set the retries to 60."],
  ["It must be 30.", "It must be 60."],
  ["Run the tests.", "Don't run the tests yet."],
  ["Always use tabs.", "```\nNever use tabs.\n```"],
])("%j does not conflict with %j", (earlier, later) => {
  expect(
    findConflicts(readConversation(conversation(user(earlier), assistant("ok"), user(later)).messages)),
  ).toEqual([]);
});

test("what the assistant says is no rule, and of several changes of mind the newest pair is given", () => {
  const messages = conversation(
    user("Always use tabs."),
    assistant("Never use tabs."),
    user("Never use tabs."),
    user("Always use tabs."),
  ).messages;
  expect(findConflicts(readConversation(messages))).toEqual([
    {
      kind: "opposite",
      earlier: { position: 2, text: "Never use tabs." },
      later: { position: 3, text: "Always use tabs." },
    },
  ]);
});

test("a conflict raises the status and asks for the user", () => {
  const found = check({ conversation: conversation(system("s"), user("Always use tabs. Never use tabs.")) });
  expect(found).toMatchObject({ status: "WARN", action: "none" });
  expect(found.notes.join()).toContain("ask the user");
});

test("[F40] a file that was read before it was edited is stale", () => {
  const messages = conversation(
    user("Fix a.ts."),
    assistant("", call("read_file", { path: "a.ts" }), call("read_file", { path: "b.ts" })),
    result("old a"),
    result("b"),
    assistant("", call("str_replace_editor", { command: "str_replace", path: "a.ts" })),
    result("done"),
    assistant("", call("str_replace_editor", { command: "view", path: "a.ts" })),
    result("new a"),
  ).messages;
  expect(findStale(readConversation(messages))).toEqual([
    { position: 2, since: 4, reason: "a.ts was changed since it was read here" },
  ]);
});

test("[F40] an edit that failed makes no read stale, what a command did to the file does", () => {
  const messages = conversation(
    assistant("", call("Read", { file_path: "/a.ts" }), call("Read", { file_path: "/b.ts" })),
    result("a"),
    result("b"),
    assistant("", call("Edit", { file_path: "/a.ts", old_string: "a", new_string: "c" })),
    result("<tool_use_error>File has been modified since read.</tool_use_error>"),
    assistant("", call("Bash", { command: "rm /b.ts" })),
    result(""),
  ).messages;
  expect(findStale(readConversation(messages))).toEqual([
    { position: 2, since: 5, reason: "/b.ts was changed since it was read here" },
  ]);
});

test.each([
  ["Bash", { command: "cd /src && sed -i '' 's|a|b|g' c.ts" }, true],
  ["Bash", { command: "node build.js > /src/c.ts" }, true],
  ["edit", { filePath: "/src/c.ts", oldString: "a", newString: "b" }, true],
  ["delete_file", { target_file: "/src/c.ts" }, true],
  ["Bash", { command: "cat /src/c.ts | grep a; node /src/c.ts" }, false],
])("[F40] after a call of %s with %j the file is out of date: %s", (name, given, isStale) => {
  const messages = conversation(
    assistant("", call("read_file", { absolute_path: "/src/c.ts" })),
    result("a"),
    assistant("", call(name, given)),
    result("done"),
  ).messages;
  expect(findStale(readConversation(messages))).toHaveLength(isStale ? 1 : 0);
});

test("[F40] an error that the same call overcame later is stale, one that stands is not", () => {
  const messages = conversation(
    assistant("", call("bash", { command: "npm test" })),
    result("Error: 3 failed"),
    assistant("", call("bash", { command: "npm run lint" })),
    result("Error: 1 warning"),
    assistant("", call("bash", { command: "npm test" })),
    result("all passed"),
  ).messages;
  expect(findStale(readConversation(messages))).toEqual([
    { position: 1, since: 5, reason: "bash failed here and succeeded since" },
  ]);
  const found = check({ conversation: { ...talk(2), messages: [...talk(2).messages, ...messages] } });
  expect(found.status).toBe("OK");
  expect(found.notes).toEqual(["Out of date: 1 tool result."]);
});

test.each([
  ["letters", "a".repeat(1_000_000)],
  ["spaces", `always ${" ".repeat(1_000_000)}`],
  ["rules", "Set the x to 1. ".repeat(60_000)],
  ["quotes", ">".repeat(5_000)],
  ["wide letters", "漢".repeat(1_000_000)],
  ["a lone surrogate", "\ud800 always \0 use \ufeff tabs"],
])("a message full of %s is judged without trouble", (_, text) => {
  const found = check({ conversation: conversation(system("s"), user(text)) });
  expect(found.conflicts).toEqual([]);
});

function check(options: Partial<HealthOptions>) {
  return health({ conversation: talk(2), ...options });
}

function talk(count: number): Conversation {
  const spoken = Array.from({ length: count }, (_, index) => (index % 2 ? assistant("ok") : user("go on")));
  return conversation(system("You are terse."), ...spoken);
}

function fill(tokens: number): Fill {
  return {
    tokens,
    budget: 8_000,
    window: 8_000,
    reserve: 0,
    base: 8_000,
    ratio: tokens / 8_000,
    exact: true,
  };
}
