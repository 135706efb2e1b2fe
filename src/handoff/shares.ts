/** How a hand-off divides its room: the one place that says so. */
export const SHARES = {
  /** What people typed, before anything else; beyond it the first and the latest ask and what binds outlive the rest. */
  peoplesWords: 0.38,
  /** While work is under way how its last call ended, then what the agent said last: without that nobody can go on, however little room there is. */
  latest: 0.45,
  /** What people had asked for before that, as another program's summary says it. */
  askedBefore: 0.12,
  /** What no edit takes back, one by one; what is older than that in one line. */
  lasting: 0.1,
  /** The same beside a model's text, which tells of it too. */
  lastingWithStory: 0.05,
  /** In tokens: in a small room a few deeds may take more than their share. */
  leastLasting: 160,
  /** Records that were taken up later or are still to be used, before what the agent said; beyond it they come after. */
  facts: 0.4,
  /** What the turn in hand printed and nobody spoke of yet. */
  unspoken: 0.08,
  leastUnspoken: 120,
  /** What the turn in hand changed in files and nobody has reported yet. */
  edits: 0.06,
  leastEdits: 70,
  /** What loads again the instructions that are no longer in view; the newest of them in any room. */
  instructions: 0.06,
  /** The words of doubt that were dropped, if they take no more than this. */
  doubts: 0.1,
  /** The user's rules, of the whole target: those that bind most likely. A very small one gives them at least `leastRules` tokens. */
  rules: 0.65,
  leastRules: 110,
  /** The state as it is now: open work, failing checks, what is changed and not committed. */
  state: 0.1,
  /** The same with whatever of it must be kept: todos and failures that are open. */
  openState: 0.15,
} as const;

/** So much of the room may stay empty: in a large one the last lines are printed ones, not worth another pass. */
export function slackOf(maxTokens: number): number {
  return maxTokens * (maxTokens > LARGE_ROOM ? 0.08 : 0.02);
}

const LARGE_ROOM = 8_000;
