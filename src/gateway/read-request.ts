/** Reading requests: where the messages of a body are, and what is known of each; of one that grew, only the new ones. */
import { type JsonSource, readJsonSource } from "../json/source.ts";
import { grownSource } from "./grown-source.ts";
import { createMessageFacts, type FactsOfMessages, type MessageFacts } from "./message-facts.ts";

export interface RequestRead {
  readonly source: JsonSource;
  /** Of each message. */
  readonly facts: readonly MessageFacts[];
}

export interface RequestReader {
  /** Throws InputError or SyntaxError where it cannot be read. */
  readonly read: (text: string) => RequestRead;
  readonly messageFacts: FactsOfMessages;
}

/** Bodies whose next ones are awaited, and the characters that they may have together. */
const MOST_BODIES = 64;
const MOST_CHARACTERS = 16_000_000;

export function createRequestReader(): RequestReader {
  const messageFacts = createMessageFacts();
  /** Newest last. */
  let recent: (RequestRead & { readonly prefix: string })[] = [];

  const factsOf = ({ text, elements }: JsonSource, from: number): readonly MessageFacts[] =>
    elements.slice(from).map(({ start, end }) => messageFacts.of(text.slice(start, end)));

  const readGrown = (text: string): RequestRead | undefined => {
    // subtle: `startsWith` looks at one character after the other; equal strings are told by their memory.
    const earlier = recent.findLast(({ prefix }) => text.slice(0, prefix.length) === prefix);
    const source = earlier && grownSource(text, earlier.source);
    if (!source) return undefined;
    recent = recent.filter((each) => each !== earlier);
    return { source, facts: [...earlier.facts, ...factsOf(source, earlier.facts.length)] };
  };

  const remember = ({ source, facts }: RequestRead): void => {
    const last = source.elements.at(-1);
    if (!last) return;
    recent.push({ source, facts, prefix: source.text.slice(0, last.end) });
    let characters = 0;
    recent = recent
      .slice(-MOST_BODIES)
      .toReversed()
      .filter(({ source }) => {
        characters += source.text.length;
        return characters <= MOST_CHARACTERS;
      })
      .toReversed();
  };

  return {
    messageFacts,
    read: (text) => {
      let made = readGrown(text);
      if (!made) {
        const source = readJsonSource(text);
        made = { source, facts: factsOf(source, 0) };
      }
      remember(made);
      return made;
    },
  };
}
