/** withSummary: puts an audited narrative into the hand-off of a compaction, where a call asked for one. */

import type { Conversation } from "../conversation/conversation.ts";
import { handoffIn, separateHandoff } from "../conversation/handoffs/separate.ts";
import { type Message, textOfMessage } from "../conversation/message.ts";
import { isBare } from "../engine/planner.ts";
import { raiseFatal } from "../errors/fatal.ts";
import { reasonOf } from "../errors/reason-of.ts";
import { SummarizerFailedError } from "../errors/summarizer-failed-error.ts";
import { TargetUnreachableError } from "../errors/target-unreachable-error.ts";
import { readSections } from "../handoff/sections.ts";
import { briefStory } from "../handoff/text-summary.ts";
import { checklistOf } from "../ledger/told-facts.ts";
import type { Draft } from "../plan/draft.ts";
import type { HandedOff, Plan } from "../plan/plan.ts";
import { triggerSizes } from "../policy/trigger-sizes.ts";
import type { SummaryReport } from "../report/report.ts";
import { summaryCost } from "../report/summary-cost.ts";
import { initialSummarizerState, type SummarizerState } from "../state/summarizer-state.ts";
import { missingIn } from "../summarizer/audit/audit-summary.ts";
import { saysTooLittle } from "../summarizer/audit/repeats.ts";
import { mergeStates } from "../summarizer/merge-states.ts";
import { type Narration, narrate } from "../summarizer/narrate.ts";
import type { Summarizer } from "../summarizer/summarizer.ts";
import { summarizersOf } from "../summarizer/summarizers-of.ts";
import type { BackgroundSummaries } from "./background-summaries.ts";
import { type Compacted, resultOf } from "./compact-occasion.ts";
import { withoutSecrets } from "./masked-occasion.ts";
import type { Observation } from "./observation.ts";
import { type Occasion, whenDue } from "./occasion.ts";
import type { CompactOptions, CompactorOptions } from "./options.ts";
import { draftFor, tellsWhole } from "./plan-for.ts";
import type { Result } from "./result.ts";

/** The result with a narrative in its hand-off, where one was asked for and can be had; otherwise the result itself. */
export async function withSummary(
  compacted: Compacted,
  input: unknown,
  occasion: Occasion,
  call: CompactOptions,
  options: CompactorOptions,
): Promise<Result> {
  const { result: plain, draft } = compacted;
  if (!call.summarize || summarizersFor(call, options).length === 0 || !plain.report.compacted) return plain;
  const span = handedOff(plain.plan, occasion.conversation);
  if (span.length === 0) return plain;
  const narration = await narrateSpan({ span, occasion, draft }, call, options, call.signal);
  return withNarration(compacted, narration, input, occasion);
}

/** A summary is begun at this share of the first threshold in force, so that it is ready when that is reached. */
export const SOFT_SHARE = 0.8;

/**
 * Nobody waits: near the threshold a summary of what is old by now is begun, and the compaction that follows takes it
 * when it is ready, and the deterministic hand-off when it is not.
 */
export function withBackgroundSummary(
  compacted: Compacted,
  input: unknown,
  occasion: Occasion,
  call: CompactOptions,
  options: CompactorOptions,
  summaries: BackgroundSummaries,
): Result {
  const { result: plain } = compacted;
  const { conversation, policy, fill, state } = occasion;
  const { messages } = conversation;
  if (summarizersFor(call, options).length === 0 && !options.summaries) return plain;
  // What was only shaped on arrival is not handed off, and the summary of what will be is begun all the same.
  if (plain.report.compacted && occasion.goal.act) {
    const ready = handedOff(plain.plan, conversation).length > 0 ? summaries.take(messages) : undefined;
    if (ready === "not-ready") return { ...plain, report: { ...plain.report, summary: notReady } };
    return ready ? withNarration(compacted, ready, input, occasion) : plain;
  }
  const due = fill && triggerSizes(policy, fill, state.compactions).thresholds[0]!.tokens;
  if (due && fill.tokens >= due * SOFT_SHARE) {
    // The call's own signal ends with the call, and this summary is for a later one.
    if (oldMessages(occasion).length > 0)
      summaries.start(messages, (signal) => narrateOld(occasion, call, options, signal));
  }
  return plain;
}

/** The summary that is begun in the background, for whoever writes it. */
export async function narrateOld(
  observed: Observation | Occasion,
  call: CompactOptions,
  options: CompactorOptions,
  signal: AbortSignal,
): Promise<Narration> {
  // Whoever waits for the compaction that is not due yet does not wait for this.
  await new Promise((resolve) => setTimeout(resolve));
  const toTell = { span: oldMessages(observed), occasion: whenDue(observed) };
  return narrateSpan(toTell, call, options, signal);
}

