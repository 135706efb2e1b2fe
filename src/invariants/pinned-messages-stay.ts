/** A pinned message stays, with all it says. */
import { type Message, textOfMessage } from "../conversation/message.ts";
import type { Invariant } from "./invariant.ts";

export const pinnedMessagesStay: Invariant = {
  name: "pinned-messages-stay",
  broken: (before, after) => {
    const byPosition = new Map<number, Message>(after.map((message) => [message.position, message]));
    return before
      .filter((message) => message.pinned)
      .filter((message) => {
        const kept = byPosition.get(message.position);
        return !kept || !textOfMessage(kept).includes(textOfMessage(message));
      })
      .map((message) => `the pinned message ${message.position} did not stay whole`);
  },
};
