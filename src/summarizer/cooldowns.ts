/** Cooldowns: how long a summarizer that failed is left alone, and how often one turn may try (R32, R34). Pure. */
import type { FailureClass } from "../errors/summarizer-failed-error.ts";
import {
  type Cooldown,
  initialSummarizerState,
  MOST_COOLDOWNS,
  type SummarizerState,
} from "../state/summarizer-state.ts";

/** Seconds to wait after the first, the second, the third failure of a class in a row; the last one repeats. */
export const COOLDOWN_SECONDS: Readonly<Record<FailureClass, readonly number[]>> = {
  auth: [600],
  quota: [600],
  timeout: [60, 300, 900],
  truncated: [60, 300, 900],
  malformed: [30],
  empty: [30],
  network: [60],
  overload: [60],
  refused: [60],
  directive: [60],
  other: [60],
  // The caller did not want it any more; the summarizer did nothing wrong.
  aborted: [0],
};

export const MOST_ATTEMPTS_PER_TURN = 3;

/** `manual`: a person asked for it. `overflow`: the provider itself proved that the prompt is too long. */
export type Force = "manual" | "overflow";

/** Whether a turn may try again. A person may always. */
export function mayAttempt({ attempts }: SummarizerState, turn: number, force?: Force): boolean {
  return force === "manual" || attempts.turn !== turn || attempts.count < MOST_ATTEMPTS_PER_TURN;
}

/** The cooldown that is in the way of a summarizer now, if one is. */
export function cooldownOf(
  { cooldowns }: SummarizerState,
  summarizer: string,
  now: number,
  force?: Force,
): Cooldown | undefined {
  const cooldown = cooldowns.find((each) => each.summarizer === summarizer);
  if (cooldown === undefined || now >= cooldown.until) return undefined;
  if (force === "manual" || (force === "overflow" && !cooldown.bypassed)) return undefined;
  return cooldown;
}

/** A turn starts an attempt. A person's wish forgets all cooldowns and earlier attempts. */
export function afterStart(state: SummarizerState, turn: number, force?: Force): SummarizerState {
  const { cooldowns, attempts } = force === "manual" ? initialSummarizerState : state;
  return { ...state, cooldowns, attempts: { turn, count: attempts.turn === turn ? attempts.count + 1 : 1 } };
}

/** A summarizer is called although it cools down: an overflow does that once for each cooldown. */
export function afterBypass(state: SummarizerState, summarizer: string, now: number): SummarizerState {
  const cooldowns = state.cooldowns.map((each) =>
    each.summarizer === summarizer && now < each.until ? { ...each, bypassed: true } : each,
  );
  return { ...state, cooldowns };
}

/** A cooldown is never shortened by a later failure. */
export function afterFailure(
  state: SummarizerState,
  {
    summarizer,
    failure,
    now,
  }: { readonly summarizer: string; readonly failure: FailureClass; readonly now: number },
): SummarizerState {
  if (failure === "aborted") return state;
  const known = state.cooldowns.find((each) => each.summarizer === summarizer);
  const strike = (known?.strikes[failure] ?? 0) + 1;
  const ladder = COOLDOWN_SECONDS[failure];
  const until = now + ladder[Math.min(strike, ladder.length) - 1]! * 1_000;
  const running = known !== undefined && now < known.until;
  const cooldown: Cooldown = {
    summarizer,
    until: Math.max(until, known?.until ?? 0),
    failure: running && known.until > until ? known.failure : failure,
    strikes: { ...known?.strikes, [failure]: strike },
    bypassed: running && known.bypassed,
  };
  const others = state.cooldowns.filter((each) => each.summarizer !== summarizer);
  return { ...state, cooldowns: [...others, cooldown].slice(-MOST_COOLDOWNS) };
}

/** A success forgets the summarizer's failures and refills the turn's attempts. */
export function afterSuccess(state: SummarizerState, summarizer: string): SummarizerState {
  return {
    ...state,
    cooldowns: state.cooldowns.filter((each) => each.summarizer !== summarizer),
    attempts: { ...state.attempts, count: 0 },
  };
}
