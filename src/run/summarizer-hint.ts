/** summarizerHint: what a summarizer would bring, said once in a conversation, to whoever has not said that there is none. */

import type { Report } from "../report/report.ts";
import type { Occasion } from "./occasion.ts";

const HINT =
  "No summarizer is set: the hand-off tells facts alone. One adds a model's account of what was done and why. " +
  'Set summarizer ("same" in an adapter or the gateway: the agent\'s own model, from its cache) or --summarizer.';

/** With the first hand-off of a conversation; a preset whose hand-off is a text of its source's says nothing of itself. */
export function withSummarizerHint(report: Report, { state, policy }: Occasion): Report {
  const isFirst = report.compacted && report.mustKeeps !== undefined && state.compactions === 0;
  const { form, archiveOnly } = policy.handoff;
  return isFirst && form !== "text" && !archiveOnly ? { ...report, hints: [HINT] } : report;
}
