/** Jobs: the pasts of an exam as `pith compact --jsonl` reads them, and what Pith makes of them without a model. */
import { createCompactor, type Report } from "../../src/index.ts";
import type { Summarizer } from "../../src/summarizer/summarizer.ts";
import { messageTokens } from "../measure/sizes.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import type { CutCase } from "./cut-case.ts";

export interface Job {
  readonly id: string;
  readonly messages: readonly WireMessage[];
  readonly window: number;
  /** Absent: the preset decides when and how far. */
  readonly targetTokens?: number;
}

/** A line of results, by whatever made it. */
export interface Outcome {
  readonly id: string;
  readonly messages?: readonly WireMessage[];
  /** What became of a model's text. */
  readonly summary?: Report["summary"];
  readonly error?: { readonly code?: string; readonly message: string };
}

export interface JobOptions {
  /** No target: the default preset at its own threshold, in a window that the past has just filled. */
  readonly presetThreshold: boolean;
}

export function jobOf(cut: CutCase, { presetThreshold }: JobOptions): Job {
  const { past, pastTokens, targetTokens } = cut;
  const job = { id: cut.case.id, messages: past };
  return presetThreshold
    ? { ...job, window: filledWindow(past) }
    : { ...job, targetTokens, window: Math.max(smallestWindow, Math.round(pastTokens * 1.1)) };
}

/** With a summarizer the hand-off waits for it: there is none where it has not answered. */
export async function compactJob(job: Job, summarizer?: Summarizer): Promise<Outcome> {
  const { id, messages, window, targetTokens } = job;
  const compactor = createCompactor({
    window,
    clock: () => 0,
    ...(summarizer && { summarizer }),
  });
  const target = targetTokens === undefined ? {} : { target: targetTokens };
  const { messages: output, report } = await compactor.compact(messages, {
    ...target,
    summarize: summarizer !== undefined,
  });
  if (report.error) return { id, error: { code: report.error.code, message: report.error.message } };
  const unwritten = summarizer && report.summary?.summarizer === undefined;
  if (unwritten)
    return {
      id,
      error: {
        message: report.summary?.attempts.at(-1)?.message ?? report.summary?.failure ?? "no hand-off",
      },
    };
  return {
    id,
    messages: output as readonly WireMessage[],
    ...(report.summary && { summary: report.summary }),
  };
}

const smallestWindow = 8000;

/** Without its reserve (an eighth, at most 8,192) it has no more room than the messages take; a little less, as counts differ. */
function filledWindow(messages: readonly WireMessage[]): number {
  const tokens = messages.reduce((sum, message) => sum + messageTokens(message), 0);
  return Math.floor(Math.min(tokens * (8 / 7), tokens + 8192) * 0.98);
}
