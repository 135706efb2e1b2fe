/** withSummary: puts an audited narrative into the hand-off of a compaction, where a call asked for one. */
import { compactOccasion } from "./compact-occasion.ts";
import type { CompactOptions, CompactorOptions, Result } from "./compactor.ts";
import type { Conversation } from "./conversation/conversation.ts";
import type { Message } from "./conversation/message.ts";
import type { Occasion } from "./occasion.ts";
import type { Plan } from "./plan/plan.ts";
import type { SummaryReport } from "./report/report.ts";
import { type Narration, narrate } from "./summarizer/narrate.ts";

/** The result with a narrative in its hand-off, where one was asked for and can be had; otherwise the result itself. */
export async function withSummary(
  plain: Result,
  input: unknown,
  occasion: Occasion,
  call: CompactOptions,
  options: CompactorOptions,
): Promise<Result> {
  const span = handedOff(plain.plan, occasion.conversation);
  if (!call.summarize || !options.summarizers?.length || !plain.report.compacted || span.length === 0)
    return plain;
  const { conversation, counter, state, fill } = occasion;
  const narration = await narrate({
    span,
    messages: conversation.messages,
    counter,
    summarizers: options.summarizers,
    template: options.template ?? "structured",
    focus: call.focus,
    window: fill?.window,
    state: state.summarizer,
    turn: conversation.messages.length,
    force: call.force,
    signal: call.signal,
    timeoutMs: options.summarizerTimeoutMs,
    clock: options.clock ?? Date.now,
  });
  const told =
    narration.lines.length > 0 ? compactOccasion(input, occasion, () => {}, narration.lines) : plain;
  return {
    ...told,
    report: { ...told.report, summary: summaryReport(narration) },
    state: { ...told.state, summarizer: narration.state },
  };
}

/** The messages that the plan's hand-off stands for. */
function handedOff(plan: Plan, { messages }: Conversation): readonly Message[] {
  const edits = plan.steps.find((step) => step.stage === "hand-off")?.edits ?? [];
  return edits.flatMap((edit) => (edit.kind === "remove" ? [messages[edit.position]!] : []));
}

function summaryReport({ summarizer, audit, attempts, lines, error }: Narration): SummaryReport {
  return {
    ...(lines.length > 0 && summarizer !== undefined && { summarizer }),
    coverage: audit?.coverage ?? 0,
    putBack: lines.length > 0 ? (audit?.dropped.length ?? 0) : 0,
    invented: audit?.invented ?? [],
    struck: audit?.struck ?? 0,
    attempts,
    ...(error && { failure: error.message }),
  };
}
