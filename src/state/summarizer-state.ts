/** SummarizerState: what must be remembered of failed summaries between two calls, as a plain serialisable value. */
import { OptionsError } from "../errors/options-error.ts";
import type { FailureClass } from "../errors/summarizer-failed-error.ts";

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

const FAILURES: ReadonlySet<unknown> = new Set<FailureClass>([
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
]);

/** Checks a state that comes back from a caller's checkpoint. Absent: the initial one. Throws OptionsError. */
export function readSummarizerState(value: unknown): SummarizerState {
  if (value === undefined || value === null) return initialSummarizerState;
  const { cooldowns, attempts, windows } = fieldsOf("", value);
  if (!Array.isArray(cooldowns)) throw wrong("cooldowns", "a list");
  const { turn, count } = fieldsOf("attempts", attempts);
  return {
    cooldowns: cooldowns.slice(-MOST_COOLDOWNS).map(readCooldown),
    attempts: { turn: number("attempts.turn", turn), count: number("attempts.count", count) },
    ...(windows !== undefined && { windows: readWindows(windows) }),
  };
}

/** More summarizers than anybody has; the oldest entries go first. */
export const MOST_COOLDOWNS = 16;

function readWindows(value: unknown): Readonly<Record<string, number>> {
  const known = Object.entries(fieldsOf("windows", value)).slice(-MOST_COOLDOWNS);
  return Object.fromEntries(known.map(([name, window]) => [name, number(`windows.${name}`, window)]));
}

function readCooldown(value: unknown, index: number): Cooldown {
  const place = `cooldowns[${index}]`;
  const { summarizer, until, failure, strikes, bypassed } = fieldsOf(place, value);
  if (typeof summarizer !== "string") throw wrong(`${place}.summarizer`, "text");
  if (!FAILURES.has(failure)) throw wrong(`${place}.failure`, "the class of a failure");
  const counted = Object.entries(fieldsOf(`${place}.strikes`, strikes)).filter(([name]) =>
    FAILURES.has(name),
  );
  return {
    summarizer,
    until: number(`${place}.until`, until),
    failure: failure as FailureClass,
    strikes: Object.fromEntries(
      counted.map(([name, count]) => [name, number(`${place}.strikes.${name}`, count)]),
    ),
    bypassed: bypassed === true,
  };
}

function fieldsOf(place: string, value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw wrong(place, "an object");
}

function number(place: string, value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw wrong(place, "a number");
}

function wrong(place: string, expected: string): OptionsError {
  const option = ["state.summarizer", place].filter(Boolean).join(".");
  return new OptionsError(
    option,
    `The summarizer state cannot be used: \`${option}\` must be ${expected}. ` +
      "Give back what the last call returned, or leave it out to start afresh.",
  );
}
