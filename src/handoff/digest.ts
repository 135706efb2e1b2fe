/** Digest: the lines of a span that are worth their tokens, verbatim and in order. No model, no rewriting. */
import type { Message } from "../conversation/message.ts";
import { toolCallsOf, toolResultsOf } from "../conversation/message.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { indexLines, type LineIndex } from "./line-index.ts";
import { rankLines } from "./rank-lines.ts";

export interface DigestOptions {
  readonly messages: readonly Message[];
  /** The digest's text never takes more than this. */
  readonly maxTokens: number;
  readonly counter: TokenCounter;
  /** Text that stands beside the digest anyway: what it holds need not be said again. */
  readonly alreadySaid: string;
}

/** Below this a digest would hold a line at most, cut off from all meaning. */
const MIN_TOKENS = 16;

/** Attempts to meet the budget exactly; each counts only the digest itself. */
const MAX_PASSES = 4;

/** The digest's lines, in the order of the conversation; empty when there is nothing to say or no room. */
export function digestOf({ messages, maxTokens, counter, alreadySaid }: DigestOptions): readonly string[] {
  if (maxTokens < MIN_TOKENS) return [];
  const indexes = messages.map((message, at) => indexLines(message, labelOf(message, messages, at)));
  const tokensPerChar = indexes.map((index, at) => {
    const chars = Math.max(1, index.text.length);
    return Math.min(1.5, Math.max(0.1, counter.message(messages[at]!) / chars));
  });
  const ranked = rankLines({ indexes, tokensPerChar, maxTokens: maxTokens * 1.3, alreadySaid });
  let share = 1;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const chosen = ranked.upTo(maxTokens * share);
    const lines = assemble(indexes, chosen);
    const tokens = counter.text(lines.join("\n"));
    if (tokens <= maxTokens && (tokens >= maxTokens * 0.95 || chosen.length === ranked.length || pass > 1))
      return lines;
    share *= (maxTokens / Math.max(1, tokens)) * (tokens > maxTokens ? 0.985 : 0.99);
  }
  return fitByHalving(indexes, ranked.upTo(maxTokens * share), maxTokens, counter);
}

/** The last resort when estimates mislead (odd scripts, noise): drop the least valuable half until it fits. */
function fitByHalving(
  indexes: readonly LineIndex[],
  chosen: readonly ChosenLine[],
  maxTokens: number,
  counter: TokenCounter,
): readonly string[] {
  for (let keep = chosen.length; keep > 0; keep = keep >> 1) {
    const lines = assemble(indexes, chosen.slice(0, keep));
    if (counter.text(lines.join("\n")) <= maxTokens) return lines;
  }
  return [];
}

/** A line of one message's index. */
export interface ChosenLine {
  readonly message: number;
  readonly line: number;
}

/** Puts chosen lines back into the order of the conversation, each speaker named once per message. */
function assemble(indexes: readonly LineIndex[], chosen: readonly ChosenLine[]): string[] {
  const ordered = [...chosen].sort((a, b) => a.message - b.message || a.line - b.line);
  const lines: string[] = [];
  let speaker = -1;
  for (const { message, line } of ordered) {
    const { text, starts, ends, label } = indexes[message]!;
    const said = text.slice(starts[line]!, ends[line]!);
    lines.push(message === speaker || label === "" ? said : `${label} ${said}`);
    speaker = message;
  }
  return lines;
}

/** `user:`, `assistant:` or the tool's name; a message's own calls name themselves, and an old hand-off's lines have their labels. */
function labelOf(message: Message, messages: readonly Message[], at: number): string {
  if (message.position < 0) return "";
  const result = toolResultsOf(message)[0];
  if (result) {
    for (let back = at - 1; back >= 0 && back >= at - 32; back--) {
      const call = toolCallsOf(messages[back]!).find((each) => each.pairId === result.pairId);
      if (call) return `${call.name}:`;
    }
    return "tool:";
  }
  if (message.role === "assistant") return toolCallsOf(message).length > 0 ? "" : "assistant:";
  return message.role === "user" ? "user:" : `${message.role}:`;
}
