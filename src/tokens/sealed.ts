/** Sealed thinking: what a signature or a ciphertext costs, of which only the provider knows what it says. */

/**
 * Base64 characters of a seal for one token of thinking. In 1,548 recorded answers with thinking (docs/tokens.md), what the
 * provider reported beyond the text and the calls was 0.24 tokens a character of signature in all, rising with its length
 * to 0.28, and 0.32 in the worst of the long ones. By 1/3 no recorded session's answers are counted below their report: they
 * come out 11 % to 44 % above it (test/sealed-recordings.test.ts).
 */
const SEALED_CHARACTERS_PER_TOKEN = 3;

/** In the provider's own tokens: a factor for its tokenizer is not applied. */
export function sealedTokens(characters = 0): number {
  return Math.ceil(characters / SEALED_CHARACTERS_PER_TOKEN);
}
