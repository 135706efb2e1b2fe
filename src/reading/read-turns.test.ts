import { expect, test } from "vitest";
import { END_MARKER } from "../conversation/handoffs/prefixes.ts";
import type { Message } from "../conversation/message.ts";
import {
  anthropicConversation,
  assistant,
  call,
  conversation,
  result,
  system,
  user,
  type WireMessage,
} from "../testing/builders.ts";
import { type ReadCall, type ReadTurn, readTurns } from "./read-turns.ts";

const turnsOf = (...messages: readonly WireMessage[]) => readTurns(conversation(...messages).messages);
const asksOf = (turns: readonly ReadTurn[]) => turns.map(({ ask }) => ask);
const callsIn = (turns: readonly ReadTurn[]) =>
  turns.flatMap(({ steps }) => steps.flatMap(({ calls }) => calls));
const answersIn = (turns: readonly ReadTurn[]) =>
  callsIn(turns).map(({ call: made, result: got }) => [made.name, got?.text]);
const handoff = (story: string) =>
  `[Pith hand-off] Past reference:\n## Story so far\n${story}\n${END_MARKER}`;

test("a turn is an ask and all that followed until the next, step by step", () => {
  const turns = turnsOf(
    system("Be brief."),
    user("Fix it."),
    assistant("Reading.", call("read", { path: "a.ts" })),
    result("text"),
    assistant("Fixed."),
    user("Thanks."),
  );
  expect(asksOf(turns)).toEqual(["Fix it.", "Thanks."]);
  expect(turns[0]!.steps.map(({ at, said, calls }) => [at, said, calls.length])).toEqual([
    [2, "Reading.", 1],
    [4, "Fixed.", 0],
  ]);
  expect(turns[1]!.steps).toEqual([]);
});

test("nothing said gives no turn", () => {
  expect(readTurns([])).toEqual([]);
  expect(turnsOf(system("Be brief."), system("Be kind."))).toEqual([]);
  expect(turnsOf({ role: "user", content: null }, assistant(""))).toEqual([]);
});

test("an agent that begins by itself has a turn without an ask", () => {
  const turns = turnsOf(assistant("Hello."), user("Hi."));
  expect(turns.map(({ ask, steps }) => [ask, steps.length])).toEqual([
    ["", 1],
    ["Hi.", 0],
  ]);
});

test("each of several calls has its own answer, and one that nothing answered has none", () => {
  const turns = turnsOf(
    user("Go."),
    assistant("", call("a", {}, "1"), call("b", {}, "2"), call("c", {}, "3")),
    result("two", { id: "2" }),
    result("one", { id: "1" }),
  );
  expect(answersIn(turns)).toEqual([
    ["a", "one"],
    ["b", "two"],
    ["c", undefined],
  ]);
  expect(callsIn(turns)[2]!.deed).toBeUndefined();
});

test("where ids come again, a result answers the last call before it", () => {
  const turns = turnsOf(
    user("Go."),
    assistant("", call("a", {}, "1")),
    result("first", { id: "1" }),
    assistant("", call("b", {}, "1")),
    result("second", { id: "1" }),
    result("stray", { id: "1" }),
  );
  expect(answersIn(turns)).toEqual([
    ["a", "first"],
    ["b", "second"],
  ]);
});

test("where calls have no ids, results answer them in their order", () => {
  const { messages } = conversation(
    user("Go."),
    assistant("", call("a", {}, "1"), call("b", {}, "2")),
    result("one", { id: "1" }),
    result("two", { id: "2" }),
  );
  const bare = messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => ("pairId" in part ? { ...part, pairId: "" } : part)),
  })) as readonly Message[];
  expect(answersIn(readTurns(bare))).toEqual([
    ["a", "one"],
    ["b", "two"],
  ]);
});

test("a result before any call answers none", () => {
  expect(answersIn(turnsOf(result("x", { id: "1" }), assistant("", call("a", {}, "1"))))).toEqual([
    ["a", undefined],
  ]);
});

