/** Signed reasoning goes out as it came in or not at all, and in the turn under way it stays with its calls. */
import { type Message, makesCalls } from "../../conversation/message.ts";
import { turnsOf } from "../../conversation/turn.ts";
import type { Invariant } from "./invariant.ts";

export const signedReasoningUntouched: Invariant = {
  name: "signed-reasoning-untouched",
  broken: (before, after) => {
    const currentTurn = turnsOf(before).at(-1)?.start ?? 0;
    return after.flatMap((message) => {
      const original = before[message.position];
      if (!original || !message.changed) return [];
      const signed = signedParts(original);
      const kept = signedParts(message);
      if (kept.some((part) => !signed.includes(part)))
        return [`signed reasoning of message ${message.position} was altered`];
      if (message.position >= currentTurn && makesCalls(original) && kept.length < signed.length) {
        return [`signed reasoning of message ${message.position} was taken from the turn under way`];
      }
      return [];
    });
  },
};

function signedParts(message: Message) {
  return message.parts.filter((part) => part.type === "reasoning" && part.signed);
}
