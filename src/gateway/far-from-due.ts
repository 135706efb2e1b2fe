/** Whether a request is so far from its next compaction that it need not be read: most requests are. */
import { COMPRESS_CONTEXT } from "../agent-control/compress-context.ts";
import type { JsonSource } from "../formats/json-source.ts";
import { triggerSizes } from "../policy/trigger-sizes.ts";
import { SOFT_SHARE } from "../with-summary.ts";
import { type Limits, modelIn } from "./limits.ts";
import type { FactsOfMessages, MessageFacts } from "./message-facts.ts";
import { decidesBySize, policyOf } from "./policies.ts";
import { entriesFor } from "./recipe.ts";
import type { Known } from "./recipes.ts";

export interface Request {
  readonly source: JsonSource;
  /** Of each message in it. */
  readonly facts: readonly MessageFacts[];
  /** What is known of its past. */
  readonly known: Known;
  readonly limits: Limits;
  /** A summary is to be begun in good time before the compaction. */
  readonly summarizes?: boolean;
}

/** By a count that is rather too high, and of which only what is new costs anything. */
export function isFarFromDue(
  { source, facts, known, limits, summarizes }: Request,
  preset: string,
  messageFacts: FactsOfMessages,
): boolean {
  const policy = policyOf(preset, limits.window);
  if (!decidesBySize(policy) || source.text.includes(COMPRESS_CONTEXT)) return false;
  const { recipe, state, requested, snapshot } = known;
  if (requested) return false;
  const model = modelIn(source);
  const isHuge = (each: MessageFacts): boolean => each.tokensAtMost(model) > (policy.offloadOver ?? Infinity);
  if (facts.slice(recipe.covers).some(isHuge)) return false;
  const { text, list } = source;
  const outside = `${text.slice(0, list.start)}${text.slice(list.end)}`;
  let tokens = messageFacts.of(outside).tokensAtMost(model);
  for (const entry of entriesFor(recipe, facts.length)) {
    const piece =
      typeof entry === "string" ? entry : typeof entry === "object" ? `[${entry.results}]` : undefined;
    const fact = piece === undefined ? facts[entry as number]! : messageFacts.of(piece);
    tokens += fact.tokensAtMost(model);
  }
  const { thresholds } = triggerSizes(policy, limits.budget, Math.max(1, state.compactions));
  const share = summarizes && snapshot === undefined ? SOFT_SHARE : 1;
  return thresholds.every((threshold) => tokens < threshold.tokens * share);
}
