/** Keep the most recent: the naive strategy, and what a peer gets on top when it cannot reach the target by itself. */
import { messageTokens } from "../measure/sizes.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import type { Strategy } from "./strategy.ts";

export const keepRecent: Strategy = {
  prepare: (past) => (targetTokens) => recentWithin(past, targetTokens),
};

/** The first user message, and the most recent ones in the room that is left. */
export const keepHeadAndRecent: Strategy = {
  prepare: (past) => {
    const head = past.findIndex(({ role }) => role === "user");
    return (targetTokens) => {
      const opening = past[head];
      const room = targetTokens - (opening ? messageTokens(opening) : 0);
      if (!opening || room < targetTokens / 2) return recentWithin(past, targetTokens);
      const system = past.slice(0, head).filter(({ role }) => role === "system");
      return [...system, opening, ...recentWithin(past.slice(head + 1), room)];
    };
  },
};

/** All system messages, and as many whole messages from the end as fit. No answer stays without its call. */
export function recentWithin(messages: readonly WireMessage[], targetTokens: number): readonly WireMessage[] {
  const kept: WireMessage[] = [];
  let left = targetTokens;
  let isFull = false;
  for (const message of messages.toReversed()) {
    if (message.role === "system") {
      kept.unshift(message);
      continue;
    }
    left -= messageTokens(message);
    isFull ||= left < 0;
    if (!isFull) kept.unshift(message);
  }
  const start = kept.findIndex(({ role }) => role !== "system" && role !== "tool");
  return kept.filter(({ role }, position) => role !== "tool" || (start >= 0 && position > start));
}
