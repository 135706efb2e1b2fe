/** Options that an agent offered: once the person has chosen one, the others are told when everything else is. */
import { superseded } from "./editions.ts";
import type { Entry, Unit, Weight } from "./story.ts";

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

/** A paragraph after a list is no part of its last item. */
function isBelow({ kind, join, text }: Unit, over: Unit): boolean {
  return kind === "prose" && join === "\n\n" && /^\S/.test(text) && over.kind !== "heading";
}

/** `2. **Option 2:**`, `### Option B` */
const OPTION = /^[\s\d.#*_)>-]{0,12}option\s+#?(\d{1,2}|[a-h])\b/i;
