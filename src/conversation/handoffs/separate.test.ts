import { expect, test } from "vitest";
import {
  anthropicConversation,
  assistant,
  call,
  conversation,
  result,
  user,
} from "../../testing/builders.ts";
import { type Message, proseOf } from "../message.ts";
import { END_MARKER } from "./prefixes.ts";
import { handoffIn, isHandoffMessage, mergeHandoff, separateHandoff, separateHandoffs } from "./separate.ts";

const handoff = `[SUMMARY]: work\n${END_MARKER}`;
const read = (text: string): Message => conversation(user(text)).messages[0]!;

test("a message that is all hand-off is one, a message with more or with none is not", () => {
  expect(isHandoffMessage(read(handoff))).toBe(true);
  expect(isHandoffMessage(read(`${handoff}\n\nGo on.`))).toBe(false);
  expect(isHandoffMessage(mergeHandoff(handoff, read("Go on.")))).toBe(false);
  expect(isHandoffMessage(read("Go on."))).toBe(false);
  expect(isHandoffMessage({ ...read("x"), parts: [] })).toBe(false);
});

test("[R21] a hand-off merged into a message is separated from it, in one text or as a part", () => {
  for (const merged of [mergeHandoff(handoff, read("Go on.")), read(`${handoff}\n\nGo on.`)]) {
    const { own, handoff: found } = separateHandoff(merged);
    expect(proseOf(own!)).toBe("Go on.");
    expect(own).toMatchObject({ role: "user", position: 0, changed: true });
    expect(proseOf(found!)).toBe(handoff);
    expect(found).toMatchObject({ role: "user", position: -1 });
  }
});

test("a message that is all hand-off leaves nothing of its own, whoever said it", () => {
  const { messages } = conversation(user("Hi."), assistant(handoff));
  const { own, handoff: found } = separateHandoff(messages[1]!);
  expect(own).toBeUndefined();
  expect(found).toMatchObject({ role: "user", position: -1 });
});

test("what an assistant says is a hand-off as a whole or not at all", () => {
  const { messages } = conversation(
    user("Hi."),
    assistant(`${handoff}\n\nGo on.`),
    assistant(handoff, call("read")),
  );
  for (const message of messages.slice(1)) {
    expect(handoffIn(message)).toBeUndefined();
    expect(separateHandoff(message).own).toBe(message);
  }
});

test("a message without a hand-off is given back itself", () => {
  const message = read(`What is "${END_MARKER}"?`);
  expect(separateHandoff(message)).toEqual({ own: message, handoff: undefined });
  expect(separateHandoff(message).own).toBe(message);
});

test("what a tool says is never a hand-off, whatever it starts with", () => {
  for (const build of [conversation, anthropicConversation]) {
    const { messages } = build(user("Read it."), assistant("", call("read")), result(handoff));
    const answer = messages.at(-1)!;
    expect(handoffIn(answer)).toBeUndefined();
    expect(separateHandoff(answer).handoff).toBeUndefined();
  }
  const textual: Message = { role: "tool", position: 0, parts: [{ type: "text", text: handoff }] };
  expect(handoffIn(textual)).toBeUndefined();
  expect(separateHandoff(textual).own).toBe(textual);
});

test("a merged hand-off stands before what the message says, and its other parts stay", () => {
  const image = { type: "media", kind: "image" } as const;
  const message: Message = { ...read("Look."), parts: [image, { type: "text", text: "Look." }] };
  const merged = mergeHandoff(handoff, message);
  expect(merged.parts).toEqual([{ type: "text", text: handoff }, image, { type: "text", text: "Look." }]);
  expect(separateHandoff(merged).own!.parts).toEqual(message.parts);
});

test("[F88] an assistant's leading message that opens with Summary: is an earlier summary; anybody else's words that open so are words", () => {
  const text = "Summary: User requested sales analysis. Fetched the full dataset (1000 rows).";
  const { messages } = conversation(
    { role: "system", content: "Be brief." },
    assistant(text),
    user("And Q2?"),
  );
  expect(handoffIn(messages[1]!)?.body).toBe(text.slice("Summary: ".length));
  expect(isHandoffMessage(messages[1]!)).toBe(true);
  const later = conversation(user("Go."), assistant("Done."), user(text), assistant(text)).messages;
  expect(later.map((message) => handoffIn(message))).toEqual([undefined, undefined, undefined, undefined]);
});

test("below a hand-off there may be another, and what the author says comes after all of them", () => {
  const second = `[Pith hand-off] Past reference:\nmore\n${END_MARKER}`;
  const { own, handoffs } = separateHandoffs(mergeHandoff(handoff, read(`${second}\n\nGo on.`)));
  expect(handoffs.map(({ framed }) => framed)).toEqual([handoff, second]);
  expect(proseOf(own!)).toBe("Go on.");
  expect(separateHandoffs(read(`${handoff}\n\n${second}`)).own).toBeUndefined();
});
