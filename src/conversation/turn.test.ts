import { expect, test } from "vitest";
import {
  anthropicConversation,
  assistant,
  call,
  conversation,
  result,
  system,
  user,
} from "../testing/builders.ts";
import { endsInFlight, groupAt, groupsOf, turnsOf } from "./turn.ts";

const spans = (list: readonly { readonly start: number; readonly end: number }[]) =>
  list.map(({ start, end }) => [start, end]);

test("a turn goes from one user message to the next, and what stands before the first is a turn too", () => {
  const { messages } = conversation(
    system("Be brief."),
    assistant("Hello."),
    user("One."),
    assistant("Yes.", call("read")),
    result("text"),
    user("Two."),
  );
  expect(spans(turnsOf(messages))).toEqual([
    [1, 2],
    [2, 5],
    [5, 6],
  ]);
  expect(turnsOf(messages)).toBe(turnsOf(messages));
});

test("without messages, and with system messages alone, there is no turn", () => {
  expect(turnsOf([])).toEqual([]);
  expect(turnsOf(conversation(system("Be brief."), system("Be kind.")).messages)).toEqual([]);
  expect(groupsOf([])).toEqual([]);
  expect(endsInFlight([])).toBe(false);
});

test("[R1] a call and all messages that answer it are one group, parallel calls whole", () => {
  const { messages } = conversation(
    user("Compare."),
    assistant("", call("read", { path: "a" }), call("read", { path: "b" })),
    result("a"),
    result("b"),
    assistant("Same."),
  );
  expect(spans(groupsOf(messages))).toEqual([
    [0, 1],
    [1, 4],
    [4, 5],
  ]);
  expect(groupsOf(messages)).toBe(groupsOf(messages));
});

test("[R1] results that come in one user message belong to the group of their calls", () => {
  const { messages } = anthropicConversation(
    user("Go."),
    assistant("", call("a"), call("b")),
    result("1"),
    result("2"),
    assistant("Done."),
  );
  expect(spans(groupsOf(messages))).toEqual([
    [0, 1],
    [1, 3],
    [3, 4],
  ]);
});

test("[R2] only calls at the very end that lack a result are in flight", () => {
  const open = conversation(user("Go."), assistant("", call("a", {}, "1"), call("b", {}, "2"))).messages;
  expect(groupsOf(open).map(({ inFlight }) => inFlight)).toEqual([false, true]);
  expect(endsInFlight(open)).toBe(true);

  const half = conversation(
    user("Go."),
    assistant("", call("a", {}, "1"), call("b", {}, "2")),
    result("2", { id: "2" }),
  ).messages;
  expect(endsInFlight(half)).toBe(true);
  expect(groupsOf(half).at(-1)).toEqual({ start: 1, end: 3, inFlight: true });

  const answered = conversation(user("Go."), assistant("", call("a")), result("1")).messages;
  expect(endsInFlight(answered)).toBe(false);

  const given = conversation(user("Go."), assistant("", call("a")), user("Never mind.")).messages;
  expect(groupsOf(given).some(({ inFlight }) => inFlight)).toBe(false);
  expect(endsInFlight(given)).toBe(false);
});

test("a result without a call is a group of its own", () => {
  const { messages } = conversation(user("Go."), result("orphan", { id: "gone" }), assistant("Odd."));
  expect(spans(groupsOf(messages))).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
  ]);
  expect(endsInFlight(conversation(result("orphan", { id: "gone" })).messages)).toBe(false);
});

test("the group of a message is found from any of its messages", () => {
  const { messages } = conversation(
    user("Go."),
    assistant("", call("a"), call("b")),
    result("1"),
    result("2"),
    assistant("Done."),
    user("Thanks."),
  );
  const starts = messages.map((_, index) => groupAt(messages, index).start);
  expect(starts).toEqual([0, 1, 1, 1, 4, 5]);
});
