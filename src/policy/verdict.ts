/** Verdict: what an attempt, and the next real prompt size, change in the state. State in, state out; nothing else. */
import type { CompactionState } from "../state/compaction-state.ts";
import type { Go } from "./decide.ts";
import { regrowthOf } from "./minimum-reclaim.ts";
import { strikesToBlock } from "./strikes.ts";

/** How long automatic compaction stops after two strikes, or when there was nothing to do (R17, R18). */
export const blockMs = 300_000;

export interface Compaction {
  /** Why it was done; absent when it was an explicit target. */
  readonly decision?: Pick<Go, "cause" | "thresholdTokens"> | undefined;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** The whole request afterwards, system prompt and tools included. */
  readonly promptTokensAfter?: number | undefined;
  readonly now: number;
  readonly model?: string | undefined;
}

/**
 * A compaction was carried out. What the provider reported before it is forgotten (R22), and the next real prompt size
 * will judge it (R16). One asked for by hand ends every block and is not judged (R17).
 */
export function afterCompaction(state: CompactionState, compaction: Compaction): CompactionState {
  const { decision, tokensBefore, tokensAfter, promptTokensAfter = tokensAfter, now, model } = compaction;
  const { anchor: _, pendingVerdict: _pending, ...kept } = forModel(state, model);
  const counted = { ...kept, compactions: kept.compactions + 1 };
  const rearmTokens = promptTokensAfter + regrowthOf(decision?.thresholdTokens ?? tokensBefore);
  if (!decision || decision.cause === "manual") {
    return { ...withoutBlock(counted), strikes: 0, recentResults: [], rearmTokens };
  }
  const recentResults = [...counted.recentResults, { at: now, tokensBefore, tokensAfter }].slice(
    -keptResults,
  );
  const attempted = { ...counted, lastAttemptAt: now, rearmTokens, recentResults };
  const stuck = stuckReason(recentResults, now);
  if (stuck)
    return withBlock({ ...attempted, strikes: Math.max(strikesToBlock, counted.strikes + 1) }, now, stuck);
  const judged = { ...attempted, pendingVerdict: { thresholdTokens: decision.thresholdTokens } };
  // After two strikes this was the one probe: the next waits for its verdict, or for the time to pass.
  return counted.strikes >= strikesToBlock
    ? withBlock(judged, now, "this was the one attempt after a block, and its effect is not known yet")
    : withoutBlock(judged);
}

/** There was nothing to do: look again later, or when there is a tenth more (`tokens`: the fill now). No strike (R18). */
export function afterNothing(
  state: CompactionState,
  now: number,
  reason: string,
  tokens?: number,
): CompactionState {
  const blocked = withBlock(
    { ...state, lastAttemptAt: now },
    now,
    `there was nothing to compact (${plain(reason)})`,
  );
  return tokens === undefined ? blocked : { ...blocked, blockEndsAtTokens: tokens + regrowthOf(tokens) };
}

/** The result was not smaller and was thrown away: a strike (R19). */
export function afterRefusal(state: CompactionState, now: number, reason: string): CompactionState {
  return strike({ ...state, lastAttemptAt: now }, now, `a compaction was refused (${plain(reason)})`);
}

/**
 * Judges the last compaction, once, by the next real prompt size. Messages that shrank prove nothing when the system
 * prompt and the tools alone are over the threshold (R16, R23).
 */
export function judge(
  state: CompactionState,
  realPromptTokens: number,
  now: number = state.lastAttemptAt ?? 0,
): CompactionState {
  const { pendingVerdict, ...judged } = state;
  if (!pendingVerdict) return state;
  if (realPromptTokens < pendingVerdict.thresholdTokens) return { ...withoutBlock(judged), strikes: 0 };
  return strike(
    judged,
    now,
    `compaction left ${realPromptTokens} tokens in the request, the threshold is ${pendingVerdict.thresholdTokens}`,
  );
}

/** The state under this model: after a switch, verdicts and sizes of the other one do not hold (R17). */
export function forModel(state: CompactionState, model: string | undefined): CompactionState {
  if (model === undefined || model === state.model) return state;
  if (state.model === undefined) return { ...state, model };
  const { pendingVerdict: _, rearmTokens: _rearm, anchor: _anchor, ...kept } = withoutBlock(state);
  return { ...kept, strikes: 0, recentResults: [], model };
}

type Results = CompactionState["recentResults"];

const keptResults = 8;
const rhythm = { results: 7, withinMs: 600_000, reclaimUnder: 0.1 };
const fixedPoint = { results: 3, spread: 0.02, reclaimUnder: 0.2 };

/** The same size again and again for little gain, or too many small gains in a short time (R20). */
function stuckReason(results: Results, now: number): string | undefined {
  const same = results.slice(-fixedPoint.results);
  const sizes = same.map((result) => result.tokensAfter);
  if (
    same.length === fixedPoint.results &&
    same.every((result) => reclaimed(result) < fixedPoint.reclaimUnder) &&
    Math.max(...sizes) - Math.min(...sizes) <= fixedPoint.spread * Math.max(...sizes)
  ) {
    return `the last ${fixedPoint.results} compactions all ended at about ${sizes.at(-1)} tokens`;
  }
  const small = results.filter(
    (result) => now - result.at <= rhythm.withinMs && reclaimed(result) < rhythm.reclaimUnder,
  );
  if (small.length < rhythm.results) return undefined;
  return `${small.length} compactions in ten minutes saved less than a tenth each`;
}

function reclaimed({ tokensBefore, tokensAfter }: Results[number]): number {
  return tokensBefore > 0 ? (tokensBefore - tokensAfter) / tokensBefore : 0;
}

function strike(state: CompactionState, now: number, reason: string): CompactionState {
  const struck = { ...state, strikes: state.strikes + 1 };
  return struck.strikes >= strikesToBlock ? withBlock(struck, now, reason) : struck;
}

function withBlock(state: CompactionState, now: number, reason: string): CompactionState {
  return { ...withoutBlock(state), blockedUntil: now + blockMs, blockedReason: reason };
}

function withoutBlock(state: CompactionState): CompactionState {
  const { blockedUntil: _, blockedReason: _reason, blockEndsAtTokens: _ends, ...free } = state;
  return free;
}

/** A sentence as a clause: without its full stop. */
function plain(reason: string): string {
  return reason.trim().replace(/\.$/, "");
}
