import { expect, test } from "vitest";
import { assistant, call, conversation, result, user } from "../../testing/builders.ts";
import { toolPairsStayTogether } from "./tool-pairs-stay-together.ts";

const broken = toolPairsStayTogether.broken!;
const allowsCut = toolPairsStayTogether.allowsCut!;

const { messages } = conversation(
  user("Compare."),
  assistant("", call("read", {}, "a"), call("read", {}, "b")),
  result("1", { id: "a" }),
  result("2", { id: "b" }),
  assistant("Same."),
);
const without = (...gone: readonly number[]) =>
  messages.filter((message) => !gone.includes(message.position));

test("[R1] no cut parts a call from its results", () => {
  expect(messages.map((_, index) => allowsCut(messages, index))).toEqual([true, true, false, false, true]);
  expect(allowsCut(messages, messages.length)).toBe(true);
});

test("[R1] a result without its call and a call without each of its results are found", () => {
  expect(broken(messages, messages)).toEqual([]);
  expect(broken(messages, without(1, 2, 3))).toEqual([]);
  expect(broken(messages, without(1))).toEqual([
    "result a has no call directly before it",
    "result b has no call directly before it",
  ]);
  expect(broken(messages, without(2))).toEqual(["call a has no result directly after it"]);
  expect(broken(messages, without(2, 3))).toEqual([
    "call a has no result directly after it",
    "call b has no result directly after it",
  ]);
});

test("[R1] a message between a call and its result parts them", () => {
  const [ask, calling, first, second, reply] = messages;
  expect(broken(messages, [ask!, calling!, reply!, first!, second!])).toContain(
    "call a has no result directly after it",
  );
});

test("[R3] results may answer parallel calls in any order", () => {
  const [ask, calling, first, second, reply] = messages;
  expect(broken(messages, [ask!, calling!, second!, first!, reply!])).toEqual([]);
});

test("[R2] calls at the very end are still running, not orphaned", () => {
  const running = messages.slice(0, 3);
  expect(broken([], running)).toEqual([]);
  expect(broken([], messages.slice(0, 2))).toEqual([]);
});

test("a fault that came in may go out, but not more often than it came in", () => {
  const orphan = conversation(user("Go."), result("x", { id: "" }), assistant("Odd.")).messages;
  expect(broken(orphan, orphan)).toEqual([]);
  expect(broken(orphan, [...orphan, ...orphan])).toHaveLength(1);
});

test("what the provider ran itself needs no answer from anyone", () => {
  const served = {
    role: "assistant" as const,
    position: 0,
    parts: [
      { type: "tool-call" as const, pairId: "s", name: "search", arguments: "{}", server: true },
      {
        type: "tool-result" as const,
        pairId: "s",
        text: "",
        attachments: [],
        isError: false,
        server: true,
      },
    ],
  };
  expect(broken([], [served, ...without(1, 2, 3)])).toEqual([]);
});
