/** createCompactor: the front door of the library. Reads, decides, plans, applies and writes; holds no state of its own. */
import type { Conversation } from "./conversation/conversation.ts";
import { CompactionError } from "./errors/compaction-error.ts";
import { OptionsError } from "./errors/options-error.ts";
import { formatNamed, writeConversation } from "./formats/detect.ts";
import { violations } from "./invariants/index.ts";
import { type Occasion, planFor, readOccasion } from "./occasion.ts";
import { carryOut } from "./plan/apply-plan.ts";
import { withFingerprints } from "./plan/fingerprint.ts";
import { emptyPlan, type Plan } from "./plan/plan.ts";
import { reclaimsEnough } from "./policy/minimum-reclaim.ts";
import type { Policy } from "./policy/policy.ts";
import type { PresetExpression } from "./policy/presets.ts";
import { resolvePolicy } from "./policy/resolve-policy.ts";
import { afterCompaction, afterNothing, afterRefusal } from "./policy/verdict.ts";
import { buildReport, failureReport } from "./report/build-report.ts";
import type { CompactionEvent } from "./report/event.ts";
import { type Health, health } from "./report/health.ts";
import type { Report } from "./report/report.ts";
import { sessionLogEntry } from "./report/session-log.ts";
import type { ToolOutput } from "./shapes/shape.ts";
import { shapeToolResult } from "./shapes/shape-tool-result.ts";
import { type CompactionState, initialState } from "./state/compaction-state.ts";
import { counterForModel } from "./tokens/counter.ts";

export interface CompactorOptions {
  /** When and how to compact: a preset with modifiers, or a policy of your own. @default "balanced" */
  readonly preset?: PresetExpression | Policy;
  /** The model's context window in tokens. Needed unless the model is a known one or every call has a target. */
  readonly window?: number;
  /** Tokens kept free for the answer. @default the smaller of 8,192 and an eighth of the window */
  readonly reserve?: number;
  /** The model's name: picks the tokenizer, and the window where it is known. */
  readonly model?: string;
  /** Wire format of what is given. @default "auto" */
  readonly format?: string;
  /** Hears about progress. */
  readonly onEvent?: (event: CompactionEvent) => void;
  /** Receives the SESSION_LOG lines of every compaction (F28, F39); append them to a file, never rewrite it. */
  readonly sessionLog?: (text: string) => void;
  /** Milliseconds since the epoch. @default Date.now */
  readonly clock?: () => number;
}

export interface CompactOptions {
  /** A hard ceiling in tokens, or a share of what came in ("30%"). Compacts whatever the thresholds say. */
  readonly target?: number | `${number}%`;
  /** Tool definitions that are sent with the conversation, when the body does not hold them. */
  readonly tools?: readonly unknown[];
  /** Positions of messages that must stay whole and verbatim. */
  readonly pins?: readonly number[];
  /** What the last call returned. */
  readonly state?: CompactionState;
  /** The provider's usage block of the last answer. */
  readonly usage?: unknown;
  /** Compact now, whatever the thresholds and pauses say. `overflow`: the provider refused the request for its size. */
  readonly force?: "manual" | "overflow";
}

export interface Result {
  /** The compacted body, in the kind and format it was given. The very input when nothing was done. */
  readonly output: unknown;
  readonly conversation: Conversation;
  readonly plan: Plan;
  readonly report: Report;
  readonly state: CompactionState;
}

export interface Compactor {
  /** Never throws: on any failure `output` is the input and `report.error` says why. */
  readonly compact: (input: unknown, options?: CompactOptions) => Promise<Result>;
  /** The plan that `compact` would carry out; empty steps when nothing is due. Throws CompactionError. */
  readonly plan: (input: unknown, options?: CompactOptions) => Plan;
  readonly health: (input: unknown, options?: CompactOptions) => Health;
  /**
   * A tool's output as it should enter the conversation: shaped by its type where the policy shapes on arrival (F31),
   * otherwise as it is. Shaping what was shaped changes nothing.
   */
  readonly shapeOnArrival: (output: ToolOutput) => string;
  readonly policy: Policy;
}

/** Throws OptionsError on options that cannot be right; `compact` itself never throws. */
export function createCompactor(options: CompactorOptions = {}): Compactor {
  checkOptions(options);
  const policy = resolvePolicy(options.preset, options.window);
  const clock = options.clock ?? Date.now;
  const emit = options.onEvent ?? (() => {});

  return {
    policy,
    plan: (input, call = {}) => {
      const occasion = readOccasion(input, options, call, clock());
      return withFingerprints(planFor(occasion), occasion.conversation.messages);
    },
    health: (input, call = {}) => {
      const { conversation, fill } = readOccasion(
        input,
        options,
        { target: Number.MAX_SAFE_INTEGER, ...call },
        clock(),
      );
      return health({ conversation, fill });
    },
    shapeOnArrival: (output) => {
      if (!policy.shapeOnArrival || !policy.enabled) return output.text;
      return shapeToolResult(output, { counter: counterForModel(options.model) })?.text ?? output.text;
    },
    async compact(input, call = {}) {
      let occasion: Occasion | undefined;
      try {
        occasion = readOccasion(input, options, call, clock());
        const result = compactOccasion(input, occasion, emit);
        if (result.report.compacted) options.sessionLog?.(sessionLogEntry(result.report, clock()));
        emit({ type: "compaction-end", report: result.report });
        return result;
      } catch (cause) {
        const error = asCompactionError(cause);
        tellFailure(error, emit);
        const report = failureReport(error, policy.name, occasion);
        const conversation = occasion?.conversation ?? nothingRead;
        return {
          output: input,
          conversation,
          plan: emptyPlan(policy.name),
          report,
          state: occasion ? afterFailure(occasion, error) : (call.state ?? initialState),
        };
      }
    },
  };
}

