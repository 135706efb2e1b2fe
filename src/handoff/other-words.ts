/**
 * Other words: what users said that does not bind by its wording. A constraint can be put in any words of any language, and what people
 * type is little beside what tools print: so as much of it as there is room for stays, verbatim.
 */
import type { Message } from "../conversation/message.ts";
import { bindingOf, proseOfUser, type SaidSentence, saidSentences } from "../salience/binding-sentences.ts";
import { hasOtherLetter, isAscii } from "../salience/letters.ts";
import { ownProse } from "../salience/own-prose.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { readSections } from "./sections.ts";
import { handoffIn } from "./separate.ts";
import { isSaidByPerson, speechIn, type UserSpeech } from "./user-words.ts";

export interface OtherWordsOptions {
  readonly maxTokens: number;
  readonly counter: TokenCounter;
  /** What the hand-off quotes anyway. */
  readonly said: string;
}

/** Requests and short messages first; of equals the shorter and the newer. In the order of the conversation, each once. */
export function otherWordsWithin(
  messages: readonly Message[],
  { maxTokens, counter, said }: OtherWordsOptions,
): readonly string[] {
  if (maxTokens < LEAST_TOKENS) return [];
  const all = messages.flatMap((message, at) => {
    const words = wordsOf(message);
    return words === NONE ? [] : words.map((each) => ({ ...each, age: 1 - at / messages.length }));
  });
  const ranked = all.toSorted((a, b) => a.rank - b.rank || costOf(a) - costOf(b));
  const chosen = new Set<string>();
  let left = maxTokens - HEADING_TOKENS;
  for (const { text, rank } of ranked) {
    if (left < LEAST_TOKENS || (rank > 0 && maxTokens < LOW_RANK_TOKENS)) break;
    if (chosen.has(text) || said.includes(text)) continue;
    const tokens = counter.text(text) + 2;
    if (tokens > left) continue;
    chosen.add(text);
    left -= tokens;
  }
  return [...new Set(all.map(({ text }) => text))].filter((text) => chosen.has(text));
}

interface Words {
  readonly text: string;
  /** The lower, the likelier it is that the work hangs on it. */
  readonly rank: number;
}

function costOf({ text, age }: Words & { readonly age: number }): number {
  return text.length * (1 + age);
}

/** Below this no sentence fits. */
const LEAST_TOKENS = 6;
const HEADING_TOKENS = 6;
/** A message of so many characters, on one line, is quoted whole. */
const WHOLE_CHARACTERS = 100;
/** What people type while they work; what is longer was mostly written beforehand, and is told by the digest. */
const SHORT_CHARACTERS = 400;

const RANKS: Readonly<Record<SaidSentence["kind"], number>> = { request: 0, statement: 0, question: 1 };
const FOREIGN = -1;
const OF_LONG_MESSAGE = 2;
/** Questions and what stands in long messages stay only where there is room for all else many times over. */
const LOW_RANK_TOKENS = 500;

const NONE: readonly Words[] = [];
const memo = new WeakMap<Message, readonly Words[]>();

/** Memoised: it is asked for at every attempt and every turn. Most messages are a tool's or the assistant's, and have none. */
function wordsOf(message: Message): readonly Words[] {
  if (message.role === "tool" || (message.role === "assistant" && !handoffIn(message))) return NONE;
  let words = memo.get(message);
  if (!words) {
    words = [...carriedBy(message), ...saidBy(message)];
    memo.set(message, words);
  }
  return words;
}

/** What an earlier hand-off quotes of them, and of the ask that was then the latest. */
function carriedBy(message: Message): readonly Words[] {
  const found = handoffIn(message);
  if (!found) return [];
  const { otherWords, latestAsk } = readSections(found.body);
  const prose = proseOfUser(latestAsk);
  const asked = unitsOf({ words: latestAsk, prose, bound: bindingOf(prose) });
  // What did not bind where it was said does not bind because it now stands alone.
  return [
    ...otherWords.flatMap((words) => unitsOf({ words, prose: proseOfUser(words), bound: [] })),
    ...asked,
  ];
}

function saidBy(message: Message): readonly Words[] {
  const speech = speechIn(message);
  return isSaidByPerson(speech.words) ? unitsOf(speech) : [];
}

/** A short message whole, of another each sentence that does not bind. */
function unitsOf({ words, prose, bound }: UserSpeech): readonly Words[] {
  const sentences = saidSentences(prose);
  if (bound.length === 0 && isOneLine(words)) {
    const ranks = sentences.filter(({ sentence }) => says(sentence)).map(({ kind }) => RANKS[kind]);
    return ranks.length === 0 ? [] : [{ text: words, rank: isForeign(words) ? FOREIGN : Math.min(...ranks) }];
  }
  const isLong = words.length > SHORT_CHARACTERS;
  const rankOf = ({ sentence, kind }: SaidSentence, at: number) => {
    const isInside = isLong && at < sentences.length - 1;
    if (isInside ? hasOtherLetter(sentence) : isForeign(sentence)) return FOREIGN;
    return isInside ? RANKS[kind] + OF_LONG_MESSAGE : RANKS[kind];
  };
  return sentences
    .map((each, at) => ({ text: each.sentence, rank: rankOf(each, at) }))
    .filter(({ text }) => says(text) && !bound.includes(text));
}

/** A sentence of another language may bind by words that no table has: it holds hardly any of the commonest English ones. */
function isForeign(sentence: string): boolean {
  if (hasOtherLetter(sentence)) return true;
  if (sentence.length > MOST_FOREIGN_CHARACTERS || /[_/\\={}<>`$#|@]/.test(sentence)) return false;
  const isWord = isAscii(sentence) ? /^[a-z]+$/ : /^\p{L}+$/u;
  const words = wordsIn(sentence).filter((word) => isWord.test(word));
  return words.length > 2 && words.filter((word) => COMMON.has(word)).length < words.length * COMMON_SHARE;
}

/** A rule is short; a longer text without common words is a listing. */
const MOST_FOREIGN_CHARACTERS = 160;

function wordsIn(sentence: string): readonly string[] {
  return sentence.toLowerCase().match(isAscii(sentence) ? /[a-z0-9']+/g : /[\p{L}\p{N}'’]+/gu) ?? [];
}

/** English prose has more than twice as many. */
const COMMON_SHARE = 0.2;

const COMMON = new Set(
  "the a an and or but if then so to of in on at for from with by as is are was were be been it its this that these those we you i he they my our your their not no do does did can could would should will have has had there here what which when how why who all any some more only just also into out up about than".split(
    " ",
  ),
);

function isOneLine(words: string): boolean {
  if (words.length > WHOLE_CHARACTERS || words.includes("\n")) return false;
  const [span, ...others] = ownProse(words);
  return others.length === 0 && span?.start === 0 && span.end === words.length;
}

/** More than a word or two, and more than thanks and yes. */
function says(sentence: string): boolean {
  const words = wordsIn(sentence);
  if (words.every((word) => POLITE.has(word))) return false;
  return words.length > 2 || (!isAscii(sentence) && /\p{Lo}{4}/u.test(sentence));
}

const POLITE = new Set(
  "yes yeah yep no nope ok okay sure fine great good nice cool perfect awesome thanks thank you so much very for the your that's it is all hi hello hey there please do go ahead continue proceed looks lgtm done now a lot again help i appreciate understand understood assistance and to me have day wonderful sounds works helping with that this would be".split(
    " ",
  ),
);
