/** Lessons: which kinds of dropped specifics had to be recalled and were then used, as counts (F19). Plain data, and small. */
import { OptionsError } from "../errors/options-error.ts";
import { checkStored, type StoredFields } from "../json/check-stored.ts";

export interface Lesson {
  /** Specifics that compactions took out of view. */
  readonly dropped: number;
  /** How many of them were to be needed again, by the chances that the hand-off gave them. */
  readonly expected: number;
  /** Of those, the ones that the agent opened with recall_expand and went on to use. */
  readonly needed: number;
}

export interface Lessons {
  readonly version: 1;
  /** By trait: `kind:path`, `by:tool`, `tool:read_file`. */
  readonly traits: Readonly<Record<string, Lesson>>;
  /** The calls of recall_expand that were learned from, newest last: each teaches once. */
  readonly heard: readonly string[];
}

export const noLessons: Lessons = { version: 1, traits: {}, heard: [] };

/** How much more or less a specific with these traits may count: never over twice, never under half. */
export const MOST_WEIGHT = 2;

/** So many needs are assumed of every trait before anything was seen, at the rate of all: few lessons move little. */
const ASSUMED_NEEDS = 16;

/** 1 without lessons; above where such specifics were needed more often than expected, as dropped ones go in general. */
export function weightOf(lessons: Lessons, traits: readonly string[]): number {
  const rate = overallRate(lessons);
  let weight = 1;
  for (const trait of traits) {
    const { expected = 0, needed = 0 } = lessons.traits[trait] ?? {};
    weight *= bounded((needed + ASSUMED_NEEDS) / (expected * rate + ASSUMED_NEEDS));
  }
  return bounded(weight);
}

function bounded(weight: number): number {
  return Math.min(MOST_WEIGHT, Math.max(1 / MOST_WEIGHT, weight));
}

/** Every specific has one kind, so the kinds count each of them once. */
function overallRate({ traits }: Lessons): number {
  let [expected, needed] = [0, 0];
  for (const [trait, lesson] of Object.entries(traits)) {
    if (!trait.startsWith("kind:")) continue;
    expected += lesson.expected;
    needed += lesson.needed;
  }
  return expected === 0 ? 0 : needed / expected;
}

/** Where a specific was: who said it, and with which tools. */
export interface Origin {
  readonly by: "user" | "assistant" | "tool";
  readonly tools: readonly string[];
}

export function traitsOf(specific: string, { by, tools }: Origin): readonly string[] {
  return [`kind:${kindOf(specific)}`, `by:${by}`, ...tools.map((name) => `tool:${name}`)];
}

/** `src/a.ts` is a path, `12:30:05` a number, `9fceb02` and `user-17` are ids, `parseInput` is a name. */
export function kindOf(specific: string): "path" | "number" | "id" | "name" {
  if (specific.includes("/") || /\.[a-z]{1,5}$/i.test(specific)) return "path";
  if (!/\d/.test(specific)) return "name";
  return /[a-z]/i.test(specific) ? "id" : "number";
}

/** The lessons with so many more of each trait; names beyond the limit, which only tools can reach, are not taken up. */
export function withCounts(lessons: Lessons, counts: ReadonlyMap<string, Partial<Lesson>>): Lessons {
  const traits: Record<string, Lesson> = { ...lessons.traits };
  for (const [trait, more] of counts) {
    const known = traits[trait];
    if (!known && Object.keys(traits).length >= MAX_TRAITS) continue;
    const sum = plus(known ?? NOTHING, more);
    // To a thousandth, so that it reads well.
    traits[trait] = { ...sum, expected: Math.round(1000 * sum.expected) / 1000 };
  }
  return faded({ ...lessons, traits });
}

export function plus(lesson: Lesson, { dropped = 0, expected = 0, needed = 0 }: Partial<Lesson>): Lesson {
  return {
    dropped: lesson.dropped + dropped,
    expected: lesson.expected + expected,
    needed: lesson.needed + needed,
  };
}

export const NOTHING: Lesson = { dropped: 0, expected: 0, needed: 0 };

const MAX_TRAITS = 80;
const MAX_NEEDS = 400;

/** Above a ceiling all counts are halved: what was learned long ago gives way to what is learned now. */
function faded(lessons: Lessons): Lessons {
  const needs = Object.values(lessons.traits).reduce((most, { needed }) => Math.max(most, needed), 0);
  if (needs <= MAX_NEEDS) return lessons;
  const half = ([trait, { dropped, expected, needed }]: [string, Lesson]) =>
    [
      trait,
      { dropped: Math.floor(dropped / 2), expected: expected / 2, needed: Math.floor(needed / 2) },
    ] as const;
  return { ...lessons, traits: Object.fromEntries(Object.entries(lessons.traits).map(half)) };
}

/** Lessons that come back from a checkpoint or a file. Throws OptionsError. */
export function readLessons(value: unknown): Lessons {
  try {
    return checkStored("lessons", value, LESSONS) as Lessons;
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    const { option } = error;
    throw new OptionsError(
      option,
      `The lessons cannot be used: \`${option}\` is not right. Give { version: 1, traits, heard } as \`state.lessons\` or ` +
        "`pith archive lessons --json` gave it.",
    );
  }
}

const LESSONS: StoredFields = {
  fields: {
    version: { version: 1 },
    traits: { values: { fields: { dropped: "count", expected: "count", needed: "count" } } },
    heard: { each: "text" },
  },
};
