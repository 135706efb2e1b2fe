/** How far a request is from its next compaction: most are so far that they need not be read. */
import type { JsonSource } from "../json/source.ts";
import { sizesFor, triggerSizes } from "../policy/trigger-sizes.ts";
import { SOFT_SHARE } from "../run/with-summary.ts";
import type { BodySize } from "./body-size.ts";
import { type Limits, modelIn } from "./limits.ts";
import type { FactsOfMessages, MessageFacts } from "./message-facts.ts";
import { decidesBySize, policyOf } from "./policies.ts";
import { entriesFor } from "./recipe.ts";
import type { KnownRecipe } from "./recipes.ts";

export interface KnownRequest {
  readonly source: JsonSource;
  /** Of each message in it. */
  readonly facts: readonly MessageFacts[];
  /** What is known of its past. */
  readonly known: KnownRecipe;
  readonly limits: Limits;
  /** A summary is to be begun in good time before the compaction. */
  readonly summarizes?: boolean;
}

/**
 * How many tokens may be added before anything could become due; 0 where something may be due now. By a count that is
 * rather too high, and of which only what is new costs anything; where that leaves no room, by the true one.
 */
export function roomBeforeDue(
  { source, facts, known, limits, summarizes }: KnownRequest,
  preset: string,
  messageFacts: FactsOfMessages,
  { tokens: countTruly }: Pick<BodySize, "tokens">,
): number {
  const policy = policyOf(preset, limits.window);
  const asks = ({ namesCompress }: MessageFacts): boolean => namesCompress;
  if (!decidesBySize(policy) || facts.some(asks)) return 0;
  const { recipe, state, requested, snapshot } = known;
  if (requested) return 0;
  const model = modelIn(source);
  const { offloadOver = Infinity } = policy;
  const { text, list, elements } = source;
  const tokensAt = (at: number): number =>
    facts[at]!.tokensAtMost(model, () => text.slice(elements[at]!.start, elements[at]!.end));
  const tokensOf = (piece: string): number => messageFacts.of(piece).tokensAtMost(model, () => piece);
  if (facts.some((_, at) => at >= recipe.covers && tokensAt(at) > offloadOver)) return 0;
  let tokens = tokensOf(`${text.slice(0, list.start)}${text.slice(list.end)}`);
  for (const entry of entriesFor(recipe, facts.length)) {
    const piece =
      typeof entry === "string" ? entry : typeof entry === "object" ? `[${entry.results}]` : undefined;
    tokens += piece === undefined ? tokensAt(entry as number) : tokensOf(piece);
  }
  const { thresholds } = triggerSizes(policy, sizesFor(policy, limits), Math.max(1, state.compactions));
  const share = summarizes && snapshot === undefined ? SOFT_SHARE : 1;
  const sizes = thresholds.map((threshold) => Math.ceil(threshold.tokens * share));
  const roomBeside = (taken: number): number => Math.min(offloadOver, ...sizes.map((size) => size - taken));
  const room = roomBeside(tokens);
  return Math.max(0, room > 0 ? room : roomBeside(countTruly()));
}
