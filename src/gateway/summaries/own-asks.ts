/**
 * OwnAsks: how the clients' own models are asked for summaries, by the requests that these come behind. A client's key is in
 * here, in the memory of this process, until its summary is written, and goes nowhere but to where the client sent it.
 */
import { SummarizerFailedError } from "../../errors/summarizer-failed-error.ts";
import { askSameModel, type SentRequest } from "../../summarizer/own-model.ts";
import type { Summary } from "../../summarizer/summarizer.ts";
import type { SummaryJob } from "./summary-job.ts";

/** A question to a client's model, as the thread that writes summaries asks it. */
export interface OwnQuestion extends Pick<SummaryJob, "tenant" | "snapshot"> {
  readonly prompt: string;
  /** Behind what was sent; otherwise by itself. */
  readonly rides: boolean;
  readonly targetTokens: number;
}

/** What the provider says of a failure stays here: it may quote the key. */
export type OwnAnswer =
  | { readonly summary: Summary }
  | { readonly failure: SummarizerFailedError["failure"] };

export interface OwnAsks {
  readonly keep: (job: SummaryJob, sent: SentRequest) => void;
  /** Never rejects. */
  readonly ask: (question: OwnQuestion, signal: AbortSignal) => Promise<OwnAnswer>;
  readonly forget: (job: Pick<SummaryJob, "tenant" | "snapshot">) => void;
  readonly forgetAll: () => void;
}

/** A summary that is not written by then comes too late to be of use. */
const USEFUL_MS = 600_000;
/** Requests that are kept; past that the oldest is given up. */
const MOST_KEPT = 64;

export function createOwnAsks(): OwnAsks {
  const kept = new Map<string, { readonly sent: SentRequest; readonly timer: NodeJS.Timeout }>();
  const keyOf = ({ tenant, snapshot }: Pick<SummaryJob, "tenant" | "snapshot">): string =>
    `${tenant}/${snapshot}`;
  // A timer holds what it would forget.
  const remove = (key: string): void => {
    clearTimeout(kept.get(key)?.timer);
    kept.delete(key);
  };
  return {
    keep: (job, sent) => {
      const key = keyOf(job);
      remove(key);
      kept.set(key, { sent, timer: setTimeout(() => remove(key), USEFUL_MS).unref() });
      for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) remove(oldest);
    },
    ask: async (question, signal) => {
      const { sent } = kept.get(keyOf(question)) ?? {};
      if (!sent) return { failure: "aborted" };
      const { prompt, rides, targetTokens } = question;
      const ride = rides ? { ride: { messages: [], fields: {} } } : {};
      try {
        return { summary: await askSameModel(sent, { prompt, targetTokens, signal, ...ride }) };
      } catch (error) {
        return { failure: error instanceof SummarizerFailedError ? error.failure : "other" };
      }
    },
    forget: (job) => remove(keyOf(job)),
    forgetAll: () => {
      for (const key of kept.keys()) remove(key);
    },
  };
}
