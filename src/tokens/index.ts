/** pith/tokens: who counts tokens. */
import "../needed-node.ts";

export { calibrationFactor } from "./anchor.ts";
export { createTokenCounter, type TokenCounterOptions } from "./counter.ts";
export type { TokenCounter } from "./token-counter.ts";
