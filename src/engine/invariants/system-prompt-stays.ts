/** System prompts stay as they are; at most something is appended (F30, R48). */

import { isHandoffMessage } from "../../conversation/handoffs/separate.ts";
import { type Message, textOfMessage } from "../../conversation/message.ts";
import type { Invariant } from "./invariant.ts";

export const systemPromptStays: Invariant = {
  name: "system-prompt-stays",
  broken: (before, after) => {
    const byPosition = new Map<number, Message>(after.map((message) => [message.position, message]));
    return before
      .filter((message) => message.role === "system" && !message.placed && !isHandoffMessage(message))
      .filter((message) => {
        const kept = byPosition.get(message.position);
        return !kept || !textOfMessage(kept).startsWith(textOfMessage(message));
      })
      .map((message) => `the system message ${message.position} was altered`);
  },
};
