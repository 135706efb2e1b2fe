/** Token kinds: what the tokens of a message are spent on, by the parts that it is made of. */

import { findHandoff } from "../conversation/handoffs/prefixes.ts";
import { type Message, messageWith } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { KindTokens, TokenKind } from "./views.ts";

export const TOKEN_KINDS: readonly TokenKind[] = [
  "system",
  "user",
  "assistant",
  "reasoning",
  "calls",
  "results",
  "handOff",
];

export const noTokens: KindTokens = {
  system: 0,
  user: 0,
  assistant: 0,
  reasoning: 0,
  calls: 0,
  results: 0,
  handOff: 0,
};

/** The kinds add up to what the message costs; its envelope counts to what most of it is. */
export function kindTokens(message: Message, counter: TokenCounter): KindTokens {
  const tokens: Record<TokenKind, number> = { ...noTokens };
  const envelope = counter.message(messageWith(message, { parts: [] }));
  for (const part of message.parts) {
    // Counted as a message: its texts are those that the counter remembers from the whole one.
    const own = counter.message(messageWith(message, { parts: [part] })) - envelope;
    const handOff = handOffTokens(message, part, own, counter);
    tokens.handOff += handOff;
    tokens[kindOfPart(message, part)] += own - handOff;
  }
  const total = TOKEN_KINDS.reduce((sum, kind) => sum + tokens[kind], 0);
  tokens[mainKind(tokens, message)] += counter.message(message) - total;
  return tokens;
}

/** What most of it is. */
export function mainKind(tokens: KindTokens, message: Message): TokenKind {
  const most = TOKEN_KINDS.toSorted((one, other) => tokens[other] - tokens[one])[0]!;
  return tokens[most] > 0 ? most : kindOfRole(message);
}

export function kindOfPart(message: Message, part: Part): TokenKind {
  switch (part.type) {
    case "reasoning":
      return "reasoning";
    case "tool-call":
      return "calls";
    case "tool-result":
      return "results";
    default:
      return kindOfRole(message);
  }
}

export function addKinds(one: KindTokens, other: KindTokens): KindTokens {
  return Object.fromEntries(
    TOKEN_KINDS.map((kind) => [kind, one[kind] + other[kind]]),
  ) as unknown as KindTokens;
}

function kindOfRole({ role }: Message): TokenKind {
  if (role === "tool") return "results";
  return role === "system" || role === "assistant" ? role : "user";
}

/** What a tool says is never a hand-off, whatever it starts with. */
function handOffTokens({ role }: Message, part: Part, own: number, counter: TokenCounter): number {
  const found = part.type === "text" && role !== "tool" ? findHandoff(part.text) : undefined;
  if (!found) return 0;
  return found.rest === "" ? own : Math.min(own, counter.text(found.framed));
}
