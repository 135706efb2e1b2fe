/** The user's words: what a person asked and what binds, read from a conversation without its hand-offs. */
import { isUserMessage, type Message, proseOf } from "../conversation/message.ts";
import { askingSentences, bindingSentences } from "../salience/binding-sentences.ts";
import { findHandoff } from "./prefixes.ts";
import { readSections } from "./sections.ts";

/** What the person said in a message; empty for other roles, for hand-offs and for mere carriers of results. */
export function userWordsOf(message: Message): string {
  if (!isUserMessage(message)) return "";
  const text = proseOf(message);
  const found = findHandoff(text);
  return (found ? found.rest : text).trim();
}

/** Nothing but a hand-off, of ours or of another system. */
export function isHandoffMessage(message: Message): boolean {
  const found = findHandoff(proseOf(message));
  return found !== undefined && found.rest === "";
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
  const earlier = messages
    .map((message) => findHandoff(proseOf(message)))
    .find((found) => found !== undefined);
  const carried = earlier && readSections(earlier.body);
  const firstMessage = messages.find((message) => userWordsOf(message) !== "");
  const latestMessage = messages[latestAskIndex(messages)];
  const latest = latestMessage ? wordsOf(latestMessage) : (carried?.latestAsk ?? "");
  const first = carried?.firstAsk || wordsOf(firstMessage);
  return { first: first === latest ? "" : first, latest };
}

/**
 * A text cut down to the sentences in which the user asks or binds, in their order and verbatim.
 * The text itself when it has no more than those.
 */
export function askOf(words: string): string {
  const wanted = new Set([...askingSentences(words), ...bindingSentences(words)]);
  return [...wanted].sort((a, b) => words.indexOf(a) - words.indexOf(b)).join("\n");
}

/** Every binding sentence that users said in these messages, earlier hand-offs included, each once, in order. */
export function constraintsOf(messages: readonly Message[]): readonly string[] {
  const constraints = new Set<string>();
  for (const message of messages) {
    const found = findHandoff(proseOf(message));
    if (found) for (const line of bindingLinesOf(found.body)) constraints.add(line);
    for (const sentence of bindingSentences(userWordsOf(message))) constraints.add(sentence);
  }
  return [...constraints];
}

/** What an earlier hand-off still binds by: its constraints, and what its asks bind. */
function bindingLinesOf(body: string): readonly string[] {
  const { constraints, firstAsk, latestAsk } = readSections(body);
  return [...constraints, ...bindingSentences(firstAsk), ...bindingSentences(latestAsk)];
}