/** What the next compaction will hand off, as far as that is known. */
function oldMessages({ conversation, policy }: Observation): readonly Message[] {
  const old = conversation.messages.slice(0, -Math.max(1, policy.retention.messages));
  return old.filter((message) => message.role !== "system");
}

function summarizersFor(call: CompactOptions, options: CompactorOptions): readonly Summarizer[] {
  return summarizersOf(call.summarizer ?? options.summarizer);
}

interface ToTell {
  readonly span: readonly Message[];
  readonly occasion: Occasion;
  /** The occasion's, where it was made. */
  readonly draft?: Draft | undefined;
}

function narrateSpan(
  { span, occasion, draft }: ToTell,
  call: CompactOptions,
  options: CompactorOptions,
  signal: AbortSignal | undefined,
): Promise<Narration> {
  const { conversation, counter, model, state, fill, policy } = occasion;
  // Lines of it are in the prompt, and of a key without its first line nobody would know that it is one.
  const masked = withoutSecrets(occasion);
  const handedOff = roomIn(masked, masked === occasion ? draft : undefined);
  if (handedOff && !handedOff.room) return Promise.resolve(unasked(state.summarizer));
  return narrate({
    span,
    messages: conversation.messages,
    conversation: { ...(model !== undefined && { model }), ...conversation },
    counter,
    summarizers: summarizersFor(call, options),
    template: policy.summary?.template ?? (policy.handoff.form === "text" ? "brief" : "story"),
    room: handedOff?.room,
    checklist: handedOff && (tellsWhole(policy) ? handedOff.mustKeep : checklistOf(handedOff.ledger)),
    focus: call.focus,
    window: fill?.window,
    state: state.summarizer,
    turn: conversation.messages.length,
    force: call.force,
    signal,
    timeoutMs: options.summarizerTimeoutMs,
    clock: options.clock ?? Date.now,
  });
}

/** Where nothing that is written would find room, nobody is asked to write it. */
function unasked(state: SummarizerState = initialSummarizerState): Narration {
  const error = new SummarizerFailedError(undefined, "other", "the hand-off has no room for a summary.");
  return { story: [], until: 0, attempts: [], before: state, state, error };
}

/** What the hand-off will have room for. A plan that cannot be made is no reason for no summary: its size is estimated then. */
function roomIn(occasion: Occasion, draft?: Draft): HandedOff | undefined {
  try {
    return (draft ?? draftFor(occasion)).told?.("reserved").handedOff;
  } catch (cause) {
    raiseFatal(cause);
    return undefined;
  }
}

/** The result with what was narrated in its hand-off, as far as it may be there; otherwise the result itself, and why. */
export function withNarration(
  compacted: Compacted,
  narration: Narration,
  input: unknown,
  occasion: Occasion,
): Result {
  const { result: plain } = compacted;
  const told = narration.story.length > 0 ? tell(compacted, narration, input, occasion) : undefined;
  const result = told?.result ?? plain;
  const known = result.state.summarizer ?? initialSummarizerState;
  const cost = summaryCost(narration.attempts, plain.report.cost, result.report.cost);
  return {
    ...result,
    report: { ...result.report, summary: { ...summaryReport(narration, told), ...(cost && { cost }) } },
    state: { ...result.state, summarizer: mergeStates(known, narration) },
  };
}

interface Told {
  /** Absent where the summary could not be told after all. */
  readonly result?: Result;
  /** Share of the must-keeps that the summary itself says. */
  readonly coverage: number;
  /** Must-keeps that are in the hand-off although the summary does not say them, or not where there was room. */
  readonly putBack: readonly string[];
  /** In bare form, where nothing is put back or struck, those that are nowhere. */
  readonly missing?: readonly string[];
  readonly failure?: string;
}

