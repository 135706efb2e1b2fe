import { expect, test } from "vitest";
import { conversation, user } from "../testing/builders.ts";
import { withMessages } from "./conversation.ts";

test("a conversation with other messages keeps everything else", () => {
  const given = conversation(user("one"), user("two"));
  const fewer = withMessages(given, given.messages.slice(1));
  expect(fewer).toEqual({ ...given, messages: [given.messages[1]] });
  expect(given.messages).toHaveLength(2);
});
