/** A pinned message stays, with all that its author said; a hand-off that was merged into it may go into the next one. */

import { separateHandoff } from "../../conversation/handoffs/separate.ts";
import { type Message, textOfMessage } from "../../conversation/message.ts";
import { textOfPart } from "../../conversation/part.ts";
import type { Invariant } from "./invariant.ts";

export const pinnedMessagesStay: Invariant = {
  name: "pinned-messages-stay",
  broken: (before, after) => {
    const byPosition = new Map<number, Message>(after.map((message) => [message.position, message]));
    return before
      .filter((message) => message.pinned)
      .filter((message) => {
        const kept = byPosition.get(message.position) ?? (message.placed && joinedOf(message, after));
        const own = separateHandoff(message).own ?? message;
        if (!kept) return true;
        // Part by part: the hand-off may be between two of the author's own.
        const text = textOfMessage(kept);
        return !own.parts.every((part) => text.includes(textOfPart(part)));
      })
      .map((message) => `the pinned message ${message.position} did not stay whole`);
  },
};

/** Where a program's words were joined with others, they are among those. */
function joinedOf({ parts }: Message, after: readonly Message[]): Message | undefined {
  return after.find((message) => message.placed && parts.every((part) => message.parts.includes(part)));
}
