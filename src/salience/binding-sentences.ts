/** The sentences of a user's message that bind (constraints, corrections, preferences, limits) and those that ask. */
import { BINDING_HEADINGS, type BindingTerms, IMPERATIVES } from "./binding-terms.ts";
import { JOINED_TERMS } from "./binding-terms-joined.ts";
import { MORE_SPACED_TERMS, OTHER_SCRIPT_TERMS, OTHER_SCRIPTS } from "./binding-terms-more.ts";
import { SPACED_TERMS } from "./binding-terms-spaced.ts";
import { FOLDED_LETTERS, FOLDED_WORD, foldLetters, foldText } from "./folded-text.ts";
import { hasLetter, hasLetterOrDigit } from "./letters.ts";
import { ownProse } from "./own-prose.ts";
import { markEnd, splitSentences } from "./sentences.ts";
import { readShortened } from "./shortened-words.ts";
import { foldedPattern, TERM_END, type TermFinder, termFinder } from "./term-finder.ts";

/**
 * What the user lays down, in the user's words: whole sentences, verbatim, in order. Code, quotes, pasted output and
 * injected blocks never bind. Of a long message the strongest sentences count, never more than 40. What an earlier cut
 * of the message settled stays settled.
 */
export function bindingSentences(text: string): readonly string[] {
  return bindingOf(proseOfUser(text));
}

/** The same of prose that was read already. */
export function bindingOf({ sentences, length }: UserProse): readonly string[] {
  const candidates: Candidate[] = [];
  let inBindingList = false;
  for (const { sentence, isItem, isHeading, binds } of sentences) {
    if (binds !== undefined) {
      if (binds) candidates.push({ sentence, strength: SETTLED });
      continue;
    }
    const isOfList: boolean = inBindingList && isItem;
    const strength = isOfList ? STRONG : bindingStrength(sentence);
    inBindingList = isOfList || opensBindingList(sentence, isHeading);
    if (strength > 0) candidates.push({ sentence, strength });
  }
  return strongest(candidates, length);
}

/** What the user asks for: questions and requests; when there is none, the first sentence with letters. */
export function askingSentences(text: string): readonly string[] {
  const { sentences, length } = proseOfUser(text);
  const asking = sentences.filter(({ sentence, binds }) => binds === false || asks(sentence));
  if (asking.length > 0) {
    return strongest(
      asking.map(({ sentence, binds }) => ({ sentence, strength: binds === undefined ? STRONG : SETTLED })),
      length,
    );
  }
  const first = sentences.find(({ sentence }) => hasLetter(sentence)) ?? firstOfAnything(text);
  return first ? [first.sentence] : [];
}

/** A sentence of the user's own prose, and what it is for. */
export interface SaidSentence {
  readonly sentence: string;
  readonly kind: "request" | "statement" | "question";
}

/** All sentences of a user's prose, in order: those that bind, those that ask and the others. */
export function saidSentences({ sentences }: UserProse): readonly SaidSentence[] {
  return sentences.map(({ sentence }) => ({ sentence, kind: kindOf(sentence) }));
}

/** What a user wrote with their own hand: its sentences, without list marks, and how many characters there were. */
export interface UserProse {
  readonly sentences: readonly ProseSentence[];
  readonly length: number;
}

interface ProseSentence {
  readonly sentence: string;
  /** Stands in a list: as an item, or indented under one. */
  readonly isItem: boolean;
  readonly isHeading: boolean;
  /** What an earlier cut settled: whether it binds, or only asks. */
  readonly binds?: boolean;
}

interface Candidate {
  readonly sentence: string;
  readonly strength: number;
}

const SETTLED = 3;
const STRONG = 2;
const WEAK = 1;
const MAX_SENTENCE_CHARACTERS = 600;
const MAX_SENTENCES = 40;

export function proseOfUser(text: string): UserProse {
  const sentences: ProseSentence[] = [];
  let length = 0;
  for (const piece of readShortened(text)) {
    if (typeof piece === "string") length += addProse(piece, sentences);
    else for (const settled of piece) sentences.push({ ...settled, isItem: false, isHeading: false });
  }
  return { sentences, length };
}

