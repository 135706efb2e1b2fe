/** The user's words: what a person said in a message, without hand-offs and what programs put there, and what of it asks or binds. */

import { findHandoff } from "../conversation/handoffs/prefixes.ts";
import { isUserMessage, type Message, ownTextsOf } from "../conversation/message.ts";
import { askingSentences, bindingSentences } from "../salience/binding-sentences.ts";
import { isInjected, ownProse, type ProseSpan } from "../salience/own-prose.ts";
import { writeShortened } from "../salience/shortened-words.ts";
import { hasLetterOrDigit } from "../text/letters.ts";
import { isTextCallOrResult } from "./agents/text-calls.ts";
import { plainText } from "./handoffs/quoted.ts";

/** What the person said in a message; empty for other roles, for hand-offs and for mere carriers of results. */
export function userWordsOf(message: Message): string {
  if (message.role !== "user") return "";
  let words = wordsByMessage.get(message);
  if (words === undefined) {
    words = isUserMessage(message) ? readWords(message) : "";
    wordsByMessage.set(message, words);
  }
  return words;
}

/** Nearly everyone who looks at a conversation asks for them. */
const wordsByMessage = new WeakMap<Message, string>();

function readWords(message: Message): string {
  // Part by part: a hand-off that was merged in may be anywhere among them, and no sentence goes over two.
  const texts = ownTextsOf(message).map(({ text }) => ownText(text));
  return texts.filter(Boolean).join("\n\n").trim();
}

/** As a hand-off will quote it, so that it reads the same before and after. */
function ownText(text: string): string {
  const own = findHandoff(text)?.rest ?? text;
  return isTextCallOrResult(own) ? "" : plainText(own);
}

/** Nudges, reminders, skills and notices that agent programs send under the user's role are no one's words (R8). */
export function isSaidByPerson(words: string): boolean {
  if (words === "" || isInjected(words)) return false;
  const isSpoken = ({ start, end }: ProseSpan) => hasLetterOrDigit(words.slice(start, end));
  return !/^<[A-Za-z]/.test(words) || ownProse(words).some(isSpoken);
}

/** The sentences in which the user asks or binds, in their order and verbatim. */
export function askSentences(words: string): readonly string[] {
  const wanted = new Set([...askingSentences(words), ...bindingSentences(words)]);
  return [...wanted]
    .map((sentence) => ({ sentence, at: words.indexOf(sentence) }))
    .sort((a, b) => a.at - b.at)
    .map(({ sentence }) => sentence);
}

/**
 * A text cut down to those sentences, each a paragraph. Where they would read otherwise than in the text they are marked: what
 * bound in the text binds in what is left of it, and nothing else does, however often it is cut.
 */
export function askOf(words: string): string {
  const sentences = askSentences(words);
  const binding = bindingSentences(words);
  const readsAlike = (cut: string) =>
    isSameSet(bindingSentences(cut), binding) && isSameSet(askSentences(cut), sentences);
  const paragraphs = sentences.join("\n\n");
  if (readsAlike(paragraphs)) return paragraphs;
  return writeShortened(sentences.map((sentence) => ({ sentence, binds: binding.includes(sentence) })));
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each) => others.includes(each));
}

/** The binding sentences of what the person said in a message, read once: they are asked for at every attempt and every turn. */
export function boundBy(message: Message): readonly string[] {
  if (!isUserMessage(message)) return NO_LINES;
  let bound = boundByMessage.get(message);
  if (!bound) {
    bound = bindingSentences(userWordsOf(message));
    boundByMessage.set(message, bound);
  }
  return bound;
}

const boundByMessage = new WeakMap<Message, readonly string[]>();
const NO_LINES: readonly string[] = [];
