/** The user's words: what a person asked and what binds, read from a conversation without its hand-offs. */
import { isUserMessage, type Message, ownTextsOf } from "../conversation/message.ts";
import { askingSentences, bindingSentences } from "../salience/binding-sentences.ts";
import { hasLetter, hasLetterOrDigit } from "../salience/letters.ts";
import { isInjected, ownProse, type ProseSpan } from "../salience/own-prose.ts";
import { writeShortened } from "../salience/shortened-words.ts";
import { findHandoff } from "./prefixes.ts";
import { plainText } from "./quoted.ts";
import { readSections } from "./sections.ts";
import { handoffIn } from "./separate.ts";
import { isWhole, readStory } from "./write-story.ts";

/** What the person said in a message; empty for other roles, for hand-offs and for mere carriers of results. */
export function userWordsOf(message: Message): string {
  if (!isUserMessage(message)) return "";
  // Part by part: a hand-off that was merged in may stand anywhere among them, and no sentence goes over two.
  const texts = ownTextsOf(message).map(({ text }) => ownText(text));
  return texts.filter(Boolean).join("\n\n").trim();
}

/** As a hand-off will quote it, so that it reads the same before and after. */
function ownText(text: string): string {
  return plainText(findHandoff(text)?.rest ?? text);
}

/** What the user asked for first and last. */
export interface Asks {
  readonly first: string;
  readonly latest: string;
}

/**
 * The asks of a conversation, those that earlier hand-offs carry included; empty where `stays` says that the message
 * with it is kept, and `first` when it is the latest. What a program says in the user's name is an ask only when nobody asked.
 */
export function asksOf(messages: readonly Message[], stays: (message: Message) => boolean): Asks {
  const asks = messages.flatMap(asksIn);
  const wordsOf = (ask: Ask | undefined) => (ask && !(ask.said && stays(ask.said)) ? ask.words : "");
  const isPersons = ({ words }: Ask) => isSaidByPerson(words);
  const first = wordsOf(asks.find(isPersons) ?? asks[0]);
  const latest = latestOf(asks, isPersons).map(wordsOf).filter(Boolean).join("\n\n");
  return { first: first === latest ? "" : first, latest };
}

/** The newest, and where that is a bare "1" or "1+2" also what it goes on from: alone it says nothing. */
function latestOf(asks: readonly Ask[], isPersons: (ask: Ask) => boolean): readonly Ask[] {
  const last = asks.findLast(isPersons);
  if (!last) return asks.slice(-1);
  const telling = asks.findLast((ask) => hasLetter(ask.words) && isPersons(ask)) ?? last;
  return telling === last ? [last] : [telling, last];
}

const NO_ASKS: readonly Ask[] = [];

interface Ask {
  readonly words: string;
  /** The message in which the user said it; absent when an earlier hand-off quotes it. */
  readonly said?: Message;
}

function asksIn(message: Message): readonly Ask[] {
  const found = handoffIn(message);
  if (!found && message.role !== "user") return NO_ASKS;
  const told = found ? askedIn(readSections(found.body).story).map((words) => ({ words })) : [];
  const asks: readonly Ask[] = [...told, { words: userWordsOf(message), said: message }];
  return asks.filter(({ words }) => words !== "");
}

/** What a story quotes of people, in order. */
function askedIn(story: string): readonly string[] {
  return readStory(story)
    .flatMap(({ entries }) => entries.filter(({ voice }) => voice === "user"))
    .map(({ units }) =>
      units
        .map(({ text }) => text)
        .join("\n")
        .trim(),
    );
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

/** Every binding sentence that users said in these messages, earlier hand-offs included, each once, in order. */
export function constraintsOf(messages: readonly Message[]): readonly string[] {
  const constraints = new Set<string>();
  for (const message of messages) for (const line of bindingLinesOf(message)) constraints.add(line);
  return [...constraints];
}

/** What a message binds by. */
function bindingLinesOf(message: Message): readonly string[] {
  if (message.role === "tool" || message.role === "assistant") return carriedBy(message);
  const carried = carriedBy(message);
  return carried.length === 0 ? boundBy(message) : [...carried, ...boundBy(message)];
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

/** What an earlier hand-off still binds by. */
function carriedBy(message: Message): readonly string[] {
  const found = handoffIn(message);
  if (!found) return NO_LINES;
  const { constraints, story } = readSections(found.body);
  return [...constraints, ...askedIn(story).flatMap(boundByWhole)];
}

/** What an ask binds that a story quotes, as it stands there: nothing where it is told in part. */
export function boundByWhole(words: string): readonly string[] {
  return isWhole(words) ? bindingSentences(words) : NO_LINES;
}
