/** Cut tool output: the first 80 characters of every tool result, and the most recent messages of that. */
import { recentWithin } from "./keep-recent.ts";
import type { Strategy } from "./strategy.ts";

export const cutToolOutput: Strategy = {
  prepare: (past) => {
    const cut = past.map((message) =>
      message.role === "tool"
        ? { ...message, content: String(message.content).slice(0, keptChars) }
        : message,
    );
    return (targetTokens) => recentWithin(cut, targetTokens);
  },
};

const keptChars = 80;
