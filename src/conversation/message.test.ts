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
import {
  callsById,
  carriesResults,
  isUserMessage,
  type Message,
  makesCalls,
  messageOf,
  messageWith,
  proseOf,
  textOfMessage,
  toolCallsOf,
  toolResultsOf,
  withParts,
} from "./message.ts";

const { messages } = conversation(
  system("Be brief."),
  user("Fix it."),
  assistant("Looking.", call("read", { path: "a.ts" }), call("read", { path: "b.ts" })),
  result("one"),
  result("two"),
);
const [prompt, ask, calling, first, second] = messages as [Message, Message, Message, Message, Message];

test("a message with other parts says that it changed and keeps its place and its original", () => {
  const changed = withParts(ask, [{ type: "text", text: "Fix all." }]);
  expect(changed).toMatchObject({ changed: true, position: ask.position, role: "user" });
  expect(changed.raw).toBe(ask.raw);
  expect(ask.changed).toBeUndefined();
});

test("a message that was marked has the same fields in the same order as one that was read or written", () => {
  const fields = Object.keys(messageOf({ role: "user", parts: [], position: -1 }));
  const marked = [
    withParts(ask, []),
    messageWith(ask, { pinned: true }),
    messageWith(ask, { loaded: 1 }),
    messageWith(ask, { role: "assistant", position: 7 }),
  ];
  for (const message of [...messages, ...marked]) expect(Object.keys(message)).toEqual(fields);
  expect(marked[1]).toEqual({ ...ask, pinned: true });
  expect(marked[3]).toEqual({ ...ask, role: "assistant", position: 7 });
});

test("the text of a message has its calls and results, its prose has not", () => {
  expect(textOfMessage(calling)).toBe('Looking.\nread {"path":"a.ts"}\nread {"path":"b.ts"}');
  expect(proseOf(calling)).toBe("Looking.");
  expect(textOfMessage(first)).toBe("one");
  expect(proseOf(first)).toBe("");
  expect(textOfMessage({ ...ask, parts: [] })).toBe("");
});

test("[R3] results find their calls by id, in whatever order they come", () => {
  const { messages: swapped } = conversation(
    assistant("", call("read", {}, "x"), call("write", {}, "y")),
    result("written", { id: "y" }),
    result("read", { id: "x" }),
  );
  const calls = callsById(swapped);
  const names = swapped
    .flatMap((message) => toolResultsOf(message))
    .map(({ pairId }) => calls.get(pairId)?.name);
  expect(names).toEqual(["write", "read"]);
});

test("who speaks, who calls and who answers are told apart", () => {
  expect([prompt, ask, calling, first].map(isUserMessage)).toEqual([false, true, false, false]);
  expect([prompt, ask, calling, first].map(makesCalls)).toEqual([false, false, true, false]);
  expect([calling, first, second].map(carriesResults)).toEqual([false, true, true]);
  expect(toolCallsOf(calling)).toHaveLength(2);
});

test("a user message that merely carries results is not the user's word", () => {
  const { messages: blocks } = anthropicConversation(
    user("Go."),
    assistant("", call("read", {})),
    result("done"),
  );
  const carrier = blocks.at(-1)!;
  expect(carrier.role).toBe("user");
  expect(isUserMessage(carrier)).toBe(false);
  expect(
    isUserMessage(withParts(carrier, [...carrier.parts, { type: "text", text: "And now faster." }])),
  ).toBe(true);
});

test("a user message with nothing but an image is the user's word, and one without content is not", () => {
  expect(isUserMessage({ ...ask, parts: [{ type: "media", kind: "image" }] })).toBe(true);
  expect(isUserMessage({ ...ask, parts: [] })).toBe(false);
  expect(proseOf({ ...ask, parts: [{ type: "media", kind: "image" }] })).toBe("");
});

test("what the provider ran itself is neither a call to answer nor an answer", () => {
  const server: Message = {
    role: "assistant",
    position: 0,
    parts: [
      { type: "tool-call", pairId: "s", name: "web_search", arguments: "{}", server: true },
      { type: "tool-result", pairId: "s", text: "hits", attachments: [], isError: false, server: true },
    ],
  };
  expect(makesCalls(server)).toBe(false);
  expect(carriesResults(server)).toBe(false);
});
