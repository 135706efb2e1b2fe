/** The sentences of a user's message that bind (constraints, corrections, preferences, limits) and those that ask. */

import { hasLetter, hasLetterOrDigit } from "../text/letters.ts";
import { markEnd, splitSentences } from "../text/sentences.ts";
import { oddsOf } from "./binding-weights.ts";
import { ownProse, type ProseSpan } from "./own-prose.ts";
import { rememberedByText } from "./remembered-by-text.ts";
import { readShortened } from "./shortened-words.ts";

/**
 * What the user lays down, in the user's words: whole sentences, verbatim, in order. Code, quotes, pasted output and
 * injected blocks never bind. Of a long message the strongest sentences count, never more than 40. What an earlier cut
 * of the message settled stays settled.
 */
export const bindingSentences = rememberedByText(readBinding);

function readBinding(text: string): readonly string[] {
  const { sentences, length } = proseOfUser(text);
  const candidates: Candidate[] = [];
  let listed: number | undefined;
  for (const each of sentences) {
    const { sentence, isItem, isHeading, isOfDocument, binds } = each;
    if (binds !== undefined) {
      if (binds) candidates.push({ sentence, strength: SETTLED });
      continue;
    }
    const own = oddsOf(wordsIn(sentence)).binds;
    const least = isOfDocument ? DOCUMENT_BINDS : 0;
    // The items under "Rules:" bind as it does.
    const isOfList: boolean = isItem && listed !== undefined;
    const strength: number = isOfList ? Math.max(own, listed!) : own;
    if (!isOfList) listed = own >= least && leadsIn(sentence, isHeading) ? own : undefined;
    if (strength >= least && !isBareHeading(each)) candidates.push({ sentence, strength });
  }
  return strongest(candidates, length);
}

/** What the user asks for: questions and requests; when there is none, the first sentence with letters. */
export function askingSentences(text: string): readonly string[] {
  const { sentences, length } = proseOfUser(text);
  const asking = sentences.filter(
    (each) => each.binds === false || (asks(each.sentence) && !isDocumentHeading(each)),
  );
  if (asking.length > 0) {
    return strongest(
      asking.map(({ sentence, binds }) => ({ sentence, strength: binds === undefined ? 0 : SETTLED })),
      length,
    );
  }
  const first = sentences.find(({ sentence }) => hasLetter(sentence)) ?? firstOfAnything(text);
  return first ? [first.sentence] : [];
}

/** What a user wrote with their own hand: its sentences, without list marks, and how many characters there were. */
interface UserProse {
  readonly sentences: readonly ProseSentence[];
  readonly length: number;
}

interface ProseSentence {
  readonly sentence: string;
  /** Stands in a list: as an item, or indented under one. */
  readonly isItem: boolean;
  readonly isHeading: boolean;
  readonly isOfDocument: boolean;
  /** What an earlier cut settled: whether it binds, or only asks. */
  readonly binds?: boolean;
}

interface Candidate {
  readonly sentence: string;
  readonly strength: number;
}

const SETTLED = Number.POSITIVE_INFINITY;
const MAX_SENTENCE_CHARACTERS = 600;
const MAX_SENTENCES = 40;

function proseOfUser(text: string): UserProse {
  const sentences: ProseSentence[] = [];
  let length = 0;
  for (const piece of readShortened(text)) {
    if (typeof piece === "string") length += addProse(piece, sentences);
    else
      for (const settled of piece)
        sentences.push({ ...settled, isItem: false, isHeading: false, isOfDocument: false });
  }
  return { sentences, length };
}

function addProse(text: string, sentences: ProseSentence[]): number {
  let length = 0;
  const spans = ownProse(text);
  const document = documentIn(text, spans);
  for (const span of spans) {
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
          isOfDocument: span.start + start >= document.start && span.start + start < document.end,
        });
      }
    }
  }
  return length;
}

/**
 * A plan, a specification, a skill's text, a report that was handed over rather than typed: from the first heading on, and of
 * what is longer than anybody types at once all but its ends.
 */
function documentIn(text: string, spans: readonly ProseSpan[]): ProseSpan {
  let first = Number.POSITIVE_INFINITY;
  let headings = 0;
  let length = 0;
  for (const { start, end } of spans) {
    length += end - start;
    for (const { index } of text.slice(start, end).matchAll(HEADING)) {
      first = Math.min(first, start + index);
      headings++;
    }
  }
  if (headings >= DOCUMENT_HEADINGS) return { start: first, end: text.length };
  return length > MOST_TYPED
    ? { start: TYPED_BEFORE, end: text.length - TYPED_AFTER }
    : { start: text.length, end: text.length };
}

const HEADING = /^#{1,6} \S/gm;
const DOCUMENT_HEADINGS = 3;
const MOST_TYPED = 6_000;
const TYPED_BEFORE = 1_500;
const TYPED_AFTER = 500;
/** Most of what a document says describes: without the lenience that the weights have (eval/constraints/train.ts). */
const DOCUMENT_BINDS = 1;

/**
 * Past the bullet or the heading mark. "A. just this for now", "2) the other one": what people number they also answer
 * by number, so a number stays.
 */
function wordsStart(prose: string, start: number, mark: number): number {
  const number = mark === start ? null : NUMBER_MARK.exec(prose.slice(start, mark));
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

/** In order; when there are too many, those that bind least likely go first, then those in the middle: people ask at the ends. */
function strongest(candidates: readonly Candidate[], proseLength: number): readonly string[] {
  if (candidates.length === 0) return [];
  const most = proseLength < 4_000 ? MAX_SENTENCES : proseLength < 12_000 ? 24 : 12;
  const room = most + candidates.filter(({ strength }) => strength === SETTLED).length;
  const distinct = [...new Map(candidates.map((candidate) => [candidate.sentence, candidate])).values()];
  if (distinct.length <= room) return distinct.map(({ sentence }) => sentence);
  const ranked = distinct
    .map(({ strength }, index) => ({ index, strength, depth: Math.min(index, distinct.length - 1 - index) }))
    .sort((a, b) =>
      a.strength === b.strength ? a.depth - b.depth || a.index - b.index : b.strength - a.strength,
    );
  const kept = new Set(ranked.slice(0, room).map(({ index }) => index));
  return distinct.filter((_, index) => kept.has(index)).map(({ sentence }) => sentence);
}

/** It names what is under it. */
function isDocumentHeading({ isOfDocument, isHeading }: ProseSentence): boolean {
  return isOfDocument && isHeading;
}

/** `Requirements` says nothing alone, `Never touch prod.yaml` does. */
function isBareHeading(each: ProseSentence): boolean {
  return isDocumentHeading(each) && each.sentence.split(/\s+/, FEWEST_TELLING).length < FEWEST_TELLING;
}

const FEWEST_TELLING = 3;

function asks(sentence: string): boolean {
  return QUESTION_END.test(sentence) || oddsOf(wordsIn(sentence)).asks >= 0;
}

/** Without the number before it. */
function wordsIn(sentence: string): string {
  return sentence.slice(Math.min(markEnd(sentence, 0), sentence.length - 1));
}

/** "Constraints:", "**Acceptance criteria**", "Stick to these:". */
function leadsIn(sentence: string, isHeading: boolean): boolean {
  return sentence.length <= LONGEST_LEAD && (isHeading || LEAD_IN.test(sentence));
}

const QUESTION_END = /[?？]["')\]]*$/;
const LEAD_IN = /[:：][*_]*$|^\*\*[^*]+\*\*$/;
const LONGEST_LEAD = 120;
