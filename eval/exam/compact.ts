/** Jobs: the pasts of an exam as `pith compact --jsonl` reads them, and what Pith makes of them without a model. */
import { createCompactor } from "../../src/index.ts";
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

export async function compactJob({ id, messages, window, targetTokens }: Job): Promise<Outcome> {
  const compactor = createCompactor({ window, clock: () => 0 });
  const options = targetTokens === undefined ? {} : { target: targetTokens };
  const { output, report } = await compactor.compact(messages, options);
  if (report.error) return { id, error: { code: report.error.code, message: report.error.message } };
  return { id, messages: output as readonly WireMessage[] };
}

const smallestWindow = 8000;

/** Without its reserve (an eighth, at most 8,192) it has no more room than the messages take; a little less, as counts differ. */
function filledWindow(messages: readonly WireMessage[]): number {
  const tokens = messages.reduce((sum, message) => sum + messageTokens(message), 0);
  return Math.floor(Math.min(tokens * (8 / 7), tokens + 8192) * 0.98);
}
