/** Refusal: why nothing is compacted now, in plain words, with what would change it (R51). */
import type { Fill } from "../tokens/fill.ts";
import { counted, percent, thousands } from "../tokens/number-words.ts";
import type { CountedSituation, Situation } from "./situation.ts";
import { strikesToBlock } from "./strikes.ts";
import type { TriggerSizes } from "./trigger-sizes.ts";

export interface Refusal {
  readonly act: false;
  /** Stable, for programs. */
  readonly code: RefusalCode;
  readonly reason: string;
}

export type RefusalCode =
  | "EMPTY"
  | "DEBUG"
  | "TOOL_CALL_OPEN"
  | "BELOW_THRESHOLD"
  | "AGENT_CONTROLLED"
  | "TOO_FEW_MESSAGES"
  | "NOTHING_TO_SUMMARIZE"
  | "NOT_REGROWN"
  | "BLOCKED"
  | "PAUSED";

export function refuse(code: RefusalCode, reason: string): Refusal {
  return { act: false, code, reason };
}

/** No threshold is reached: says which one comes next. */
export function belowThreshold(
  { fill, spoken, largestResultTokens = () => 0 }: CountedSituation,
  { thresholds }: TriggerSizes,
): Refusal {
  const next = thresholds.find(({ tokens }) => fill.tokens < tokens);
  const waiting = thresholds.find(({ tokens }) => fill.tokens >= tokens)?.threshold.needsResultOver;
  const messages = thresholds.find(({ threshold }) => threshold.messages !== undefined)?.threshold.messages;
  const triggers = [
    waiting !== undefined &&
      `with a tool result over ${thousands(waiting)} tokens (largest now ${thousands(largestResultTokens())})`,
    next && `from ${thousands(next.tokens)} tokens`,
    messages !== undefined && `with more than ${counted(messages, "message")} (now ${spoken})`,
  ].filter(Boolean);
  return refuse("BELOW_THRESHOLD", `Not due: ${fillWords(fill)}. Compacts ${triggers.join(", or ")}.`);
}

/**
 * Too little there to gain anything (F26, F54, R48), unless one tool result alone breaks the tail's ceiling (R44), or the
 * request is too large to be sent: few messages may hold much where a hand-off is one of them.
 */
export function noGain(
  { fill, spoken, policy, state, largestResultTokens = () => 0 }: CountedSituation,
  sizes: TriggerSizes,
): Refusal | undefined {
  const oneIsHuge = () => largestResultTokens() > policy.retention.ceiling * sizes.targetTokens(fill.tokens);
  const isNeeded = () => fill.tokens > fill.budget || oneIsHuge();
  if (spoken < policy.minMessages && !isNeeded()) {
    return refuse(
      "TOO_FEW_MESSAGES",
      `Only ${counted(spoken, "message")}: the preset leaves fewer than ${policy.minMessages} alone. ` +
        "More messages, a target or an overflow change that.",
    );
  }
  const head = policy.head.decays && state.compactions > 0 ? 0 : policy.head.messages;
  if (spoken <= head + policy.retention.messages && !isNeeded()) {
    const first = head > 0 ? `the first ${head} and ` : "";
    return refuse(
      "NOTHING_TO_SUMMARIZE",
      `Nothing to summarise: there ${spoken === 1 ? "is" : "are"} ${counted(spoken, "message")}, and ${first}the last ` +
        `${policy.retention.messages} stay verbatim. More messages, a target or an overflow change that.`,
    );
  }
  if (state.rearmTokens !== undefined && fill.tokens < Math.min(state.rearmTokens, fill.budget)) {
    return refuse(
      "NOT_REGROWN",
      `Too little was added since the last compaction: ${fillWords(fill)}. ` +
        `The next one is worth a broken prompt cache from ${thousands(state.rearmTokens)} tokens.`,
    );
  }
  return undefined;
}

/**
 * Blocks and pauses between automatic attempts (R16–R18). A request that no longer fits does not wait for a pause; it
 * does wait when compaction has shown twice that it does not help.
 */
export function onHold({ fill, policy, state, now }: Situation): Refusal | undefined {
  const { blockedUntil, blockedReason, blockEndsAtTokens = Number.POSITIVE_INFINITY, lastAttemptAt } = state;
  if (fill.tokens >= fill.budget && state.strikes < strikesToBlock) return undefined;
  if (blockedUntil !== undefined && now < blockedUntil && fill.tokens < blockEndsAtTokens) {
    const growth = Number.isFinite(blockEndsAtTokens) ? `, or at ${thousands(blockEndsAtTokens)} tokens` : "";
    return refuse(
      "BLOCKED",
      `Compaction is due (${fillWords(fill)}) but blocked: ${blockedReason ?? "earlier attempts did not help"}. ` +
        `The next automatic attempt is in ${seconds(blockedUntil - now)}${growth}; ` +
        "a compaction by hand or another model ends the block.",
    );
  }
  const since = now - (lastAttemptAt ?? Number.NEGATIVE_INFINITY);
  // A clock that was set back must not stretch the pause: an attempt in the future does not count.
  if (since >= 0 && since < policy.intervalMs) {
    return refuse(
      "PAUSED",
      `Compaction is due (${fillWords(fill)}), but the last attempt was ${seconds(since)} ago and the preset waits ` +
        `${seconds(policy.intervalMs)} between two: the next is in ${seconds(policy.intervalMs - since)}.`,
    );
  }
  return undefined;
}

export function fillWords({ tokens, base }: Fill): string {
  return `${thousands(tokens)} of ${thousands(base)} tokens, ${percent(tokens / base)}`;
}

function seconds(ms: number): string {
  return `${thousands(Math.ceil(ms / 1000))} s`;
}
