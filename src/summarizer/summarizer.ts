/** Summarizer: the contract for whoever writes the narrative of a hand-off. Never trusted: what it writes is audited. */

export interface SummaryRequest {
  /** What the model is told to do, and the fenced transcript to do it on. */
  readonly prompt: string;
  /** About how long the summary should be; a wish, never a cap on the wire, since a cap truncates. */
  readonly targetTokens: number;
  readonly signal: AbortSignal;
}

export interface Summary {
  readonly text: string;
  /** Why the model stopped. Anything but "stop" is a failure (R31). */
  readonly finish: "stop" | "length" | "refusal" | "unknown";
  readonly model: string;
  /** What it cost, booked apart from the agent's own calls (F78). */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

export interface Summarizer {
  /** For the Report, such as "gpt-4o-mini at api.example.com". */
  readonly name: string;
  /** The model's context window: longer input is sampled to fit (R33). */
  readonly window?: number;
  /** One attempt, no retries. Throws SummarizerFailedError with the class of the failure. */
  readonly summarize: (request: SummaryRequest) => Promise<Summary>;
}