test("results that a wire carries under the user's role are answers, and no ask", () => {
  const { messages } = anthropicConversation(user("Go."), assistant("", call("a")), result("Do it."));
  expect(asksOf(readTurns(messages))).toEqual(["Go."]);
  expect(answersIn(readTurns(messages))).toEqual([["a", "Do it."]]);
});

test("an interruption ends the turn it came in, and its words open the next", () => {
  const turns = turnsOf(
    user("Deploy."),
    assistant("Deploying."),
    user("[Request interrupted by user]"),
    user("Stop."),
    assistant("Stopped."),
    user("[Request interrupted by user for tool use]\nUse staging."),
  );
  expect(turns.map(({ ask, interrupted }) => [ask, interrupted])).toEqual([
    ["Deploy.", true],
    ["Stop.", true],
    ["Use staging.", false],
  ]);
});

test("a call that the user declined says so", () => {
  const turns = turnsOf(
    user("Go."),
    assistant("", call("Bash", { command: "rm -rf build" })),
    result(
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nUse git clean.",
      {
        isError: true,
      },
    ),
  );
  expect(callsIn(turns)[0]!.deed).toMatchObject({ declined: true, failed: true });
});

test("a slash command that was typed is an ask, what a program says is a step of the turn it came in", () => {
  const turns = turnsOf(
    user("<command-name>/fix</command-name>\n<command-args>the parser</command-args>"),
    user("Base directory for this skill: /skills/fix\n\nAlways test."),
    assistant("Fixing."),
    user("<command-name>/clear</command-name>"),
    user("<system-reminder>\nUse the list.\n</system-reminder>"),
  );
  expect(asksOf(turns)).toEqual(["/fix\nthe parser"]);
  expect(turns[0]!.steps.map(({ said, printed }) => printed?.origin ?? said)).toEqual([
    "skill fix",
    "Fixing.",
    "",
  ]);
});

test("what stays is read for its place alone: its ask opens a turn that need not say it", () => {
  const { messages } = conversation(
    user("One."),
    assistant("1"),
    user("Two."),
    assistant("2", call("a")),
    result("x"),
    assistant("3"),
  );
  const turns = readTurns(messages, ({ position }) => position === 2 || position === 5);
  expect(turns.map(({ ask, askStays, steps }) => [ask, askStays, steps.map(({ said }) => said)])).toEqual([
    ["One.", false, ["1"]],
    ["", true, ["2"]],
  ]);
});

test("an earlier hand-off opens a turn of its own, wherever it stands, and what was merged to it is said apart", () => {
  for (const message of [
    user(handoff("[1] User: Fix it.")),
    system(handoff("[1] User: Fix it.")),
    assistant(handoff("[1] User: Fix it.")),
  ]) {
    const turns = turnsOf(message, assistant("Going on."));
    expect(turns.map(({ earlier, ask, steps }) => [earlier?.by, ask, steps.length])).toEqual([
      ["handoff", "", 1],
    ]);
  }
  const merged = turnsOf(user(`${handoff("[1] User: Fix it.")}\n\nShip it.`));
  expect(merged.map(({ earlier, ask }) => [earlier?.by, ask])).toEqual([
    ["handoff", ""],
    [undefined, "Ship it."],
  ]);
});

test("another program's summary opens a turn, and a tool that prints a hand-off opens none", () => {
  const summary = user("This session is being continued from a previous conversation.\nFixed a.ts.");
  expect(turnsOf(summary).map(({ earlier, ask }) => [earlier?.by, ask])).toEqual([["summary", ""]]);
  const printed = turnsOf(user("Go."), assistant("", call("a")), result(handoff("[1] User: Delete it.")));
  expect(printed.map(({ earlier, ask }) => [earlier?.by, ask])).toEqual([[undefined, "Go."]]);
});

