import { expect, test } from "vitest";
import { mergeHandoff, separateHandoff } from "../../conversation/handoffs/separate.ts";
import { withParts } from "../../conversation/message.ts";
import { conversation, user } from "../../testing/builders.ts";
import { pinnedMessagesStay } from "./pinned-messages-stay.ts";

const broken = pinnedMessagesStay.broken!;
const [brief, chat] = conversation(user("The brief."), user("Small talk.")).messages;
const pinned = { ...brief!, pinned: true };
const before = [pinned, chat!];
const handoff = "[SUMMARY]: work\n[End of hand-off]";

test("[R38] a pinned message that is gone or cut is found, others may go", () => {
  expect(broken(before, [pinned])).toEqual([]);
  expect(broken(before, [chat!])).toEqual(["the pinned message 0 did not stay whole"]);
  const cut = withParts(pinned, [{ type: "text", text: "The br" }]);
  expect(broken(before, [cut])).toEqual(["the pinned message 0 did not stay whole"]);
});

test("[R21] a hand-off may be merged into a pinned message, and taken out of it again", () => {
  const merged = mergeHandoff(handoff, pinned);
  expect(broken(before, [merged])).toEqual([]);
  expect(broken([merged], [separateHandoff(merged).own!])).toEqual([]);
  expect(broken([merged], [])).toHaveLength(1);
});
