/** rarityOf: how much a word says, known before any archive is asked: the rarer it is in what agents write, the more. */
import { COMMON_WORDS } from "./common-words.ts";

/** In bits: 1 for a stem that half of all messages have, 10 for one that hardly any has. */
export function rarityOf(stem: string): number {
  return classes.get(stem) ?? UNCOMMON;
}

/** True for words that only hold a sentence together; a question is not about them. */
export function isFunctionWord(word: string): boolean {
  return functionWords.has(word);
}

const UNCOMMON = 10;

const classes: ReadonlyMap<string, number> = new Map(
  COMMON_WORDS.trim()
    .split("\n")
    .flatMap((line) => {
      const [bits, ...stems] = line.split(" ");
      return stems.map((stem): [string, number] => [stem, Number(bits)]);
    }),
);

const functionWords: ReadonlySet<string> = new Set(
  (
    "a about after again against all also am an and any anyone anything are at be because been before being " +
    "between both but by can could couldn d did didn do does doesn don done down during each every few for from had " +
    "has have having he her here him his how i if in into is isn it its just ll m may me might more most must my no " +
    "nor not of off on once one ones only or other our out over own re s same shall she should shouldn so some " +
    "someone something such t than that the their them then there these they thing things this those to too under " +
    "until up us ve very was wasn we were weren what when where which while who whom whose why will with without won " +
    "would wouldn you your"
  ).split(" "),
);
