/** askingMain: clients' own models, asked by the thread that writes summaries through the one that has their keys. */

import { SummarizerFailedError } from "../../errors/summarizer-failed-error.ts";
import { readJsonSource } from "../../json/source.ts";
import { ownModel } from "../../summarizer/own-model.ts";
import type { Summarizer } from "../../summarizer/summarizer.ts";
import type { OwnAnswer, OwnQuestion } from "./own-asks.ts";
import type { SummaryJob } from "./summary-job.ts";

export interface AskingMain {
  /** The model that the snapshot's conversation is with. */
  readonly of: (job: SummaryJob) => Summarizer;
  readonly hear: (id: number, answer: OwnAnswer) => void;
}

export type ToMain =
  | { readonly type: "ask"; readonly id: number; readonly question: OwnQuestion }
  | { readonly type: "give-up"; readonly id: number };

export function askingMain(tell: (message: ToMain) => void): AskingMain {
  const waiting = new Map<number, (answer: OwnAnswer) => void>();
  let nextId = 0;
  return {
    of: ({ tenant, snapshot, text }) => {
      const { model } = readJsonSource(text).rest ?? {};
      return ownModel({
        ...(typeof model === "string" && { model }),
        ask: async ({ prompt, ride, targetTokens, signal }) => {
          const id = nextId++;
          const { promise, resolve } = Promise.withResolvers<OwnAnswer>();
          waiting.set(id, resolve);
          signal.addEventListener("abort", () => tell({ type: "give-up", id }), { once: true });
          const rides = ride !== undefined;
          tell({ type: "ask", id, question: { tenant, snapshot, prompt, rides, targetTokens } });
          const answer = await promise;
          if ("summary" in answer) return answer.summary;
          throw new SummarizerFailedError("same", answer.failure, "");
        },
      });
    },
    hear: (id, answer) => {
      waiting.get(id)?.(answer);
      waiting.delete(id);
    },
  };
}
