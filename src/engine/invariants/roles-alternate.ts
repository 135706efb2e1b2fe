/** A message that Pith wrote is never beside one of the same role, and never takes the first word from the user (R4, R5). */
import { isUserMessage } from "../../conversation/message.ts";
import type { Invariant } from "./invariant.ts";

export const rolesAlternate: Invariant = {
  name: "roles-alternate",
  broken: (before, after) => {
    const found: string[] = [];
    const visible = after.filter((message) => message.role !== "system");
    visible.forEach((message, at) => {
      if (message.position >= 0) return;
      for (const neighbour of [visible[at - 1], visible[at + 1]]) {
        if (neighbour?.role === message.role) {
          found.push(`the hand-off and its neighbour are both said by the ${message.role}`);
        }
      }
    });
    if (before.some(isUserMessage) && !after.some(isUserMessage)) found.push("no user message is left");
    const first = visible[0];
    const firstBefore = before.find((message) => message.role !== "system");
    if (first && first.position >= 0 && !isUserMessage(first) && firstBefore && isUserMessage(firstBefore)) {
      found.push("the first visible message is no longer the user's");
    }
    return found;
  },
};
