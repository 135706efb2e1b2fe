/** Row: what one strategy made of one case at one size. */
export interface Row {
  readonly source: string;
  readonly conversation: string;
  readonly case: string;
  readonly kind: string;
  readonly strategy: string;
  readonly targetTokens: number;
  readonly tokens: number;
  readonly probes: number;
  /** Shares of the probes; both 0 where the result is over its target or there is none. */
  readonly verbatim: number;
  readonly held: number;
  readonly over: boolean;
  /** Why there is no result. */
  readonly error?: string;
}
