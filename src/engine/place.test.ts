import { expect, test } from "vitest";
import type { Message, Role } from "../conversation/message.ts";
import { anthropicMessages } from "../providers/anthropic-messages/format.ts";
import { openAIChat } from "../providers/openai-chat/format.ts";
import { anthropicConversation, assistant, call, conversation, result, user } from "../testing/builders.ts";
import { placeHandoff } from "./place.ts";

const [ask, reply, calling, answer] = conversation(
  user("Go."),
  assistant("Yes."),
  assistant("", call("read")),
  result("text"),
).messages as [Message, Message, Message, Message];

function place(before: Message | undefined, after: Message | undefined, role: "auto" | Role = "auto") {
  const { handoffRoles, leadRoles } = openAIChat;
  return placeHandoff({ before, after, role, handoffRoles, leadRoles });
}

const insert = (role: Role) => ({ kind: "insert", role });
const merge = (into: "before" | "after") => ({ kind: "merge", into });

test("[F50] after an assistant or a tool the hand-off is the user's, after a user the assistant's", () => {
  expect(place(reply, calling)).toEqual(insert("user"));
  expect(place(answer, calling)).toEqual(insert("user"));
  expect(place(ask, ask)).toEqual(insert("assistant"));
  expect(place(reply, undefined)).toEqual(insert("user"));
});

test("where nothing comes after it, the hand-off is what is to be answered: it stays with the user", () => {
  expect(place(ask, undefined)).toEqual(merge("before"));
});

test("[F50 R5] where no role alternates with both neighbours it joins the user's message", () => {
  expect(place(reply, ask)).toEqual(merge("after"));
  expect(place(answer, ask)).toEqual(merge("after"));
  expect(place(ask, reply)).toEqual(merge("before"));
});

test("[F50] where its neighbours must stay as they are, an assistant's word stands between it and the one that it does not fit beside", () => {
  const { handoffRoles, leadRoles } = openAIChat;
  const beside = (before: Message | undefined, after: Message | undefined) =>
    placeHandoff({ before, after, role: "auto", handoffRoles, leadRoles, mayMerge: false });
  expect(beside(reply, ask)).toEqual({ ...insert("user"), bridge: "after" });
  expect(beside(undefined, ask)).toEqual({ ...insert("user"), bridge: "after" });
  expect(beside(ask, reply)).toEqual({ ...insert("user"), bridge: "before" });
  expect(beside(ask, undefined)).toEqual({ ...insert("user"), bridge: "before" });
  expect(beside(ask, ask)).toEqual(insert("assistant"));
});

test("[R4] at the beginning the hand-off is the user's, alone or within the user's message", () => {
  expect(place(undefined, reply)).toEqual(insert("user"));
  expect(place(undefined, undefined)).toEqual(insert("user"));
  expect(place(undefined, ask)).toEqual(merge("after"));
});

test("[F27 R13] a policy that wants an assistant's summary gets it wherever that is legal", () => {
  expect(place(undefined, ask, "assistant")).toEqual(insert("assistant"));
  expect(place(ask, ask, "assistant")).toEqual(insert("assistant"));
  expect(place(answer, ask, "assistant")).toEqual(insert("assistant"));
  expect(place(reply, ask, "assistant")).toEqual(merge("after"));
  expect(place(undefined, reply, "assistant")).toEqual(insert("user"));
});

test("[R4] an assistant's summary never leads where the user must speak first", () => {
  const { handoffRoles, leadRoles } = anthropicMessages;
  const options = { before: undefined, role: "assistant", handoffRoles, leadRoles } as const;
  expect(placeHandoff({ ...options, after: ask })).toEqual(merge("after"));
});

test("[R13] a policy that wants a system message gets it where the format has such and a user still leads", () => {
  expect(place(ask, reply, "system")).toEqual(insert("system"));
  expect(place(undefined, ask, "system")).toEqual(insert("system"));
  expect(place(undefined, calling, "system")).toEqual(insert("user"));
  const { handoffRoles, leadRoles } = anthropicMessages;
  expect(placeHandoff({ before: undefined, after: ask, role: "system", handoffRoles, leadRoles })).toEqual(
    merge("after"),
  );
});

test("[R5] results that travel under the user's role are the user's turn", () => {
  const carrier = anthropicConversation(user("Go."), assistant("", call("a")), result("1")).messages.at(-1)!;
  expect(carrier.role).toBe("user");
  expect(place(carrier, reply)).toEqual(merge("before"));
  expect(place(carrier, ask)).toEqual(insert("assistant"));
});

test("[R4] a user message without anything readable is the user's turn, but not the user's word", () => {
  const empty: Message = { ...ask, parts: [{ type: "opaque", kind: "0", text: "" }] };
  for (const role of ["auto", "assistant", "system"] as const) {
    expect(place(undefined, empty, role)).toEqual(merge("after"));
  }
});
