/** Summarizer: the contract for whoever writes the narrative of a hand-off. Never trusted: what it writes is audited. */

export interface SummaryRequest {
  /** What the model is told to do, and the fenced transcript to do it on; with a ride, only what to do. */
  readonly prompt: string;
  /** What the prompt is to be asked at the end of; only for a summarizer that `rides`. */
  readonly ride?: Ride;
  /** About how long the summary should be; a wish, never a cap on the wire, since a cap truncates. */
  readonly targetTokens: number;
  readonly signal: AbortSignal;
}

/**
 * A conversation as its own model was sent it and has it in its cache. What is asked at its end must begin with these very
 * characters, or everything is read and paid for anew.
 */
export interface Ride {
  /** Each message as JSON. */
  readonly messages: readonly string[];
  /** The system prompt as JSON, where the wire keeps it beside the messages. */
  readonly system?: string;
  /** What else of the request decides what is cached, such as the tools. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface Summary {
  readonly text: string;
  /** Why the model stopped. Anything but "stop" is a failure (R31). */
  readonly finish: "stop" | "length" | "refusal" | "unknown";
  readonly model: string;
  /** What it cost, booked apart from the agent's own calls (F78). */
  readonly usage?: SummaryUsage;
}

export interface SummaryUsage {
  readonly inputTokens: number;
  /** Those of the input that the provider had in its cache; absent where it does not say. */
  readonly cachedTokens?: number;
  readonly outputTokens: number;
}

/** Who was asked, for what the answer leaves out and for errors. */
export interface ModelAsked {
  readonly name: string;
  readonly model: string;
  /** Appears in no error. */
  readonly key: string | undefined;
}

export interface Summarizer {
  /** For the Report, such as "gpt-4o-mini at api.example.com". */
  readonly name: string;
  /** The model's context window: longer input is sampled to fit (R33). */
  readonly window?: number;
  /** It can be asked at the end of a conversation in this format with this model; "own": of the one it is made for. */
  readonly rides?: { readonly format: string; readonly model: string } | "own";
  /** Settles when it may be asked, rejects when it shall not be; its time runs from then. @default at once */
  readonly ready?: Promise<unknown>;
  /** One attempt, no retries. Throws SummarizerFailedError with the class of the failure. */
  readonly summarize: (request: SummaryRequest) => Promise<Summary>;
}