/** Plans and applies, and gives the input back when there is nothing to do or the result is no better. */
function compactOccasion(input: unknown, occasion: Occasion, emit: (event: CompactionEvent) => void): Result {
  const { conversation, goal, state, now } = occasion;
  const untouched = (
    reason: string,
    next: CompactionState,
    plan: Plan = emptyPlan(occasion.policy.name),
  ): Result => {
    emit({ type: "compaction-skip", reason });
    const report = buildReport({ occasion, plan, after: conversation, reason });
    return { output: input, conversation, plan, report, state: next };
  };
  if (!goal.act) return untouched(goal.reason, state);

  emit({
    type: "compaction-start",
    tokens: occasion.tokens,
    targetTokens: goal.targetTokens,
    cause: goal.cause,
  });
  if (goal.cause === "safety-net") {
    emit({
      type: "safety-net",
      code: "CONTEXT_BUDGET_COMPACTION_SAFETY_NET",
      fill: occasion.fill?.ratio ?? 1,
    });
  }
  const plan = planFor(occasion);
  emit({ type: "plan-made", plan });
  if (plan.steps.length === 0) {
    const reason = `Nothing was left to take away: ${goal.reason}`;
    return untouched(
      reason,
      goal.decision ? afterNothing(state, now, reason, occasion.fill?.tokens) : state,
      plan,
    );
  }
  const saved = plan.tokensBefore - plan.tokensAfter;
  const automatic = goal.cause === "threshold" || goal.cause === "messages";
  if (saved <= 0 || (automatic && !reclaimsEnough(occasion.policy, plan.tokensBefore, plan.tokensAfter))) {
    const reason = `The plan would save ${Math.max(0, saved)} of ${plan.tokensBefore} tokens, which is not worth breaking the prompt cache.`;
    return untouched(
      reason,
      saved <= 0 ? afterRefusal(state, now, reason) : afterNothing(state, now, reason, occasion.fill?.tokens),
      plan,
    );
  }
  const after = carryOut(conversation, plan);
  const broken = violations(conversation.messages, after.messages);
  if (broken.length > 0) {
    throw new CompactionError(
      "COMPACTION_FAILED",
      `The compacted conversation would not be valid: ${broken.join("; ")}. The original stays.`,
    );
  }
  for (const step of plan.steps) {
    emit({
      type: "stage-end",
      stage: step.stage,
      tokensBefore: step.tokensBefore,
      tokensAfter: step.tokensAfter,
    });
  }
  const report = buildReport({ occasion, plan, after, reason: goal.reason });
  const next = afterCompaction(state, {
    decision: goal.decision,
    tokensBefore: plan.tokensBefore,
    tokensAfter: plan.tokensAfter,
    promptTokensAfter: report.promptTokensAfter,
    now,
    model: occasion.model,
  });
  const handedOff = plan.steps.some((step) => step.stage === "hand-off");
  return {
    output: writeConversation(after),
    conversation: after,
    plan,
    report,
    state: {
      ...next,
      ...(occasion.reported !== undefined && { actedOnUsage: occasion.reported }),
      ...(handedOff && occasion.policy.handoff.systemNote && { systemNoted: true }),
    },
  };
}

/** A failed automatic attempt is a strike, or it would be made again at every turn (R18); one by hand is not (R17). */
function afterFailure({ goal, state, now }: Occasion, { message }: CompactionError): CompactionState {
  const byHand = !goal.act || goal.cause === "target" || goal.cause === "manual";
  return byHand ? state : afterRefusal(state, now, message);
}

/** It may be the listener itself that failed: then there is nobody left to tell but the Report. */
function tellFailure(error: CompactionError, emit: (event: CompactionEvent) => void): void {
  try {
    emit({ type: "compaction-fail", code: "CONTEXT_BUDGET_COMPACTION_FAILED", error });
  } catch (cause) {
    error.cause ??= cause;
  }
}

const nothingRead: Conversation = { format: "unknown", messages: [], tools: [], envelope: undefined };

function asCompactionError(cause: unknown): CompactionError {
  if (cause instanceof CompactionError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new CompactionError("COMPACTION_FAILED", `Compaction failed: ${message}. The original stays.`, {
    cause,
  });
}

function checkOptions({ window, reserve, format = "auto" }: CompactorOptions): void {
  if (format !== "auto") formatNamed(format);
  for (const [option, value] of Object.entries({ window, reserve })) {
    const least = option === "window" ? 1 : 0;
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= least)) {
      throw new OptionsError(
        option,
        `${option} is ${value}; it must be a whole number of tokens, at least ${least}.`,
      );
    }
  }
  if (window !== undefined && reserve !== undefined && reserve >= window) {
    throw new OptionsError("reserve", `reserve is ${reserve}; it must be below the window of ${window}.`);
  }
}
