/** Message facts: what the gateway must know of each message, worked out once and remembered by its very text. */
import { COMPRESS_CONTEXT } from "../agent-control/compress-context.ts";
import { counterForModel } from "../tokens/counter.ts";
import { MESSAGE_TOKENS } from "../tokens/token-counter.ts";
import { boundedMap } from "./bounded-map.ts";
import { digestOf, nextLink } from "./chain.ts";

export interface MessageFacts {
  /** The link of the hash chain that it makes after another one. */
  readonly linkAfter: (link: string) => string;
  /** Its tokens, and rather more: its JSON is counted, with all its marks and escapes. */
  readonly tokensAtMost: (model: string | undefined) => number;
  /** It names compress_context: the agent may ask for a compaction in it. */
  readonly namesCompress: boolean;
}

export interface FactsOfMessages {
  /** Throws SyntaxError where the text is no JSON. */
  readonly of: (text: string) => MessageFacts;
}

/** Characters of messages that are remembered. */
const REMEMBERED_CHARACTERS = 16_000_000;

export function createMessageFacts(): FactsOfMessages {
  const known = boundedMap<Remembered>(REMEMBERED_CHARACTERS, ({ size }) => size);
  return {
    of: (text) => {
      const facts = known.get(text);
      if (facts) return facts;
      // subtle: a copy, since a slice would keep the whole body that it was cut from.
      const copy = Buffer.from(text).toString();
      const made = rememberedOf(copy);
      known.set(copy, made);
      return made;
    },
  };
}

interface Remembered extends MessageFacts {
  readonly size: number;
}

function rememberedOf(text: string): Remembered {
  const counts = new Map<string | undefined, number>();
  const digest = digestOf(JSON.parse(text));
  let made = { from: "", to: "" };
  return {
    linkAfter: (from) => {
      if (made.from !== from) made = { from, to: nextLink(from, digest) };
      return made.to;
    },
    tokensAtMost: (model) => {
      const tokens = counts.get(model) ?? counterForModel(model).text(text) + MESSAGE_TOKENS;
      if (counts.size > MOST_MODELS) counts.clear();
      counts.set(model, tokens);
      return tokens;
    },
    namesCompress: text.includes(COMPRESS_CONTEXT),
    size: text.length + 300,
  };
}

const MOST_MODELS = 8;
