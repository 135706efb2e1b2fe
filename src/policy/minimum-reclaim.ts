/** Minimum reclaim: every rewrite of sent history breaks the prompt cache, so a small saving is not worth one (R48). */
import type { Policy } from "./policy.ts";

/** True when the saving reaches the policy's share of what came in, or its number of tokens. */
export function reclaimsEnough(policy: Policy, tokensBefore: number, tokensAfter: number): boolean {
  const saved = tokensBefore - tokensAfter;
  return saved > 0 && (saved >= policy.minReclaim.ratio * tokensBefore || saved >= policy.minReclaim.tokens);
}

/** Growth that makes a second look worthwhile: 4,096 tokens, or a tenth of `tokens` where that is less. */
export function regrowthOf(tokens: number): number {
  return Math.max(1, Math.min(4096, Math.ceil(0.1 * tokens)));
}
