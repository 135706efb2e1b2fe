/** pith/tokens: who counts tokens. */
export { calibrationFactor } from "./anchor.ts";
export { createTokenCounter, type TokenCounterOptions } from "./counter.ts";
export type { TokenCounter } from "./token-counter.ts";