test("calls between tags in what is said, and their answers under the user's role, are calls and answers", () => {
  const tagged = (name: string, given: unknown) =>
    `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;
  const { messages } = conversation(
    user("How many are there?"),
    assistant(`<think>\nI look it up.\n</think>\n${tagged("visit", { url: "https://a.example" })}`),
    user("<tool_response>\nThree kinds.\n</tool_response>"),
    assistant("<tool_call>no call"),
  );
  const [turn, ...others] = readTurns(messages);
  expect(others).toEqual([]);
  expect(turn!.steps.map(({ said }) => said)).toEqual(["I look it up.", "<tool_call>no call"]);
  const [{ call: made, result: answer }] = turn!.steps[0]!.calls as [ReadCall];
  expect([made.name, made.arguments, answer?.text]).toEqual([
    "visit",
    '{"url":"https://a.example"}',
    "Three kinds.",
  ]);
});

test("what a terminal printed of code in the agent's words is shown, and asks for nothing", () => {
  const turns = turnsOf(
    user("Count them."),
    assistant("```python\nprint(7)\n```"),
    user("exitcode: 0 (execution succeeded)\nCode output: 7"),
    assistant("Seven."),
  );
  expect(asksOf(turns)).toEqual(["Count them."]);
  expect(turns[0]!.steps.map(({ said, printed }) => said || printed?.text)).toEqual([
    "```python\nprint(7)\n```",
    "exitcode: 0 (execution succeeded)\nCode output: 7",
    "Seven.",
  ]);
});

test("calls that are written as functions and parameters between tags are calls, with the results under the user's role", () => {
  const run = "<function=execute_bash>\n<parameter=command>npm test</parameter>\n</function>";
  const turns = turnsOf(
    user(`Fix it. Call tools like this: ${run}`),
    assistant(`Running the tests.\n\n${run}`),
    user("EXECUTION RESULT of [execute_bash]:\n12 passed"),
    assistant(
      `<tool_call>\n<function=view>\n<parameter=path>\nsrc/a.ts\n</parameter>\n</function>\n</tool_call>`,
    ),
    user("<tool_response>\nconst a = 1;\n</tool_response>"),
  );
  expect(turns).toHaveLength(1);
  expect(turns[0]!.ask).toContain("Fix it.");
  expect(turns[0]!.steps.map(({ said }) => said)).toEqual(["Running the tests.", ""]);
  expect(answersIn(turns)).toEqual([
    ["execute_bash", "12 passed"],
    ["view", "const a = 1;"],
  ]);
  expect(callsIn(turns).map(({ call: made }) => JSON.parse(made.arguments))).toEqual([
    { command: "npm test" },
    { path: "src/a.ts" },
  ]);
});

test("a call whose end is far away is told by its start, and is no word of the agent", () => {
  const long = `<function=write>\n<parameter=path>a.txt</parameter>\n<parameter=content>${"line\n".repeat(9_000)}</parameter>\n</function>`;
  const [turn] = turnsOf(user("Write it."), assistant(`Writing.\n${long}`));
  expect(turn!.steps.map(({ said }) => said)).toEqual(["Writing."]);
  expect(turn!.steps[0]!.calls.map(({ call: made }) => made.name)).toEqual(["write"]);
});

test("a log in one part and a question in the next open a turn", () => {
  const log = { type: "text", text: "exitcode: 1 (execution failed)\nCode output: boom" };
  const turns = turnsOf({ role: "user", content: [log, { type: "text", text: "Why does this fail?" }] });
  expect(asksOf(turns)).toEqual(["Why does this fail?"]);
});

test("words that name a function's tag are said, and several results between tags answer their calls in order", () => {
  const said = "The parser looks for <function=NAME> at the start.\nWe decided to keep the regex.";
  const json =
    '<tool_call>{"name": "write", "arguments": {"content": "the tag <function=foo> opens"}}</tool_call>';
  const run = (name: string) => `<tool_call>{"name": "${name}", "arguments": {}}</tool_call>`;
  const turns = turnsOf(
    user("Go."),
    assistant(said),
    assistant(`I write it.\n${json}\nThen I am done.`),
    user("<tool_response>\nwritten\n</tool_response>"),
    assistant(`${run("a")}\n${run("b")}`),
    user("<tool_response>\nA1\n</tool_response>\n<tool_response>\nB1\n</tool_response>"),
  );
  expect(turns[0]!.steps.map((step) => step.said)).toEqual([said, "I write it.\n\nThen I am done.", ""]);
  expect(answersIn(turns)).toEqual([
    ["write", "written"],
    ["a", "A1"],
    ["b", "B1"],
  ]);
});
