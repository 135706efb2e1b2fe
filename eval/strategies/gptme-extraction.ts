/**
 * gptme's extraction as published: of old assistant messages above 1,000 tokens 70 % of the sentences stay. gptme is a Python
 * program that npm does not have: this is its published rule over our own sentence scorer, and the tables say so. It cannot
 * reach a target by itself, so the most recent messages are kept on top.
 */
import { extractText } from "../../src/sources/gptme/extract-text.ts";
import { messageTokens } from "../measure/sizes.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { recentWithin } from "./keep-recent.ts";
import type { Strategy } from "./strategy.ts";

const longTokens = 1000;
const untouchedAtEnd = 3;
const toolResultTokens = 2000;

export const gptmeExtraction: Strategy = {
  prepare: (past) => {
    const extracted = past.map((message, position) =>
      position >= past.length - untouchedAtEnd ? message : extract(message),
    );
    return (targetTokens) => recentWithin(extracted, targetTokens);
  },
};

function extract(message: WireMessage): WireMessage {
  const { role, content } = message;
  if (typeof content !== "string") return message;
  const tokens = messageTokens(message);
  if (role === "tool" && tokens > toolResultTokens) {
    return { ...message, content: `[Large tool output removed - ${tokens} tokens]` };
  }
  const isLong = role === "assistant" && tokens > longTokens;
  return isLong ? { ...message, content: extractText(content, { ratio: 0.7 }) } : message;
}