function addProse(text: string, sentences: ProseSentence[]): number {
  let length = 0;
  for (const span of ownProse(text)) {
    const prose = text.slice(span.start, span.end);
    length += prose.length;
    for (const { start, end } of splitSentences(prose)) {
      const mark = Math.min(markEnd(prose, start), end);
      const sentence = prose.slice(wordsStart(prose, start, mark), end).trim();
      if (sentence.length <= MAX_SENTENCE_CHARACTERS && hasLetterOrDigit(sentence)) {
        sentences.push({
          sentence,
          isItem: mark > start ? prose[start] !== "#" : isIndented(prose, start),
          isHeading: prose[start] === "#",
        });
      }
    }
  }
  return length;
}

/**
 * Past the bullet or the heading mark. "A. just this for now", "2) the other one": what people number they also answer
 * by number, so a number stays.
 */
function wordsStart(prose: string, start: number, mark: number): number {
  const number = NUMBER_MARK.exec(prose.slice(start, mark));
  return number ? start + number.index : mark;
}

const NUMBER_MARK = /(?:\d{1,9}|[A-Za-z])[.)]\s+$/;

/** The second line of a list item is indented under its first. */
function isIndented(prose: string, start: number): boolean {
  const line = prose.slice(prose.lastIndexOf("\n", start - 1) + 1, start);
  return line.length >= 2 && line.trim() === "";
}

/** A message that is all pasted or injected still has a first sentence. */
function firstOfAnything(text: string): { sentence: string } | undefined {
  for (const { start, end } of splitSentences(text.slice(0, 4096))) {
    const sentence = text.slice(start, end);
    const words = sentence.replace(/<[^<>]*>/g, "");
    if (sentence.length <= MAX_SENTENCE_CHARACTERS && hasLetter(words)) return { sentence };
  }
  return undefined;
}

/** In order; when there are too many, the weak ones go first, then those in the middle: people ask at the ends. */
function strongest(candidates: readonly Candidate[], proseLength: number): readonly string[] {
  const most = proseLength < 4_000 ? MAX_SENTENCES : proseLength < 12_000 ? 24 : 12;
  const room = most + candidates.filter(({ strength }) => strength === SETTLED).length;
  const distinct = [...new Map(candidates.map((candidate) => [candidate.sentence, candidate])).values()];
  if (distinct.length <= room) return distinct.map(({ sentence }) => sentence);
  const ranked = distinct
    .map(({ strength }, index) => ({ index, strength, depth: Math.min(index, distinct.length - 1 - index) }))
    .sort((a, b) => b.strength - a.strength || a.depth - b.depth || a.index - b.index);
  const kept = new Set(ranked.slice(0, room).map(({ index }) => index));
  return distinct.filter((_, index) => kept.has(index)).map(({ sentence }) => sentence);
}

/** 2 when the wording obliges, forbids, limits or corrects; 1 when it wishes or prefers; 0 when it does not bind. */
function bindingStrength(sentence: string): number {
  const words = wordsIn(sentence);
  const opensAsQuestion = QUESTION_OPENING.test(words);
  // "Do we need it?" asks; "could you do it without a new dependency?" and "never do that, ok?" bind.
  if (opensAsQuestion && !REQUEST.test(words)) return 0;
  if (holdsStrongTerm(words)) return STRONG;
  if (!mayWish(words)) return 0;
  if (OTHER_SCRIPTS.test(sentence) && OTHER_SCRIPT_TERMS.test(sentence.toLowerCase())) return WEAK;
  return CHOICE.test(words) || holdsWeakTerm(words) ? WEAK : 0;
}

/** "Could we keep the old one?" and "it should still be there, no?" wish; "which one should it be?" only asks. */
function mayWish(words: string): boolean {
  return (
    REQUEST.test(words) ||
    !(QUESTION_OPENING.test(words) || (QUESTION_END.test(words) && ASKING_OPENING.test(words)))
  );
}

function kindOf(sentence: string): SaidSentence["kind"] {
  const words = wordsIn(sentence);
  if (QUESTION_END.test(words) || QUESTION_OPENING.test(words)) return "question";
  return REQUEST.test(words) || holdsAskingTerm(words) || opensWithImperative(words)
    ? "request"
    : "statement";
}

