import { expect, test } from "vitest";
import { type Message, messageOf, type Role, textOfMessage } from "../conversation/message.ts";
import { settlePlaced } from "./settle-placed.ts";

const said = (role: Role, text: string, position: number): Message => ({
  ...messageOf({ role, parts: [{ type: "text", text }], position }),
  ...(role === "system" && { placed: true }),
});
const join = (messages: readonly Message[]) => said("system", messages.map(textOfMessage).join("+"), -1);
const settle = (...messages: readonly Message[]) => settlePlaced(messages, join).map(textOfMessage).join(" ");

const [ask, answer, more, last] = (["user", "assistant", "user", "assistant"] as const).map((role, at) =>
  said(role, role[0]! + at, at * 10),
) as [Message, Message, Message, Message];
const note = (position: number) => said("system", `note${position}`, position);

test("what is in its place stays there, last or before the assistant's", () => {
  expect(settle(ask, note(1), answer, more, note(21))).toBe("u0 note1 a1 u2 note21");
});

test("what lost its place goes to the next one, and to the one before where there is none", () => {
  expect(settle(note(1), ask, answer)).toBe("u0 note1 a1");
  expect(settle(ask, answer, note(11), more, last)).toBe("u0 a1 u2 note11 a3");
  expect(settle(ask, answer, note(11))).toBe("u0 note11 a1");
});

test("before an agent that the provider does not know it stays after the user", () => {
  const critic = said("other", "critic", 30);
  expect(settle(note(1), ask, critic)).toBe("u0 note1 critic");
  expect(settle(answer, note(11), more, critic)).toBe("a1 u2 note11 critic");
});

test("several in one place are joined in their order, unless they came in side by side right there", () => {
  expect(settle(note(1), note(5), ask, note(6), answer)).toBe("u0 note1+note5+note6 a1");
  expect(settle(ask, note(1), note(2), answer)).toBe("u0 note1 note2 a1");
});

test("where nobody speaks for the user, they stay where they are", () => {
  expect(settle(note(1), answer, note(11))).toBe("note1 a1 note11");
});
