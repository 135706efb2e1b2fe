/** Strategy: what is done to a conversation before each request, so that it fits its window. */
import type { TokenCounter } from "../tokens/token-counter.ts";

export interface Strategy {
  readonly name: string;
  /** Begins a conversation. */
  readonly begin: (setting: Setting) => Advance;
}

/** The same for all requests of a replay. */
export interface Setting {
  readonly window: number;
  readonly reserve: number;
  /** The name of the wire format. */
  readonly format: string;
  readonly counter: TokenCounter;
  readonly model?: string;
}

/** Gets what it gave last time with the new messages after it, and gives what is sent. */
export type Advance = (body: unknown, moment: Moment) => Promise<Move>;

export interface Move {
  readonly body: unknown;
  /** It says that it changed something. */
  readonly acted: boolean;
}

export interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The prompt size of the request before, as a provider reports it. */
  readonly reportedTokens?: number;
  /** The provider refused what this strategy just gave: it was too long. */
  readonly isRefused: boolean;
}

/** Nothing is ever done. */
export const nothing: Strategy = { name: "nothing", begin: () => async (body) => ({ body, acted: false }) };