/** Folded, without the number before it. */
function wordsIn(sentence: string): string {
  return foldText(sentence.slice(Math.min(markEnd(sentence, 0), sentence.length - 1)));
}

function asks(sentence: string): boolean {
  const words = wordsIn(sentence);
  return QUESTION_END.test(words) || holdsAskingTerm(words) || opensWithImperative(words);
}

function opensBindingList(sentence: string, isHeading: boolean): boolean {
  if (sentence.length > 120 || !(isHeading || LEAD_IN.test(sentence))) return false;
  return BINDING_HEADING.test(foldText(sentence));
}

/** "Please fix the parser", "then rename it". */
function opensWithImperative(words: string): boolean {
  const verb = REQUEST_OPENING.exec(words)?.[1];
  return verb !== undefined && IMPERATIVES.has(verb);
}

/** Looks for all languages' terms of a kind. */
function finderOf(kind: keyof BindingTerms): TermFinder {
  const terms = (table: Readonly<Record<string, BindingTerms>>) =>
    Object.values(table).flatMap((language) => language[kind]);
  const more = terms(MORE_SPACED_TERMS).map(foldLetters);
  return termFinder([...terms(SPACED_TERMS), ...more], terms(JOINED_TERMS));
}

const holdsStrongTerm = finderOf("strong");
const holdsWeakTerm = finderOf("weak");
const holdsAskingTerm = finderOf("asking");

/** Questions that people type without a question mark. */
const QUESTION_OPENING =
  /^(?:(?:and|but|so|ok|okay|also|hm+|then),? )*(?:why|how (?:do|does|did|is|are|can|come|would|should)|what (?:is|are|do|does|did|was|would|should|if|about)|where (?:is|are|do|does|did)|(?:do|does|did|is|are|was|were|should|shall|must|would|has|have|isn't|aren't|doesn't|don't) (?:we|you|i|it|this|that|there|they|the)) /;

/** With a question mark at the end these ask, whatever follows. */
const ASKING_OPENING =
  /^(?:(?:and|but|so|ok|okay|also|hm+|then|or|q|question)[,:]? )*(?:what|why|how|where|when|which|who|whose|whom|is|are|was|were|do|does|did|can|could|would|will|should|shall|may|might|must|has|have|had|any|isn't|aren't|don't|doesn't|didn't|won't|wouldn't|shouldn't)\b/;

const QUESTION_END = /[?？]["')\]]*$/;

/** "Option 2, please", "I think B, nested", "3 is better": an answer that picks one. */
const CHOICE =
  /^(?:(?:ok|okay|yes|yeah|fine|so|then|i think|i'd say|i guess|let's do|let's take|do|take),? )*(?:(?:option|approach|variant|version|choice|number|#) ?#?(?:\d{1,2}|[a-h])\b|(?:\d{1,2}|[b-h])(?=[,;:] | (?:is|and|with|please|for|sounds|seems|but)\b))/;

const REQUEST = foldedPattern(
  "(?<!\\p{L})(?:(?:can|could|would|will) (?:you|we|i|the|my|it|this|that|all)|please|kannst du|könntest du|können sie|peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|puedes|podrías|podría|pode|poderia|puoi|potresti|kun je|kunt u|zou je|можешь|можете)(?!\\p{L})|请|請|能否|能不能|ください|もらえ|いただけ|줄 수|주세요|주실",
);

const REQUEST_OPENING = new RegExp(
  `^(?:(?:please|also|and|then|so|ok|okay|just|but|now|yes|yeah|great|sure|alright|first|next|finally|in that case|instead)[,:]? )*([a-z]+)(?![${FOLDED_WORD}'])`,
);

const LEAD_IN = /[:：][*_]*$|^\*\*[^*]+\*\*$/;

/** "Constraints:", "**Acceptance criteria**", "The rules are:". */
const BINDING_HEADING = foldedPattern(
  `^[*_]{0,3}(?:[${FOLDED_LETTERS}']+ ){0,4}(?:${BINDING_HEADINGS.join("|")})${TERM_END}[^.!?]{0,40}?[:：]?[*_]{0,3}[:：]?$`,
);
