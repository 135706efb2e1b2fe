/** Naive strategies: what agents commonly do about a full window. For comparison only. */
import { type Conversation, withMessages } from "../conversation/conversation.ts";
import { carriesResults, type Message, withParts } from "../conversation/message.ts";
import { groupsOf } from "../conversation/turn.ts";
import { readConversation, writeConversation } from "../providers/detect.ts";
import type { Setting, Strategy } from "./strategy.ts";

/** A sliding window: the oldest messages go until the rest fits. */
const keepRecent = strategy("keep-recent", recentWithin);

/** From half of the window on, all tool results but the last three are emptied; the oldest messages go when that is too little. */
const clearToolResults = strategy("clear-tool-results", (conversation, setting) => {
  const { window, counter } = setting;
  if (counter.conversation(conversation) < window / 2) return conversation;
  const results = conversation.messages.filter(carriesResults);
  const old = new Set(results.slice(0, -3));
  const cleared = conversation.messages.map((message) =>
    old.has(message) ? withResults(message, () => "[cleared]") : message,
  );
  return recentWithin(withMessages(conversation, cleared), setting);
});

/** Every tool result is cut to its first 2,000 characters when it arrives; the oldest messages go when that is too little. */
const truncateToolOutput = strategy("truncate-tool-output", (conversation, setting) => {
  const cut = conversation.messages.map((message) =>
    carriesResults(message) ? withResults(message, (text) => text.slice(0, 2000)) : message,
  );
  return recentWithin(withMessages(conversation, cut), setting);
});

export const naiveStrategies: readonly Strategy[] = [keepRecent, clearToolResults, truncateToolOutput];

function strategy(
  name: string,
  shrink: (conversation: Conversation, setting: Setting) => Conversation,
): Strategy {
  return {
    name,
    begin: (setting) => async (body) => {
      const before = readConversation(body, { format: setting.format, isPart: true });
      const after = shrink(before, setting);
      const acted = after.messages.some((message, index) => message !== before.messages[index]);
      return { body: acted ? writeConversation(after) : body, acted };
    },
  };
}

/** System messages, and as many of the last groups as fit. */
function recentWithin(conversation: Conversation, { window, reserve, counter }: Setting): Conversation {
  const { messages } = conversation;
  let over = counter.conversation(conversation) - (window - reserve);
  if (over <= 0) return conversation;
  const dropped = new Set<Message>();
  for (const { start, end } of groupsOf(messages).slice(0, -1)) {
    if (over <= 0) break;
    for (const message of messages.slice(start, end)) {
      if (message.role === "system") continue;
      dropped.add(message);
      over -= counter.message(message);
    }
  }
  return withMessages(
    conversation,
    messages.filter((message) => !dropped.has(message)),
  );
}

function withResults(message: Message, shorten: (text: string) => string): Message {
  const parts = message.parts.map((part) => {
    if (part.type !== "tool-result") return part;
    const text = shorten(part.text);
    return text.length < part.text.length ? { ...part, text } : part;
  });
  return parts.every((part, index) => part === message.parts[index]) ? message : withParts(message, parts);
}
