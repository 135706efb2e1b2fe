/** SummarizerState: what must be remembered of failed summaries between two calls, as a plain serialisable value. */
import type { FailureClass } from "../errors/summarizer-failed-error.ts";
import { checkStored, type StoredFields } from "../json/check-stored.ts";

/** Why and how long one summarizer is left alone. */
export interface Cooldown {
  readonly summarizer: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly failure: FailureClass;
  /** Failures of each class since the last success: they climb the ladder. */
  readonly strikes: Readonly<Partial<Record<FailureClass, number>>>;
  /** An overflow has been let through during this cooldown already. */
  readonly bypassed: boolean;
}

export interface SummarizerState {
  readonly cooldowns: readonly Cooldown[];
  /** How often a summary was tried in the turn that is named so. */
  readonly attempts: { readonly turn: number; readonly count: number };
  /** How many tokens a summarizer reads at most, where it said so by refusing more. */
  readonly windows?: Readonly<Record<string, number>>;
}

export const initialSummarizerState: SummarizerState = { cooldowns: [], attempts: { turn: -1, count: 0 } };

/** More summarizers than anybody has; the oldest entries go first. */
export const MOST_COOLDOWNS = 16;

const FAILURES = [
  "auth",
  "quota",
  "network",
  "timeout",
  "overload",
  "truncated",
  "empty",
  "refused",
  "malformed",
  "directive",
  "aborted",
  "other",
] as const satisfies readonly FailureClass[];

const STATE: StoredFields = {
  fields: {
    cooldowns: {
      each: {
        fields: {
          summarizer: "text",
          until: "number",
          failure: { oneOf: FAILURES },
          strikes: { fields: Object.fromEntries(FAILURES.map((failure) => [`${failure}?`, "number"])) },
          bypassed: (value) => value === true,
        },
      },
      most: MOST_COOLDOWNS,
    },
    attempts: { fields: { turn: "number", count: "number" } },
    "windows?": { values: "number", most: MOST_COOLDOWNS },
  },
};

/** Checks a state that comes back from a caller's checkpoint. Absent: the initial one. Throws OptionsError. */
export function readSummarizerState(value: unknown): SummarizerState {
  if (value === undefined || value === null) return initialSummarizerState;
  return checkStored("state.summarizer", value, STATE) as SummarizerState;
}
