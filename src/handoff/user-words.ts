/** The user's words: what a person asked and what binds, read from a conversation without its hand-offs. */
import { isUserMessage, type Message } from "../conversation/message.ts";
import { askingSentences, bindingSentences } from "../salience/binding-sentences.ts";
import { findHandoff } from "./prefixes.ts";
import { readSections } from "./sections.ts";
import { handoffIn } from "./separate.ts";

/** What the person said in a message; empty for other roles, for hand-offs and for mere carriers of results. */
export function userWordsOf(message: Message): string {
  if (!isUserMessage(message)) return "";
  // Part by part: a hand-off that was merged in may stand anywhere among them.
  const texts = message.parts.map((part) => (part.type === "text" ? ownText(part.text) : ""));
  return texts.filter(Boolean).join("\n").trim();
}

function ownText(text: string): string {
  return findHandoff(text)?.rest ?? text;
}

/** The place in the list of the newest message in which a person said something; -1 when none did. */
export function latestAskIndex(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => userWordsOf(message) !== "");
}

/** What the user asked for first and last. */
export interface Asks {
  readonly first: string;
  readonly latest: string;
}

/** The asks of a conversation; empty where `stays` says that the message with it is kept, and `first` when it is the latest. */
export function asksOf(messages: readonly Message[], stays: (message: Message) => boolean): Asks {
  const wordsOf = (message: Message | undefined) => (message && !stays(message) ? userWordsOf(message) : "");
  const earlier = messages.map(handoffIn).find((found) => found !== undefined);
  const carried = earlier && readSections(earlier.body);
  const firstMessage = messages.find((message) => userWordsOf(message) !== "");
  const latestMessage = messages[latestAskIndex(messages)];
  const latest = latestMessage ? wordsOf(latestMessage) : (carried?.latestAsk ?? "");
  const first = carried?.firstAsk || wordsOf(firstMessage);
  return { first: first === latest ? "" : first, latest };
}

/** The sentences in which the user asks or binds, in their order and verbatim. */
export function askSentences(words: string): readonly string[] {
  const wanted = new Set([...askingSentences(words), ...bindingSentences(words)]);
  return [...wanted].sort((a, b) => words.indexOf(a) - words.indexOf(b));
}

/** A text cut down to those sentences, each a paragraph, so that they are read back as the same sentences. */
export function askOf(words: string): string {
  return askSentences(words).join("\n\n");
}

/** Every binding sentence that users said in these messages, earlier hand-offs included, each once, in order. */
export function constraintsOf(messages: readonly Message[]): readonly string[] {
  const constraints = new Set<string>();
  for (const message of messages) for (const line of bindingLinesOf(message)) constraints.add(line);
  return [...constraints];
}

const memo = new WeakMap<Message, readonly string[]>();

/** What a message binds by. Memoised: it is asked for at every attempt and every turn, and user messages do not change. */
function bindingLinesOf(message: Message): readonly string[] {
  if (message.role === "tool" || message.role === "assistant") return carriedBy(message);
  let lines = memo.get(message);
  if (!lines) {
    lines = [...carriedBy(message), ...bindingSentences(userWordsOf(message))];
    memo.set(message, lines);
  }
  return lines;
}

/** What an earlier hand-off still binds by: its constraints, and what its asks bind. */
function carriedBy(message: Message): readonly string[] {
  const found = handoffIn(message);
  if (!found) return [];
  const { constraints, firstAsk, latestAsk } = readSections(found.body);
  return [...constraints, ...bindingSentences(firstAsk), ...bindingSentences(latestAsk)];
}
