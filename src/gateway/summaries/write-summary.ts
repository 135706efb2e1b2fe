/** writeSummary: has the summary of a snapshot written, by the engine's own rules. */

import type { PresetExpression } from "../../policy/presets.ts";
import type { SummaryWish } from "../../policy/resolve-policy.ts";
import { lookAt } from "../../run/occasion.ts";
import type { CompactorOptions } from "../../run/options.ts";
import { narrateOld } from "../../run/with-summary.ts";
import type { Narration } from "../../summarizer/narrate.ts";
import type { Summarizer } from "../../summarizer/summarizer.ts";
import type { SummaryJob } from "./summary-job.ts";

/** Rejects where the snapshot cannot be read; a model that fails is told in the narration. */
export async function writeSummary(
  { text, format, preset, window, reserve, state }: SummaryJob,
  summarizer: readonly Summarizer[],
  signal: AbortSignal,
  wish: SummaryWish = {},
): Promise<Narration> {
  const options: CompactorOptions = {
    format,
    preset: preset as PresetExpression,
    window,
    reserve,
    summarizer,
    ...(wish.template !== undefined && { template: wish.template }),
    ...(wish.summaryTokens !== undefined && { summaryTokens: wish.summaryTokens }),
  };
  // Whether it is due was decided when the snapshot was made.
  return narrateOld(lookAt(text, options, { state }, Date.now()), {}, options, signal);
}
