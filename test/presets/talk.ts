/** Conversations of a known size, and a compactor whose base is a given number. */
import { createCompactor } from "../../src/compactor.ts";
import type { Message } from "../../src/conversation/message.ts";
import type { Part } from "../../src/conversation/part.ts";
import type { PresetExpression } from "../../src/policy/presets.ts";
import { readConversation } from "../../src/providers/detect.ts";
import type { CompactOptions, CompactorOptions } from "../../src/run/options.ts";
import type { Result } from "../../src/run/result.ts";
import { assistant, user, type WireMessage } from "../../src/testing/builders.ts";
import type { TokenCounter } from "../../src/tokens/token-counter.ts";

/** What the presets take their shares of that take them of what a reserve leaves. */
const ofBudget = ["balanced", "hermes-lean"];
const RESERVE = 100;

/** A word is a token, and a message has 4 more: sizes can be read off a text. */
export const wordCounter: TokenCounter = {
  encoding: "words",
  exact: true,
  text: words,
  message: messageWords,
  tools: () => 0,
  conversation: ({ messages }) => messages.reduce((sum, message) => sum + messageWords(message), 0),
};

export function words(text: string): number {
  let count = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const isSpace = text.charCodeAt(at) <= 32;
    if (!isSpace && !inWord) count++;
    inWord = !isSpace;
  }
  return count;
}

function messageWords({ parts }: Pick<Message, "parts">): number {
  return parts.reduce((sum, part) => sum + partWords(part), 4);
}

function partWords(part: Part): number {
  if (part.type === "tool-call") return 1 + words(part.arguments);
  return "text" in part ? words(part.text) : 0;
}

export function sizeOfTalk(messages: readonly unknown[]): number {
  return wordCounter.conversation(readConversation(messages, { format: "openai-chat" }));
}

/** User and assistant by turns, the user first, each message of so many tokens. */
export function talk(count: number, tokens: number): readonly WireMessage[] {
  return Array.from({ length: count }, (_, at) => (at % 2 === 0 ? user : assistant)(prose(`m${at}`, tokens)));
}

/** Sentences that differ, of so many tokens with their message's own 4. */
export function prose(name: string, tokens: number): string {
  const sentences = Array.from(
    { length: Math.floor((tokens - 4) / 7) },
    (_, step) => `${name} looked at part${step} and saw nothing.`,
  );
  return [...sentences, ...Array((tokens - 4) % 7).fill(name)].join(" ");
}

/** Compacts where the preset's shares are of `base`, whatever it calls that: never by a target. */
export function compactAt(
  preset: PresetExpression,
  base: number,
  messages: readonly unknown[],
  call: CompactOptions = {},
  more: CompactorOptions = {},
): Promise<Result<readonly unknown[]>> {
  const isOfBudget = ofBudget.includes(preset.split("+")[0]!);
  const size = isOfBudget ? { window: base + RESERVE, reserve: RESERVE } : { window: base };
  const options = { preset, clock: () => NOW, counter: wordCounter, ...size, ...more };
  return createCompactor(options).compact(messages, call);
}

export const NOW = 1_000_000_000;
