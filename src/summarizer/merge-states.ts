/** mergeStates: what is known of the summarizers when a summary comes back late, and the state went on meanwhile. */
import { type Cooldown, MOST_COOLDOWNS, type SummarizerState } from "../state/summarizer-state.ts";

export interface LateState {
  /** What was known when the summary was begun. */
  readonly before: SummarizerState;
  /** What its attempts made of that. */
  readonly state: SummarizerState;
}

/**
 * What the summary changed, told to the newest state. A cooldown that changed on both sides is the longer one: none is
 * ever shortened. With nothing changed meanwhile it is the summary's own state.
 */
export function mergeStates(now: SummarizerState, { before, state }: LateState): SummarizerState {
  const names = new Set([...now.cooldowns, ...state.cooldowns].map(({ summarizer }) => summarizer));
  const cooldowns = [...names].flatMap((name): readonly Cooldown[] => {
    const [then, late, newest] = [before, state, now].map((each) => cooldownOf(each, name));
    if (isSame(then, newest)) return late ? [late] : [];
    if (isSame(then, late)) return newest ? [newest] : [];
    return late && newest ? [longer(late, newest)] : [(late ?? newest)!];
  });
  const windows = { ...now.windows, ...state.windows };
  return {
    cooldowns: cooldowns.slice(-MOST_COOLDOWNS),
    attempts: newerAttempts(now, state),
    ...(Object.keys(windows).length > 0 && { windows }),
  };
}

function cooldownOf({ cooldowns }: SummarizerState, name: string): Cooldown | undefined {
  return cooldowns.find(({ summarizer }) => summarizer === name);
}

function isSame(one: Cooldown | undefined, other: Cooldown | undefined): boolean {
  return one?.until === other?.until && one?.bypassed === other?.bypassed;
}

function longer(one: Cooldown, other: Cooldown): Cooldown {
  const longest = one.until > other.until ? one : other;
  const strikes = { ...one.strikes, ...other.strikes };
  for (const [name, count] of Object.entries(one.strikes) as [keyof typeof strikes, number][])
    strikes[name] = Math.max(count, other.strikes[name] ?? 0);
  return { ...longest, strikes };
}

/** Turns are counted by messages: the larger number is the later turn, unless the conversation was compacted since. */
function newerAttempts(now: SummarizerState, late: SummarizerState): SummarizerState["attempts"] {
  return now.attempts.turn > late.attempts.turn ? now.attempts : late.attempts;
}
