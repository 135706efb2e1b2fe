/** CompactionNotes: what a person who looks at a compaction later will ask, kept in the item of its plan. */
import type { Report } from "../report/report.ts";

type Reported = Pick<
  Report,
  | "reason"
  | "format"
  | "promptTokensBefore"
  | "promptTokensAfter"
  | "window"
  | "cost"
  | "mustKeeps"
  | "summary"
>;

/** Compactions of earlier versions have none. */
export interface CompactionNotes extends Reported {
  readonly model?: string;
  /** The window without what was kept free for the answer. */
  readonly budget?: number;
  /** What the tool definitions take of every request. */
  readonly toolTokens: number;
  /** The prompt size that the provider had reported. */
  readonly reportedTokens?: number;
}

export function notesOf(
  report: Report,
  more: {
    readonly toolTokens: number;
    readonly model?: string | undefined;
    readonly budget?: number | undefined;
    readonly reportedTokens?: number | undefined;
  },
): CompactionNotes {
  const { reason, format, promptTokensBefore, promptTokensAfter, window, cost, mustKeeps, summary } = report;
  const { toolTokens, model, budget, reportedTokens } = more;
  return {
    reason,
    format,
    promptTokensBefore,
    promptTokensAfter,
    cost,
    toolTokens,
    ...(window !== undefined && { window }),
    ...(mustKeeps && { mustKeeps }),
    ...(summary && { summary }),
    ...(model !== undefined && { model }),
    ...(budget !== undefined && { budget }),
    ...(reportedTokens !== undefined && { reportedTokens }),
  };
}
