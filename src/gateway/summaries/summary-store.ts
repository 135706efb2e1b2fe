/** SummaryStore: summaries that were written in the background, in the archive, where every gateway finds them. */
import type { Archive } from "../../archive/archive.ts";
import { archiveItem } from "../../archive/item-id.ts";
import { writeTo } from "../../archive/ready-write.ts";
import { unlisted } from "../../archive/unlisted.ts";
import { readSummarizerState } from "../../state/summarizer-state.ts";
import type { Narration } from "../../summarizer/narrate.ts";
import type { SummaryJob } from "./summary-job.ts";

/** The error of one that failed is told by its attempts. */
export type StoredSummary = Omit<Narration, "error">;

export interface SummaryStore {
  /** Undefined while it is not ready. */
  readonly find: (tenant: string, snapshot: string) => Promise<StoredSummary | undefined>;
  readonly keep: (job: SummaryJob, narration: Narration) => Promise<void>;
  readonly remove: (job: SummaryJob) => Promise<void>;
}

export function summaryStore(archive: Archive, clock: () => number): SummaryStore {
  const placeOf = (tenant: string, snapshot: string): string => unlisted(`${tenant}/${snapshot}/summary`);
  return {
    find: async (tenant, snapshot) => {
      const kept = await archive.checkpoint?.(placeOf(tenant, snapshot));
      return kept && readSummary(kept.state);
    },
    keep: async ({ tenant, snapshot, conversation: about }, { error: _, ...summary }) => {
      const items = [archiveItem("state", JSON.stringify(summary))];
      await writeTo(archive, { conversation: placeOf(tenant, snapshot), about, at: clock(), items });
    },
    remove: async ({ tenant, snapshot }) =>
      void (await archive.forget?.({ conversation: placeOf(tenant, snapshot) })),
  };
}

/** No model could be asked, as that of a client whose own call failed: another one may be begun. */
export function wasNeverAsked({ attempts }: Pick<StoredSummary, "attempts">): boolean {
  return attempts.at(-1)?.failure === "aborted";
}

/** Throws where it is not what `keep` wrote. */
function readSummary(text: string): StoredSummary {
  const summary = JSON.parse(text) as StoredSummary;
  if (!Array.isArray(summary.story) || !summary.story.every((line) => typeof line === "string"))
    throw new Error("The archive holds a summary that cannot be read.");
  const [before, state] = [readSummarizerState(summary.before), readSummarizerState(summary.state)];
  return { ...summary, before, state };
}
