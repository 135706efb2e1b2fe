/** Facts of a message: read from its text once, and remembered by the hash of that text. */
import { hash } from "node:crypto";
import { COMPRESS_CONTEXT } from "../agent-control/compress-context.ts";
import { counterForModel } from "../tokens/counter.ts";
import { MESSAGE_TOKENS } from "../tokens/token-counter.ts";
import { boundedMap } from "./bounded-map.ts";
import { digestOf, nextLink } from "./chain.ts";

export interface MessageFacts {
  /** The link of the hash chain that it makes after another one. */
  readonly linkAfter: (link: string) => string;
  /**
   * Its tokens, and rather more: its JSON is counted, with all its marks and escapes.
   *
   * @param text gives the message once more: facts are remembered for longer than bodies are
   */
  readonly tokensAtMost: (model: string | undefined, text: () => string) => number;
  /** It names compress_context: the agent may ask for a compaction in it. */
  readonly namesCompress: boolean;
}

export interface FactsOfMessages {
  /** Throws SyntaxError where the text is no JSON. */
  readonly of: (text: string) => MessageFacts;
}

/** Messages that are remembered: those of a thousand agents, at about 500 bytes each. */
const REMEMBERED_MESSAGES = 100_000;

export function createMessageFacts(): FactsOfMessages {
  const known = boundedMap<MessageFacts>(REMEMBERED_MESSAGES, () => 1);
  return {
    of: (text) => {
      const key = hash("sha256", text, "base64");
      const facts = known.get(key) ?? factsOf(text);
      known.set(key, facts);
      return facts;
    },
  };
}

function factsOf(text: string): MessageFacts {
  const counts = new Map<string | undefined, number>();
  const digest = digestOf(JSON.parse(text));
  let made = { from: "", to: "" };
  return {
    linkAfter: (from) => {
      if (made.from !== from) made = { from, to: nextLink(from, digest) };
      return made.to;
    },
    tokensAtMost: (model, textAgain) => {
      const tokens = counts.get(model) ?? counterForModel(model).text(textAgain()) + MESSAGE_TOKENS;
      if (counts.size > MOST_MODELS) counts.clear();
      counts.set(model, tokens);
      return tokens;
    },
    namesCompress: text.includes(COMPRESS_CONTEXT),
  };
}

const MOST_MODELS = 8;
