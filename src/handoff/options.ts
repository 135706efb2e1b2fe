/**
 * What an agent offered, and what the person said to it: once one of several options is chosen, the others are told when everything else
 * is, and what a bare yes confirms weighs as much as if the person had said it.
 */
import { superseded } from "./editions.ts";
import { type Entry, type Unit, type Weight, weightsOf } from "./story.ts";

/** The option that an ask settles on: `I'll go with option 2.` → `2`. None where it asks about one, or says no to it. */
export function chosenIn(ask: string): string | undefined {
  const said = ask.slice(0, LOOKED_AT);
  const named = new Set([...said.matchAll(NAMED)].map(([, name]) => name!.toUpperCase()));
  if (named.size !== 1) return undefined;
  const sentences = said.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.search(OPTION_NAMED) >= 0);
  const isChoice = (sentence: string) =>
    (CHOOSES.test(sentence) || ALONE.test(sentence)) && !UNDECIDED.test(sentence);
  return sentences.every(isChoice) ? [...named][0] : undefined;
}

const LOOKED_AT = 2_000;
const NAMED = /\boption\s+#?(\d{1,2}|[a-h])\b/gi;
const OPTION_NAMED = /\boption\s+#?(?:\d{1,2}|[a-h])\b/i;
const CHOOSES =
  /\b(?:go(?:ing)? (?:with|for)|choose|pick|take|prefer|like|want|use|do|proceed with|book|implement|let['’]?s)\b/i;
/** Nothing but the option, or little more. */
const ALONE =
  /^\W*(?:(?:ok|okay|yes|sure)\W+)?option\s+#?\w{1,2}\b(?:[.!\s]*$|\s*[,:;–-]|\s+(?:for|please|with)\b)/i;
const UNDECIDED =
  /\?|n[o'’]t\b|\b(?:no|never|instead|rather|except|but|both|unless|between|skip|avoid|drop|without|against|explain|out|too|risky|wrong|bad|worse)\b/i;

/** What was said, with the options that were not chosen after it superseded. */
export function withoutUnchosen(said: Entry, chosen: string): Entry {
  const options = said.units.map(({ text }) => OPTION.exec(text)?.[1]?.toUpperCase());
  if (!options.includes(chosen)) return said;
  const optionOf = (unit: Unit, at: number): string | undefined => {
    const over = unit.under === undefined ? undefined : said.units[unit.under]!;
    if (options[at] !== undefined || over === undefined || isBelow(unit, over)) return options[at];
    return optionOf(over, unit.under!);
  };
  const isOther = (unit: Unit, at: number) => (optionOf(unit, at) ?? chosen) !== chosen;
  const { units, weigh } = said;
  const others = units.map(isOther);
  const settled = <Told extends Weight>(told: readonly Told[]) =>
    told.map((each, at) => (others[at] ? superseded(each) : each));
  return weigh ? { ...said, weigh: () => settled(weigh()) } : { ...said, units: settled(units) };
}

/** Whether an ask only agrees to what was proposed: `Yes, go ahead.` */
export function confirms(ask: string): boolean {
  if (ask.length > MOST_YES_CHARS || !YES.test(ask) || UNSURE.test(ask)) return false;
  return ask.split(/[.,;:!\n]+|\s[-–—]\s/).every((clause) => AGREES.test(clause));
}

const MOST_YES_CHARS = 160;
const YES =
  /^\W*(?:yes|yep|yeah|ok|okay|sure|correct|confirmed|agreed|perfect|great|(?:please )?(?:go ahead|do it|do that|proceed)|sounds good|looks good|that works)\b/i;
/** Nothing but agreement, and how or to what in a few words. */
const AGREES =
  /^\W*(?:(?:(?:and|please|then|so|yes|yep|yeah|ok|okay|sure|correct|confirmed|agreed|perfect|great|thanks|thank you|let['’]s)\b\W*)*(?:(?:go ahead|go for it|do (?:it|that|so|all of (?:it|that|them))|proceed|including|sounds (?:good|right|great|fine)|looks (?:good|right|correct|fine|great)|(?:that|it|this|everything|all)(?: all)? (?:works|looks|sounds|is|seems|of it)\b)(?:\W+\w+){0,9})?)?\W*$/i;
/** It doubts, takes something back or says something of its own. */
const UNSURE =
  /[?\d_@`"]|n[o'’]t\b|\b(?:no|never|instead|rather|except|but|unless|only|without|wait|stop)\b/i;

/**
 * What was said, with what a yes to it confirms weighing like the person's own words: its last list, or else all of a few sentences.
 * Of a long text nobody knows what a yes is for.
 */
export function withConfirmed(said: Entry): Entry {
  const { units } = said;
  if (units.reduce((chars, { text }) => chars + text.length, 0) > MOST_PROPOSED_CHARS) return said;
  const last = units.findLastIndex(({ kind }) => kind === "item");
  const first =
    last < 0 ? 0 : units.findLastIndex(({ kind, leads }, at) => at < last && kind !== "item" && !leads) + 1;
  const end = last < 0 ? units.length - 1 : last;
  if (last < 0 && units.length > MOST_PROPOSED) return said;
  const weighed = (weight: Weight, at: number): Weight =>
    at >= first && at <= end && !weight.minor ? { ...weight, worth: weight.worth * CONFIRMED } : weight;
  return { ...said, weigh: () => weightsOf(said).map(weighed) };
}

const MOST_PROPOSED_CHARS = 1_200;
const MOST_PROPOSED = 6;
const CONFIRMED = 8;

/** A paragraph after a list is no part of its last item. */
function isBelow({ kind, join, text }: Unit, over: Unit): boolean {
  return kind === "prose" && join === "\n\n" && /^\S/.test(text) && over.kind !== "heading";
}

/** `2. **Option 2:**`, `### Option B` */
const OPTION = /^[\s\d.#*_)>-]{0,12}option\s+#?(\d{1,2}|[a-h])\b/i;
