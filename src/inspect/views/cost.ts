/** What a conversation costs, with and without. */

/** GET api/cost/:conversation?window= : the conversation held again under several strategies. Ask again while it is `running`. */
export interface CostView {
  readonly state: "running" | "done" | "failed";
  /** Why it failed, or what was left out and why. */
  readonly note?: string;
  readonly window: number;
  readonly requests: number;
  /** The names of the price tables; costs are in their currency. */
  readonly tables: readonly string[];
  /** Those that are done so far. `nothing` is without Pith. */
  readonly strategies: readonly StrategyCost[];
}

export interface StrategyCost {
  readonly name: string;
  /** By price table. */
  readonly cost: Readonly<Record<string, number>>;
  /** Share of the prompt tokens that the cache had. */
  readonly cacheHits: Readonly<Record<string, number>>;
  readonly promptTokens: number;
  readonly largestPromptTokens: number;
  readonly outputTokens: number;
  readonly compactions: number;
  /** Requests that did not fit the window: not billed. */
  readonly failed: number;
  /** Request by request, at most 400 of them evenly chosen: its number, its prompt, and by table the cost up to it. */
  readonly points: {
    readonly request: readonly number[];
    readonly promptTokens: readonly number[];
    readonly cost: Readonly<Record<string, readonly number[]>>;
  };
}
