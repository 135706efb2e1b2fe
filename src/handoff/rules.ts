/** The rules of the user within their share: the likeliest to bind, in the order they were laid down, each told once. */
import { oddsOf } from "../salience/binding-weights.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { boundByWhole } from "./asks.ts";
import type { Sections } from "./sections.ts";
import type { Entry, Story, Unit } from "./story.ts";

/**
 * Of what was said again and again with other numbers, and does not say that it binds, the newest: `Turn 7: read module 7.` lays
 * nothing down. Of the rest, where they take more than their share, those that bind most likely.
 */
export function rulesWithin(
  rules: readonly string[],
  maxTokens: number,
  counter: TokenCounter,
): readonly string[] {
  const single = withoutSeries(rules);
  const sizes = new Map(single.map((rule) => [rule, counter.text(rule) + MARK_TOKENS]));
  let left = maxTokens - [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (left >= 0) return single;
  const gone = new Set<string>();
  for (const rule of single.toSorted((a, b) => oddsOf(a).binds - oddsOf(b).binds)) {
    if (left >= 0) break;
    gone.add(rule);
    left += sizes.get(rule)!;
  }
  return single.filter((rule) => !gone.has(rule));
}

/** The mark and the end of a line. */
const MARK_TOKENS = 2;

export function withoutSeries(rules: readonly string[]): readonly string[] {
  const patterns = rules.map((rule) => rule.replace(/\d+/g, "0"));
  const series = Map.groupBy(rules, (_, at) => patterns[at]!);
  return rules.filter((rule, at) => {
    const alike = series.get(patterns[at]!)!;
    return alike.length < FEWEST_OF_SERIES || rule === alike.at(-1) || LAYS_DOWN.test(rule);
  });
}

const FEWEST_OF_SERIES = 3;
/** One of a series that says so is a rule for all that. */
const LAYS_DOWN = /\b(?:never|always|must|only|not|no|don't|without)\b/i;

/** A rule that will be read back from an ask is not said twice. */
export function withoutRepeats(sections: Sections, story: Story, isKept: (unit: Unit) => boolean): Sections {
  if (sections.constraints.length === 0) return sections;
  const said = new Set<string>();
  const add = (line: string) => said.add(line);
  for (const { entries } of story) for (const entry of entries) boundIn(entry, isKept).forEach(add);
  return { ...sections, constraints: sections.constraints.filter((line) => !said.has(line)) };
}

/** What an ask binds that is told whole: what is left of another may read as what nobody said. */
function boundIn({ voice, units }: Entry, isKept: (unit: Unit) => boolean): readonly string[] {
  if (voice !== "user" || !units.every(isKept)) return NO_LINES;
  let bound = boundBy.get(units);
  if (bound === undefined) {
    let words = units[0]?.text ?? "";
    for (let at = 1; at < units.length; at++) words += units[at]!.join + units[at]!.text;
    bound = boundByWhole(words);
    boundBy.set(units, bound);
  }
  return bound;
}

const NO_LINES: readonly string[] = [];
/** Every pass asks for it, and the next compaction: only which units are kept has changed. */
const boundBy = new WeakMap<readonly Unit[], readonly string[]>();
