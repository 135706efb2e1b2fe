/** decide: whether to compact now, why, how far and by which means. Pure: the same situation gives the same decision. */
import type { Message } from "../conversation/message.ts";
import { endsInFlight } from "../conversation/turn.ts";
import { counted, percent, thousands } from "../tokens/number-words.ts";
import { actions, type ThresholdAction } from "./policy.ts";
import { belowThreshold, fillWords, noGain, onHold, type Refusal, refuse } from "./refusal.ts";
import type { CountedSituation, Situation } from "./situation.ts";
import { type TriggerSizes, triggerSizes } from "./trigger-sizes.ts";

export type Cause = "threshold" | "messages" | "manual" | "overflow" | "request" | "safety-net";

/** Yes, with how far and by which means. Sizes are of the whole request, as `fill.tokens` is. */
export interface Go {
  readonly act: true;
  readonly cause: Cause;
  /** The most that may be done. */
  readonly action: ThresholdAction;
  /** What the next real prompt must stay under for this compaction to have worked (R16). */
  readonly thresholdTokens: number;
  readonly targetTokens: number;
  readonly reason: string;
}

export type Decision = Go | Refusal;

export const REFUSED_FOR_SIZE = "The provider refused the request for its size";

export function decide(given: Situation): Decision {
  const { fill, conversation, policy, state, force, requested } = given;
  const sizes = triggerSizes(policy, fill, state.compactions);
  const spoken = spokenMessages(conversation.messages);
  const situation: CountedSituation = { ...given, spoken };
  if (spoken === 0) {
    return refuse("EMPTY", "There are no messages besides the system prompt: nothing can be compacted yet.");
  }
  if (force === "overflow") {
    return asked(situation, sizes, "overflow", "trim", REFUSED_FOR_SIZE);
  }
  if (!policy.enabled) {
    return refuse(
      "DEBUG",
      `The preset "${policy.name}" does not compact, as with the modifier debug: nothing shrinks except to recover ` +
        "from an overflow. Choose the preset without it, or give a target.",
    );
  }
  if (force === "manual")
    return asked(situation, sizes, "manual", "hand-off", "Compaction was asked for by hand");
  if (endsInFlight(conversation.messages)) {
    return refuse(
      "TOOL_CALL_OPEN",
      "A tool call at the end is not answered yet: compaction waits for the turn boundary, when every result is in.",
    );
  }
  if (requested) {
    return (
      noGain(situation, sizes) ??
      asked(situation, sizes, "request", "hand-off", "The agent asked for compaction")
    );
  }
  const due =
    sizes.safetyTokens === undefined ? byThreshold(situation, sizes) : bySafetyNet(situation, sizes);
  return due.act ? (noGain(situation, sizes) ?? onHold(situation) ?? due) : due;
}

function spokenMessages(messages: readonly Message[]): number {
  let count = 0;
  for (let at = 0; at < messages.length; at++) if (messages[at]!.role !== "system") count++;
  return count;
}

/** Somebody asked: at least `action`, more when the fill calls for it. */
function asked(
  situation: CountedSituation,
  sizes: TriggerSizes,
  cause: Cause,
  action: ThresholdAction,
  why: string,
): Go {
  const reached = reachedThresholds(situation, sizes).at(-1)?.threshold.action ?? action;
  return {
    act: true,
    cause,
    action: stronger(action, reached),
    thresholdTokens: sizes.thresholds[0]!.tokens,
    targetTokens: sizes.targetTokens(situation.fill.tokens),
    reason: `${why} (${fillWords(situation.fill)}).`,
  };
}

/** The highest reached threshold acts; the lowest reached one is what the result must stay under. */
function byThreshold(situation: CountedSituation, sizes: TriggerSizes): Decision {
  const { fill, spoken } = situation;
  const reached = reachedThresholds(situation, sizes);
  const lowest = reached[0];
  const highest = reached.at(-1);
  if (!lowest || !highest) return belowThreshold(situation, sizes);
  const { action, messages } = highest.threshold;
  const byFill = fill.tokens >= highest.tokens;
  return {
    act: true,
    cause: byFill ? "threshold" : "messages",
    action,
    thresholdTokens: lowest.tokens,
    targetTokens: sizes.targetTokens(fill.tokens),
    reason: byFill
      ? `${fillWords(fill)}: the threshold of ${thousands(highest.tokens)} is reached (${action}).`
      : `${counted(spoken, "message")}, and the preset allows ${messages} (${action}).`,
  };
}

/** The agent compacts by itself; only the net below it is ours (F76). */
function bySafetyNet({ fill, policy }: Situation, sizes: TriggerSizes): Decision {
  const safetyTokens = sizes.safetyTokens!;
  if (fill.tokens < safetyTokens) {
    return refuse(
      sizes.thresholds[0]!.tokens <= fill.tokens ? "AGENT_CONTROLLED" : "BELOW_THRESHOLD",
      `The agent compacts by itself here: automatic compaction waits for ${thousands(safetyTokens)} tokens ` +
        `(${percent(safetyTokens / fill.base)}); it is at ${fillWords(fill)}.`,
    );
  }
  return {
    act: true,
    cause: "safety-net",
    action: stronger("hand-off", policy.thresholds.at(-1)!.action),
    thresholdTokens: safetyTokens,
    targetTokens: sizes.targetTokens(fill.tokens),
    reason: `${fillWords(fill)}: the safety net at ${thousands(safetyTokens)} tokens caught.`,
  };
}

function reachedThresholds(
  { fill, spoken, largestResultTokens = () => 0 }: CountedSituation,
  sizes: TriggerSizes,
) {
  return sizes.thresholds.filter(({ threshold, tokens }) => {
    if (threshold.messages !== undefined && spoken > threshold.messages) return true;
    const { needsResultOver } = threshold;
    return (
      fill.tokens >= tokens && (needsResultOver === undefined || largestResultTokens() > needsResultOver)
    );
  });
}

function stronger(left: ThresholdAction, right: ThresholdAction): ThresholdAction {
  return actions.indexOf(right) > actions.indexOf(left) ? right : left;
}
