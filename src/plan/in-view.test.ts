import { expect, test } from "vitest";
import { toolResultsOf } from "../conversation/message.ts";
import { readConversation } from "../providers/detect.ts";
import { assistant, call, conversation, rawConversation, result, user } from "../testing/builders.ts";
import { partsInView } from "./in-view.ts";

const url = "data:image/png;base64,AAAA";
const image = { type: "image_url", image_url: { url } };
const shown = (...content: readonly unknown[]) => ({ role: "user", content });
const text = (words: string) => ({ type: "text", text: words });
const mediaAt = (messages: ReturnType<typeof conversation>["messages"], at: number) =>
  messages[at]!.parts.filter(({ type }) => type !== "text");

test("whatever the latest ask brings is in view, and nothing that an earlier one brought", () => {
  const brought = [
    image,
    { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
    { type: "file", file: { file_data: "data:application/pdf;base64,AAAA", filename: "a.pdf" } },
    { type: "hologram", data: "AAAA" },
  ];
  const { messages } = conversation(
    shown(image, text("What was this?")),
    assistant("A cat."),
    shown(...brought, text("And these?")),
    assistant("", call("look")),
    result("seen"),
  );
  expect(partsInView(messages)).toEqual(mediaAt(messages, 2));
  expect(partsInView(messages)).toHaveLength(4);
});

test("an ask in several messages brings what each of them has, also without a word", () => {
  const told = conversation(
    user("Hello."),
    assistant("Hi."),
    shown(image),
    shown(image),
    user("Compare them."),
  );
  expect(partsInView(told.messages)).toHaveLength(2);
  const wordless = conversation(shown(image, text("One?")), assistant("Yes."), shown(image));
  expect(partsInView(wordless.messages)).toEqual(mediaAt(wordless.messages, 2));
});

test("in openai-chat the picture of a tool stands in the message after its result, and the ask stays the ask", () => {
  const { messages } = conversation(
    shown(image, text("Make the page look like this.")),
    assistant("", call("screenshot")),
    result("taken"),
    shown(text("The screenshot:"), image),
    assistant("", call("screenshot")),
    result("taken"),
    shown(text("The screenshot:"), image),
  );
  expect(partsInView(messages)).toEqual([...mediaAt(messages, 0), ...mediaAt(messages, 6)]);
  expect(partsInView(messages)[1]).toBe(mediaAt(messages, 6)[0]);
});

test("what somebody shows beside a result while the agent works stays in view as the ask does", () => {
  const { messages } = conversation(
    shown(image, text("Make the page look like this.")),
    assistant("", call("build")),
    result("built"),
    shown(image, text("No, like this!")),
    assistant("", call("build")),
    result("built"),
  );
  expect(partsInView(messages)).toEqual([...mediaAt(messages, 0), ...mediaAt(messages, 3)]);
});

test("in anthropic-messages it stands in the result, of parallel calls in each", () => {
  const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  const uses = (...ids: readonly string[]) => ({
    role: "assistant",
    content: ids.map((id) => ({ type: "tool_use", id, name: "screenshot", input: {} })),
  });
  const results = (...ids: readonly string[]) => ({
    role: "user",
    content: ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: [picture] })),
  });
  const { messages } = readConversation({
    model: "claude-sonnet-4",
    messages: [user("Look."), uses("a"), results("a"), uses("b", "c"), results("b", "c")],
  });
  const [b, c] = toolResultsOf(messages[4]!);
  expect(partsInView(messages)).toEqual([...b!.attachments, ...c!.attachments]);
  expect(partsInView(messages)[0]).toBe(b!.attachments[0]);
});

test("in openai-responses it stands in the output, also that of a computer", () => {
  const look = (type: string, call_id: string, output: unknown) => [
    type === "function_call"
      ? { type, call_id, name: "look", arguments: "{}" }
      : { type, call_id, id: call_id, action: { type: "screenshot" } },
    { type: `${type}_output`, call_id, output },
  ];
  const input = [user("Look."), ...look("function_call", "a", [{ type: "input_image", image_url: url }])];
  expect(partsInView(readConversation({ model: "gpt-5", input }).messages)).toHaveLength(1);
  const screen = look("computer_call", "b", { type: "computer_screenshot", image_url: url });
  const { messages } = readConversation({ model: "gpt-5", input: [...input, ...screen] });
  expect(partsInView(messages)).toEqual(toolResultsOf(messages.at(-1)!)[0]!.attachments);
});

test("what a tool showed stays in view for the next ask, and not for the one after", () => {
  const looked = [
    user("Open the page."),
    assistant("", call("screenshot")),
    result("taken"),
    shown(image),
    assistant("It is open."),
  ];
  expect(partsInView(conversation(...looked, user("Click on Save.")).messages)).toHaveLength(1);
  const later = [...looked, user("Click on Save."), assistant("I would."), user("What is a cat?")];
  expect(partsInView(readConversation(rawConversation(...later)).messages)).toEqual([]);
});

test("where nobody shows anything, nothing is in view", () => {
  expect(partsInView([])).toEqual([]);
  expect(partsInView(conversation(assistant("", call("ls")), result("a.ts")).messages)).toEqual([]);
});
