import { expect, test } from "vitest";
import { type Message, toolCallsOf, withParts } from "../../conversation/message.ts";
import { assistant, call, conversation } from "../../testing/builders.ts";
import { argumentsStayJson } from "./arguments-stay-json.ts";

const broken = argumentsStayJson.broken!;

function withArguments(message: Message, text: string): Message {
  return withParts(
    message,
    toolCallsOf(message).map((made) => ({ ...made, arguments: text })),
  );
}

test("[R6] arguments that were JSON and are no more are found", () => {
  const { messages } = conversation(assistant("", call("write", { text: "long" }, "w")));
  expect(broken(messages, [withArguments(messages[0]!, '{"text":"lo')])).toEqual([
    "the arguments of call w are not JSON any more",
  ]);
  expect(broken(messages, [withArguments(messages[0]!, '{"text":"lo"}')])).toEqual([]);
});

test("arguments that never were JSON go out as they came in", () => {
  const { messages } = conversation(assistant("", call("write", "{oops")), assistant("", call("list", "")));
  expect(broken(messages, [withArguments(messages[0]!, "{oops"), withArguments(messages[1]!, "")])).toEqual(
    [],
  );
  expect(broken(messages, [withArguments(messages[0]!, "{oop")])).toHaveLength(1);
});
