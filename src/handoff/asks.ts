/** Asks and rules of a conversation: what people said in it, and what earlier hand-offs still carry of it. */

import { handoffIn } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import { boundBy, isSaidByPerson, userWordsOf } from "../reading/user-words.ts";
import { bindingSentences } from "../salience/binding-sentences.ts";
import { hasLetter } from "../text/letters.ts";
import { askedIn } from "./read-story.ts";
import { readSections } from "./sections.ts";
import { isWhole } from "./write-story.ts";

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

/** Every binding sentence that users said in these messages, earlier hand-offs included, each once, in order. */
export function constraintsOf(messages: readonly Message[]): readonly string[] {
  const constraints = new Set<string>();
  const add = (line: string) => constraints.add(line);
  messages.forEach((message) => {
    bindingLinesOf(message).forEach(add);
  });
  return [...constraints];
}

/** What a message binds by. */
function bindingLinesOf(message: Message): readonly string[] {
  if (message.role === "tool" || message.role === "assistant") return carriedBy(message);
  const carried = carriedBy(message);
  return carried.length === 0 ? boundBy(message) : [...carried, ...boundBy(message)];
}

/** What an earlier hand-off still binds by. */
function carriedBy(message: Message): readonly string[] {
  const found = handoffIn(message);
  if (!found) return NO_LINES;
  const { constraints, story } = readSections(found.body);
  return [...constraints, ...askedIn(story).flatMap(boundByWhole)];
}

/** What an ask binds that a story quotes, as it is there: nothing where it is told in part. */
export function boundByWhole(words: string): readonly string[] {
  return isWhole(words) ? bindingSentences(words) : NO_LINES;
}

const NO_LINES: readonly string[] = [];
