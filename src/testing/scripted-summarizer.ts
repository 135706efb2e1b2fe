/** scriptedSummarizer: a true Summarizer that says what its script says and records what it was asked. */
import { type FailureClass, SummarizerFailedError } from "../errors/summarizer-failed-error.ts";
import type { Summarizer, Summary, SummaryRequest } from "../summarizer/summarizer.ts";

/** A text, parts of a Summary, an error to throw, a function of the request, or `hang`: no answer until the caller gives up. */
export type ScriptStep =
  | string
  | Partial<Summary>
  | Error
  | { readonly fail: FailureClass }
  | ((request: SummaryRequest) => Summary | Promise<Summary>)
  | { readonly hang: true };

export interface ScriptedSummarizer extends Summarizer {
  /** Every request so far, in order. */
  readonly calls: readonly SummaryRequest[];
}

/**
 * One step for each call; after the last one every call fails.
 *
 *     const summarizer = scriptedSummarizer(["The tests pass.", { fail: "timeout" }]);
 */
export function scriptedSummarizer(
  script: readonly ScriptStep[],
  { name = "scripted", window }: { readonly name?: string; readonly window?: number } = {},
): ScriptedSummarizer {
  const calls: SummaryRequest[] = [];
  return {
    name,
    ...(window === undefined ? {} : { window }),
    calls,
    async summarize(request) {
      const step = script[calls.push(request) - 1];
      if (request.signal.aborted) throw ended(name, request.signal);
      if (step === undefined) throw new SummarizerFailedError(name, "other", "The script has ended.");
      if (typeof step === "function") return step(request);
      if (step instanceof Error) throw step;
      if (typeof step === "string") return { text: step, finish: "stop", model: name };
      if ("fail" in step) throw new SummarizerFailedError(name, step.fail, "The script says so.");
      if ("hang" in step) return untilAborted(name, request.signal);
      return { text: "", finish: "stop", model: name, ...step };
    },
  };
}

function untilAborted(name: string, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(ended(name, signal)), { once: true });
  });
}

function ended(name: string, signal: AbortSignal): SummarizerFailedError {
  const timedOut = signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
  return new SummarizerFailedError(name, timedOut ? "timeout" : "aborted", "The caller gave up.");
}