/** The must-keeps are those of now: a summary that was begun earlier may tell of what is done by now. */
function tell(
  { result: plain, draft }: Compacted,
  { story, text: audited, written, until }: Narration,
  input: unknown,
  occasion: Occasion,
): Told {
  const mustKeep = plain.plan.handedOff?.mustKeep ?? [];
  let coverage = 0;
  try {
    const lines = occasion.policy.handoff.form === "text" ? briefStory(story) : story;
    const dropped = missingIn(lines.join("\n"), mustKeep);
    coverage = mustKeep.length === 0 ? 1 : 1 - dropped.length / mustKeep.length;
    if (saysTooLittle(lines.join("\n"), storyTold(plain)))
      return { coverage, putBack: [], failure: TOO_LITTLE };
    if (tellsWhole(occasion.policy)) {
      const inBare = isBare(occasion.policy);
      const whole = (inBare ? written : audited) ?? lines.join("\n");
      return tellWhole({ whole, until, inBare, coverage, mustKeep, dropped }, { draft, input, occasion });
    }
    // The hand-off tells its must-keeps itself: what the summary says in the same words is not said twice.
    const known = new Set(mustKeep);
    const untold = lines.filter((line) => !known.has(bare(line)));
    const plan = untold.length > 0 ? draft?.told?.({ lines: untold, until }) : undefined;
    if (!plan) return { coverage, putBack: [], failure: NO_ROOM };
    const result = resultOf(input, occasion, plan, () => {});
    if (!result.report.compacted) return { coverage, putBack: [], failure: result.report.reason };
    const text = textOf(result);
    if (!untold.some((line) => text.includes(line))) return { coverage, putBack: [], failure: NO_ROOM };
    const said = lines.filter((line) => known.has(bare(line)) || text.includes(line));
    const unsaid = missingIn(said.join("\n"), mustKeep);
    const told = new Set(result.plan.handedOff?.told);
    return { result, coverage, putBack: unsaid.filter((line) => told.has(line)) };
  } catch (cause) {
    raiseFatal(cause);
    // The deterministic hand-off is there already: nothing in a summary may cost it.
    const failure = cause instanceof TargetUnreachableError ? NO_ROOM : reasonOf(cause);
    return { coverage, putBack: [], failure };
  }
}

interface Whole {
  readonly whole: string;
  readonly until: number;
  /** Nothing stands around it. */
  readonly inBare: boolean;
  readonly coverage: number;
  readonly mustKeep: readonly string[];
  /** Those of them that it does not say. */
  readonly dropped: readonly string[];
}

interface ToTellIn {
  readonly draft: Draft | undefined;
  readonly input: unknown;
  readonly occasion: Occasion;
}

/** A text that is in the hand-off as it is or not at all. */
function tellWhole(
  { whole, until, inBare, coverage, mustKeep, dropped }: Whole,
  { draft, input, occasion }: ToTellIn,
): Told {
  const plan = draft?.told?.({ lines: [whole], until });
  if (!plan) return { coverage, putBack: [], failure: NO_ROOM };
  const result = resultOf(input, occasion, plan, () => {});
  if (!result.report.compacted) return { coverage, putBack: [], failure: result.report.reason };
  const told = new Set(result.plan.handedOff?.told);
  const putBack = inBare ? [] : dropped.filter((line) => told.has(line));
  return { result, coverage, putBack, ...(inBare && { missing: missingIn(textOf(result), mustKeep) }) };
}

const TOO_LITTLE = "The summary names next to nothing of what happened; the deterministic hand-off is used.";
const NO_ROOM = "The hand-off had no room for the summary; the deterministic one is used.";

/** `- [ ] Write the docs` → `[ ] Write the docs` */
function bare(line: string): string {
  return line.replace(/^\s*[-*•]\s+/, "").trim();
}

/** What the deterministic hand-off tells of what happened. */
function storyTold({ conversation }: Result): string {
  const handoff = conversation.messages.map((message) => handoffIn(message)).find(Boolean);
  return handoff ? readSections(handoff.body).story : "";
}

function textOf({ conversation }: Result): string {
  return conversation.messages.map(textOfMessage).join("\n");
}

/** What the plan's hand-off stands for: messages, and before them earlier hand-offs that messages which stay had in them. */
function handedOff(plan: Plan, { messages }: Conversation): readonly Message[] {
  const edits = plan.steps.find((step) => step.stage === "hand-off")?.edits ?? [];
  const removed = edits.flatMap((edit) => (edit.kind === "remove" ? [messages[edit.position]!] : []));
  const gone = new Set(removed);
  const merged = messages.flatMap((message) =>
    gone.has(message) ? [] : (separateHandoff(message).handoff ?? []),
  );
  return removed.length === 0 ? [] : [...merged, ...removed];
}

const notReady: SummaryReport = {
  coverage: 0,
  putBack: 0,
  invented: [],
  struck: 0,
  attempts: [],
  failure: "The summary was not ready when the compaction was due, and was called off; nobody waited for it.",
};

function summaryReport(
  { summarizer, audit, attempts, error }: Narration,
  told: Told | undefined,
): SummaryReport {
  const failure = told?.failure ?? error?.message;
  return {
    ...(told?.result && summarizer !== undefined && { summarizer }),
    coverage: told?.coverage ?? 0,
    putBack: told?.putBack.length ?? 0,
    ...(told && told.putBack.length > 0 && { putBackLines: told.putBack }),
    invented: audit?.invented ?? [],
    ...(told?.missing && { missing: told.missing }),
    struck: told?.missing ? 0 : (audit?.struck ?? 0),
    attempts,
    ...(failure !== undefined && { failure }),
  };
}
