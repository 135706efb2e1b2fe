import { expect, test } from "vitest";
import { type Conversation, withMessages } from "../conversation/conversation.ts";
import { type Message, withParts } from "../conversation/message.ts";
import { anthropicMessages } from "./anthropic-messages/format.ts";
import { openAIChat } from "./openai-chat/format.ts";
import { openAIResponses } from "./openai-responses/format.ts";

const note = openAIChat.create("user", [{ type: "text", text: "note" }]);
const NOTE = '{"role":"user","content":"note"}';

function say(message: Message, text: string): Message {
  return withParts(message, [{ type: "text", text }]);
}

function writeText(conversation: Conversation, messages: readonly Message[]): string {
  return openAIChat.write(withMessages(conversation, messages)) as string;
}

test("sets new and changed messages apart as the original does", () => {
  const read = openAIChat.read('[{"role":"user","content":"a"} , {"role":"user","content":"b"}]');
  const [a, b] = read.messages as [Message, Message];
  expect(writeText(read, [note, a, b])).toBe(
    `[${NOTE} , {"role":"user","content":"a"} , {"role":"user","content":"b"}]`,
  );
  expect(writeText(read, [b])).toBe('[{"role":"user","content":"b"}]');
  expect(writeText(read, [a, say(b, "c")])).toBe(
    '[{"role":"user","content":"a"} , {"role":"user","content":"c"}]',
  );
  expect(writeText(read, [])).toBe("[]");
  expect(writeText(openAIChat.read("[ ]"), [note, note])).toBe(`[${NOTE},${NOTE}]`);
});

test("spreads a changed message over lines where the original does", () => {
  const value = { model: "m", messages: [{ role: "user", content: "a" }] };
  const read = openAIChat.read(JSON.stringify(value, null, 2));
  const written = writeText(read, [note, say(read.messages[0]!, "b")]);
  const expected = {
    model: "m",
    messages: [
      { role: "user", content: "note" },
      { role: "user", content: "b" },
    ],
  };
  expect(written).toBe(JSON.stringify(expected, null, 2));
});

test("writes a value of the same kind in which untouched messages are the same objects", () => {
  const list = [
    { role: "user", content: "a", custom: 1 },
    { role: "user", content: "b" },
  ];
  const read = openAIChat.read(list);
  const written = openAIChat.write(withMessages(read, [note, read.messages[1]!])) as unknown[];
  expect(written).toEqual([{ role: "user", content: "note" }, list[1]]);
  expect(written[1]).toBe(list[1]);
  const body = { extra: {}, messages: list, model: "m" };
  const inBody = openAIChat.read(body);
  const writtenBody = openAIChat.write(withMessages(inBody, inBody.messages.slice(1))) as typeof body;
  expect(Object.keys(writtenBody)).toEqual(["extra", "messages", "model"]);
  expect(writtenBody.extra).toBe(body.extra);
  expect(writtenBody.messages[0]).toBe(list[1]);
  expect(body.messages.length).toBe(2);
});

test("keeps numbers that JavaScript cannot hold in a message that is rewritten", () => {
  const text = '[{"role":"user","content":"a","id":12345678901234567890,"ratio":1.0,"n":7,"__proto__":1}]';
  const read = openAIChat.read(text);
  expect(writeText(read, [say(read.messages[0]!, "b")])).toBe(text.replace('"a"', '"b"'));
});

test("a text for a list is written as a list, and every other character of the body stays", () => {
  const text = '{ "seed": 12345678901234567890, "input" : "h\\u0069", "ratio":1.0}';
  const read = openAIResponses.read(text);
  const write = (messages: readonly Message[]) => openAIResponses.write(withMessages(read, messages));
  expect(write(read.messages)).toBe(text);
  expect(write([say(read.messages[0]!, "b")])).toBe(
    text.replace('"h\\u0069"', '[{"role":"user","content":"b"}]'),
  );
  const kept = '{"role":"user","content":"h\\u0069"}';
  expect(write([...read.messages, ...read.messages])).toBe(text.replace('"h\\u0069"', `[${kept},${kept}]`));
});

test("says so when a changed message cannot be written as JSON", () => {
  const deep = "[".repeat(50_000) + "]".repeat(50_000);
  const read = openAIChat.read(`[{"role":"user","content":"a","x":${deep},"n":1.0}]`);
  expect(() => writeText(read, [say(read.messages[0]!, "b")])).toThrow("nested too deeply to be written");
});

test("changes, removes and adds a system prompt in the text around the messages", () => {
  const write = (text: string, edit: (messages: readonly Message[]) => readonly Message[]): unknown => {
    const read = anthropicMessages.read(text);
    return anthropicMessages.write(withMessages(read, edit(read.messages)));
  };
  const front = '{"system" : "s", "messages":[{"role":"user","content":"a"}] }';
  const back = '{"messages":[{"role":"user","content":"a"}], "system":"s" }';
  const bare = '{"messages":[{"role":"user","content":"a"}]}';
  const added = anthropicMessages.create("system", [{ type: "text", text: "new" }]);
  const change = ([first, ...others]: readonly Message[]) => [say(first!, "t"), ...others];
  expect(write(front, change)).toBe(front.replace('"s"', '"t"'));
  expect(write(back, change)).toBe(back.replace('"s"', '"t"'));
  expect(write(front, (messages) => messages.slice(1))).toBe('{"messages":[{"role":"user","content":"a"}] }');
  expect(write(back, (messages) => messages.slice(1))).toBe('{"messages":[{"role":"user","content":"a"}] }');
  expect(write(bare, (messages) => [added, ...messages])).toBe(bare.replace("{", '{"system":"new",'));
  expect(write(front, ([first, ...others]) => [first!, added, ...others])).toBe(
    front.replace('"s"', '"s\\n\\nnew"'),
  );
});
