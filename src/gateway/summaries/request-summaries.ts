/** RequestSummaries: background summaries as one request sees them: what is ready by now, and whether one is to be begun. */
import type { BackgroundSummaries } from "../../run/background-summaries.ts";
import type { StoredSummary } from "./summary-store.ts";

export interface RequestSummaries extends BackgroundSummaries {
  /** The engine would have begun one. */
  readonly isDue: () => boolean;
}

/** @param ready the summary that was begun at an earlier request, or that it is not ready; undefined where none was begun */
export function requestSummaries(ready: StoredSummary | "not-ready" | undefined): RequestSummaries {
  let isDue = false;
  return {
    start: () => {
      isDue = ready === undefined;
    },
    take: () => ready,
    isDue: () => isDue,
  };
}
