/** withSummary: puts an audited narrative into the hand-off of a compaction, where a call asked for one. */
import { missingIn } from "./audit/audit-summary.ts";
import type { BackgroundSummaries } from "./background/background-summaries.ts";
import { compactOccasion } from "./compact-occasion.ts";
import type { CompactOptions, CompactorOptions, Result } from "./compactor.ts";
import type { Conversation } from "./conversation/conversation.ts";
import { type Message, textOfMessage } from "./conversation/message.ts";
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
  return withNarration(plain, await narrateSpan(span, occasion, call, options), input, occasion);
}

/** A summary is begun at this share of the first threshold, so that it is ready when that is reached. */
const SOFT_SHARE = 0.8;

/**
 * Nobody waits: near the threshold a summary of what is old by now is begun, and the compaction that follows takes it
 * when it is ready, and the deterministic hand-off when it is not.
 */
export function withBackgroundSummary(
  plain: Result,
  input: unknown,
  occasion: Occasion,
  call: CompactOptions,
  options: CompactorOptions,
  summaries: BackgroundSummaries,
): Result {
  const { conversation, policy, fill } = occasion;
  const { messages } = conversation;
  if (!options.summarizers?.length) return plain;
  if (plain.report.compacted) {
    const ready = handedOff(plain.plan, conversation).length > 0 ? summaries.take(messages) : undefined;
    return ready ? withNarration(plain, ready, input, occasion) : plain;
  }
  if (fill && fill.ratio >= (policy.thresholds[0]?.at ?? 1) * SOFT_SHARE) {
    const old = messages.slice(0, -Math.max(1, policy.retention.messages));
    const span = old.filter((message) => message.role !== "system");
    if (span.length > 0) summaries.start(messages, () => narrateSpan(span, occasion, call, options));
  }
  return plain;
}

function narrateSpan(
  span: readonly Message[],
  { conversation, counter, state, fill }: Occasion,
  call: CompactOptions,
  options: CompactorOptions,
): Promise<Narration> {
  return narrate({
    span,
    messages: conversation.messages,
    counter,
    summarizers: options.summarizers ?? [],
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
}

/** The result with what was narrated in its hand-off, as far as it may stand there; otherwise the result itself, and why. */
export function withNarration(
  plain: Result,
  narration: Narration,
  input: unknown,
  occasion: Occasion,
): Result {
  const told = narration.lines.length > 0 ? tell(narration, input, occasion) : undefined;
  const result = told?.result ?? plain;
  return {
    ...result,
    report: { ...result.report, summary: summaryReport(narration, told) },
    state: { ...result.state, summarizer: narration.state },
  };
}

interface Told {
  /** Absent where the summary could not be told after all. */
  readonly result?: Result;
  /** Must-keeps that stand in the hand-off although the summary did not say them, or not where there was room. */
  readonly putBack: number;
  readonly failure?: string;
}

function tell({ lines, audit, mustKeep = [] }: Narration, input: unknown, occasion: Occasion): Told {
  const compacted = (narrative: readonly string[]) => compactOccasion(input, occasion, () => {}, narrative);
  try {
    const dropped = audit?.dropped ?? [];
    const first = compacted(lines);
    // What the summary says far down may have found no room: the facts come before the story.
    const lost = missingIn(textOf(first), mustKeep).filter((line) => !dropped.includes(line));
    const result = lost.length === 0 ? first : compacted([...lost, ...lines]);
    if (!result.report.compacted) return { putBack: 0, failure: result.report.reason };
    const text = textOf(result);
    if (!lines.some((line) => text.includes(line))) return { putBack: 0, failure: NO_ROOM };
    return { result, putBack: [...lost, ...dropped].filter((line) => text.includes(line)).length };
  } catch (cause) {
    // The deterministic hand-off is there already: nothing in a summary may cost it.
    return { putBack: 0, failure: cause instanceof Error ? cause.message : String(cause) };
  }
}

const NO_ROOM = "The hand-off had no room for a line of the summary; the deterministic one stands.";

function textOf({ conversation }: Result): string {
  return conversation.messages.map(textOfMessage).join("\n");
}

/** The messages that the plan's hand-off stands for. */
function handedOff(plan: Plan, { messages }: Conversation): readonly Message[] {
  const edits = plan.steps.find((step) => step.stage === "hand-off")?.edits ?? [];
  return edits.flatMap((edit) => (edit.kind === "remove" ? [messages[edit.position]!] : []));
}

function summaryReport(
  { summarizer, audit, attempts, error }: Narration,
  told: Told | undefined,
): SummaryReport {
  const failure = told?.failure ?? error?.message;
  return {
    ...(told?.result && summarizer !== undefined && { summarizer }),
    coverage: audit?.coverage ?? 0,
    putBack: told?.putBack ?? 0,
    invented: audit?.invented ?? [],
    struck: audit?.struck ?? 0,
    attempts,
    ...(failure !== undefined && { failure }),
  };
}
