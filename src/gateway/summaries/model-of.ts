/** modelOf: a client's own model, asked by the thread that writes summaries through the one that has its key. */

import { SummarizerFailedError } from "../../errors/summarizer-failed-error.ts";
import { readJsonSource } from "../../json/source.ts";
import { ownModel } from "../../summarizer/own-model.ts";
import type { Summarizer } from "../../summarizer/summarizer.ts";
import type { Peer } from "../../threads/peer.ts";
import type { SummaryJob } from "./summary-job.ts";
import type { GatewayAnswers } from "./summary-worker.ts";

/** The model that the snapshot's conversation is with. */
export function modelOf(
  { tenant, snapshot, text }: SummaryJob,
  gateway: Pick<Peer<GatewayAnswers>, "ask">,
): Summarizer {
  const { model } = readJsonSource(text).rest ?? {};
  return ownModel({
    ...(typeof model === "string" && { model }),
    ask: async ({ prompt, ride, targetTokens, signal }) => {
      const rides = ride !== undefined;
      const question = { tenant, snapshot, prompt, rides, targetTokens };
      const answer = await gateway.ask("ownModel", question, { signal });
      if ("summary" in answer) return answer.summary;
      throw new SummarizerFailedError("same", answer.failure, "");
    },
  });
}
