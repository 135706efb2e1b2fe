/** Own summaries: `summarizer: "same"` of an adapter: the model of a call, asked once more when it has answered. */
import { AsyncLocalStorage } from "node:async_hooks";
import { OptionsError } from "../errors/options-error.ts";
import { SummarizerFailedError } from "../errors/summarizer-failed-error.ts";
import type { CompactOptions, CompactorOptions } from "../run/options.ts";
import { type OwnModelOptions, ownModel } from "../summarizer/own-model.ts";
import type { Summarizer } from "../summarizer/summarizer.ts";
import type { SummarizerChoice } from "../summarizer/summarizers-of.ts";

export type AdapterSummarizer = SummarizerChoice | "same";

export interface SummarizerOptions {
  /**
   * Who writes the story of a hand-off: `"same"` is the model that is called here, asked right after a request that it
   * has in its cache; or a Summarizer, the address of a model, or several of these in order. Nothing waits for `"same"`.
   * @default none
   */
  readonly summarizer?: AdapterSummarizer | readonly AdapterSummarizer[] | "none";
  /** As in `compact`: wait for a summary, or have it written in the background. @default "background" with a summarizer */
  readonly summarize?: CompactOptions["summarize"];
  readonly model?: string;
}

/** How the model of a call is asked once more. */
export interface Own<Answer> extends Pick<OwnModelOptions, "ask" | "ready"> {
  /** Whether the model answered, so that it has in its cache what it was sent. @default it did */
  readonly isAnswer?: (answer: Answer) => boolean;
}

export interface OwnSummaries {
  /** What the compactor is told. */
  readonly forCompactor: Pick<CompactorOptions, "summarizer">;
  /** What one call of it is told, and whom to tell what became of the model's call. */
  readonly forCall: <Answer>(call: OwnCall<Answer>) => {
    readonly options: Pick<CompactOptions, "summarizer" | "summarize">;
    readonly answered: (answer: Answer) => void;
    readonly failed: (error: unknown) => void;
  };
}

interface OwnCall<Answer> {
  readonly model?: string | undefined;
  /** Absent where the model is not at hand. */
  readonly own?: Own<Answer> | undefined;
}

/** Throws OptionsError. */
export function ownSummaries({ summarizer, summarize, model: named }: SummarizerOptions): OwnSummaries {
  const choices = summarizer === undefined || summarizer === "none" ? [] : [summarizer].flat();
  const others = choices.filter((each) => each !== "same");
  const asksOwn = others.length < choices.length;
  if (asksOwn && summarize === true)
    throw new OptionsError("summarize", 'summarizer "same" is never waited for: leave summarize out.');
  // What the agent has around its calls, such as listeners to a stream, is not for its summaries.
  const outside = AsyncLocalStorage.snapshot();
  const how = summarize === undefined ? {} : { summarize };
  return {
    forCompactor: summarizer === undefined ? {} : { summarizer: choices.length > 0 ? others : "none" },
    forCall: ({ model = named, own }) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      promise.catch(() => {});
      const same = own
        ? ownModel({
            model,
            ready: own.ready ?? promise,
            ask: (request) => outside(() => own.ask(request)),
          })
        : NOT_AT_HAND;
      const asked = choices.map((each) => (each === "same" ? same : each));
      return {
        options: { ...how, ...(asksOwn && { summarizer: asked }) },
        // The agent has its answer first.
        answered: (answer) => void setImmediate(own?.isAnswer?.(answer) === false ? reject : resolve),
        failed: reject,
      };
    },
  };
}

const NOT_AT_HAND: Summarizer = {
  name: "same",
  summarize: () =>
    Promise.reject(
      new SummarizerFailedError("same", "other", "Only the model's input is seen here. See docs/adapters."),
    ),
};
