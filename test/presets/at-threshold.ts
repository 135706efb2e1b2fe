/** A preset at its own threshold: the largest window in which a conversation is due, and what it promises to keep. */

import type { Conversation } from "../../src/conversation/conversation.ts";
import type { Message } from "../../src/conversation/message.ts";
import { groupAt } from "../../src/conversation/turn.ts";
import type { PresetName } from "../../src/policy/presets.ts";
import { resolvePolicy } from "../../src/policy/resolve-policy.ts";
import { readConversation, writeConversation } from "../../src/providers/detect.ts";
import { shapedOnArrival, withArrivals } from "../../src/run/arrivals.ts";
import { createTokenCounter } from "../../src/tokens/counter.ts";
import { roughEstimateCounter } from "../../src/tokens/rough-estimate.ts";

/** What the sources say of each system that summarises; written down here anew, so that a changed preset is noticed. */
export const summarizing = {
  factor3: { at: 0.5, last: 3, first: 0 },
  hermes: { at: 0.85, last: 4, first: 3 },
  "hermes-lean": { at: 0.75, last: 3, first: 3 },
  synthorg: { at: 0.8, last: 6, first: 0 },
  "synthorg-agent": { at: 0.95, last: 6, first: 0 },
  deepagents: { at: 0.85, last: 1, first: 0 },
} as const satisfies Partial<Record<PresetName, { at: number; last: number; first: number }>>;

const counter = createTokenCounter();

/** As the preset's system estimates its fill (F59). */
export function tokensOf(messages: unknown, preset: PresetName): number {
  const own = preset.startsWith("synthorg") ? roughEstimateCounter : counter;
  return own.conversation(readConversation(messages, { format: "openai-chat" }));
}

/** The messages as the preset's system holds them: with what it shapes on arrival. */
export function asHeld(messages: readonly unknown[], preset: PresetName): readonly unknown[] {
  const conversation = readConversation(messages, { format: "openai-chat" });
  const arrived = shapedOnArrival({ conversation, policy: resolvePolicy(preset), counter });
  return writeConversation(withArrivals(conversation, arrived)) as readonly unknown[];
}

/** The largest number of which `tokens` are at least this share. */
export function baseAt(share: number, tokens: number): number {
  return Math.floor(tokens / share + 1e-9);
}

/** The first and the last messages, system prompts aside, with the calls and results that belong to them. */
export function promised(
  { messages }: Conversation,
  { first, last }: { readonly first: number; readonly last: number },
): readonly Message[] {
  const spoken = messages.filter(({ role }) => role !== "system");
  const wanted = [...spoken.slice(0, first), ...spoken.slice(-last)];
  const positions = new Set<number>();
  for (const { position } of wanted) {
    const { start, end } = groupAt(messages, position);
    for (let at = start; at < end; at++) positions.add(at);
  }
  return messages.filter(({ position }) => positions.has(position));
}

export function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + counter.message(message), 0);
}
