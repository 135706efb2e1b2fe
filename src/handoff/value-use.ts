/** What the values and keys of an answer count, by what was said around it: what was taken up later, what is named, what was asked for. */
import type { UsedLater } from "../reading/used-later.ts";
import type { Uses } from "../shapes/record-uses.ts";

export interface AnswerUse {
  readonly used: UsedLater;
  /** The message's place. */
  readonly at: number;
  /** What a value counts that nobody had the time to take up. */
  readonly freshUse: number;
  /** What the call was given: it tells nothing once more. */
  readonly given: string;
  /** The call did more than look: what came of it is what it was not given. */
  readonly isDeed: boolean;
}

export function usesOf({ used, at, freshUse, given, isDeed }: AnswerUse): Uses {
  const interestOf = interestBy(used, at);
  return {
    useOf: (value, key) => {
      const isSpecific = SPECIFIC.test(value);
      const isNews = isDeed && isSpecific;
      if (isNews && given.includes(value)) return 0;
      const own = isNews
        ? NEWS
        : freshUse * (isSpecific ? 1 : 0.25) * Math.min(1, 0.4 + interestOf(key, value));
      return Math.max(useOfValue(value, at, used), own);
    },
    namedBy: (value) =>
      !isDeed && SPECIFIC.test(value) && !given.includes(value) ? clarityOf(value, at, used) : 0,
    interestOf,
    isAsked: (value) =>
      !given.includes(value) && (used(value, at, "asked") || used(`${value}s`, at, "asked")),
    isGiven: (value) => value.length >= GIVEN_CHARS && given.includes(value),
  };
}

/** A person typed it later or a call was given it; somebody said it later; a person asked for it before; the agent spoke of it before. */
export function clarityOf(value: string, at: number, used: UsedLater): number {
  if (used(value, at)) return used(value, at, "taken") ? 4 : 3;
  if (!used(value, at, "said")) return 0;
  return used(value, at, "asked") ? 2 : 1;
}

/** What a value that was printed counts that was taken up later: less where it was known before, or is a common word. */
function useOfValue(printed: string, at: number, used: UsedLater): number {
  const value = printed.replace(FULL_HOUR, "");
  if (!used(value, at)) return 0;
  const taken = used(value, at, "taken") ? 1 : REPEATED;
  return taken * (used(value, at, "anew") ? 1 : KNOWN) * (COMMON.test(value) ? KNOWN : 1);
}

/** Shorter values are part of others. */
const GIVEN_CHARS = 3;
/** `19:00:00` is said as 19:00. */
const FULL_HOUR = /(?<=^\d\d:\d\d):00$/;
const KNOWN = 0.35;
/** An agent that lists what it found takes nothing up by it. */
const REPEATED = 0.7;
const COMMON = /^\p{Ll}+$/u;
const NEWS = 0.8;
/** A number, an id, a code. */
const SPECIFIC = /\d|\b\p{Lu}{2,}/u;

/** A key that a person asked for by all its words. */
export const ASKED_FOR = 4;

/** Keys by the words that somebody said, figures and dates before the rest; switches and how to reach or draw something last. */
function interestBy(used: UsedLater, at: number): Uses["interestOf"] {
  const byKey = new Map<string, number>();
  const ofKey = (key: string): number => {
    const words = key.replace(/([a-z\d])([A-Z])/g, "$1 $2").match(/\p{L}{3,}/gu) ?? [];
    const is = (word: string, how: "asked" | "said") =>
      used(word, at, how) || (PLURAL.test(word) && used(word.slice(0, -1), at, how));
    const isAsked = (word: string) => (words.length > 1 ? is(word, "asked") : used(word, at, "asked"));
    if (words.length > 0 && !GENERIC.test(key) && words.every(isAsked)) return ASKED_FOR;
    const said = words.filter((word) => is(word, "said")).length;
    return 0.6 + (words.length === 0 ? 0 : (0.9 * said) / words.length);
  };
  return (key, value) => {
    let interest = byKey.get(key);
    if (interest === undefined) {
      interest = ofKey(key);
      byKey.set(key, interest);
    }
    if (interest === ASKED_FOR) return interest;
    if (/^(?:true|false)$/.test(value) || DULL.test(key)) return interest * 0.3;
    return FIGURE.test(value) ? interest * 1.3 : interest;
  };
}

/** A key says of many what people say of one: `payment_methods`. One word by itself says too little to be taken for the other. */
const PLURAL = /\p{L}{3}s$/u;

/** Words that every record has and every ask says. */
const GENERIC =
  /^(?:name|type|key|value|data|results?|message|title|content|text|number|user|user_?id|id|url|query)$/i;
const DULL =
  /address\d?$|phone|fax|zip|postal|uuid|guid|gmt|time_?zone|max_?age|logo|icon|image|thumb|avatar|hash|etag|cursor|token|locale|language|version|priceHint|milliseconds/i;
const FIGURE = /^[-+$€£]?\d[\d,]*(?:\.\d+)?%?$|^\d{4}-\d\d-\d\d|^\d\d:\d\d/;
