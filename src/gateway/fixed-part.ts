/** The fixed part of a request: system prompt, tools and settings, which no compaction makes smaller. */
import type { JsonSource } from "../json/source.ts";
import { type Limits, modelIn } from "./limits.ts";
import type { FactsOfMessages, MessageFacts } from "./message-facts.ts";

/** Past this share of the budget a compaction gains so little that the next one is due at once. */
const CROWDED = 0.5;

/** Its tokens, where it leaves the conversation too little room. */
export function crowdingTokens(
  source: JsonSource,
  facts: readonly MessageFacts[],
  { budget }: Limits,
  messageFacts: FactsOfMessages,
): number | undefined {
  const { text, list, elements } = source;
  const model = modelIn(source);
  const outside = `${text.slice(0, list.start)}${text.slice(list.end)}`;
  let tokens = messageFacts.of(outside).tokensAtMost(model, () => outside);
  for (const [at, { start, end }] of elements.entries()) {
    if (!SYSTEM.test(text.slice(start, Math.min(end, start + LOOKED_AT)))) break;
    tokens += facts[at]!.tokensAtMost(model, () => text.slice(start, end));
  }
  return tokens > budget * CROWDED ? tokens : undefined;
}

/** Where clients have the role. */
const LOOKED_AT = 100;
const SYSTEM = /^\s*\{\s*"role"\s*:\s*"(?:system|developer)"/;
