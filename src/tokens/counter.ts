/** The token counter: the one implementation of TokenCounter that the engine decides with. */
import type { Conversation } from "../conversation/conversation.ts";
import type { Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { OptionsError } from "../errors/options-error.ts";
import { countTokens } from "./bpe.ts";
import { type ImagePricing, mediaTokens } from "./media.ts";
import { modelProfile } from "./models.ts";
import { sealedTokens } from "./sealed.ts";
import { createTextMemo, type TextMemo } from "./text-memo.ts";
import { MESSAGE_TOKENS, type TextPiece, type TokenCounter } from "./token-counter.ts";
import type { Encoding } from "./vocabulary.ts";

export interface TokenCounterOptions {
  /** The encoding to count in. Set it for a model whose name is unknown. @default the model's, else o200k_base */
  readonly encoding?: Encoding;
  /** The model that the conversation is sent to, by any of its names. @default none: plain o200k_base */
  readonly model?: string;
  /**
   * The factor for text counts if the model's tokenizer is private; see `calibrationFactor`.
   * @default the model's own, else 1
   */
  readonly factor?: number;
}

/** What a tool definition costs beside its JSON. */
export const TOOL_TOKENS = 4;

/**
 * Makes a counter. A message that was counted before costs one look-up, a text that was counted before another one;
 * only new text is really counted.
 *
 *     createTokenCounter().text("Hello, world") → 3
 */
export function createTokenCounter(options: TokenCounterOptions = {}): TokenCounter {
  const profile = modelProfile(options.model);
  const encoding = options.encoding ?? profile.encoding;
  const factor = options.factor ?? (options.encoding ? 1 : profile.factor);
  if (!Object.hasOwn(memos, encoding)) {
    const known = Object.keys(memos).join(" or ");
    throw new OptionsError("encoding", `encoding is ${JSON.stringify(encoding)}; it may be ${known}.`);
  }
  if (!(factor > 0 && factor < Number.POSITIVE_INFINITY)) {
    throw new OptionsError("factor", `factor is ${factor}; it must be a number above 0, such as 1.2.`);
  }
  const memo = memos[encoding];
  const messages = new WeakMap<Message, number>();
  const definitions = new WeakMap<object, number>();
  const conversations = new WeakMap<Conversation, number>();
  const lists = new WeakMap<readonly TextPiece[], readonly number[]>();

  const scaled = (tokens: number): number => (factor === 1 ? tokens : Math.ceil(tokens * factor));
  const countMessage = (message: Message): number => {
    let text = 0;
    let media = 0;
    let sealed = 0;
    const count = isParsed(message) ? memo.countWhole : memo.count;
    for (const part of message.parts) {
      const cost = partCost(part, count, profile.images);
      // The model reads the parts with a newline between them.
      text += cost.text > 0 && text > 0 ? cost.text + 1 : cost.text;
      media += cost.media;
      // The model reads the thinking once: its text is the beginning of what is sealed, or all of it.
      sealed += Math.max(0, (cost.sealed ?? 0) - scaled(cost.text));
    }
    return MESSAGE_TOKENS + scaled(text) + media + sealed;
  };
  const countMessageOnce = (message: Message): number => remembered(messages, message, countMessage);
  const countDefinition = (definition: unknown): number =>
    TOOL_TOKENS + scaled(memo.count(JSON.stringify(definition) ?? ""));
  const countTools = (tools: readonly unknown[]): number =>
    tools.reduce<number>(
      (sum, tool) =>
        sum +
        (typeof tool === "object" && tool !== null
          ? remembered(definitions, tool, countDefinition)
          : countDefinition(tool)),
      0,
    );
  const countConversation = (conversation: Conversation): number =>
    conversation.messages.reduce(
      (sum, message) => sum + countMessageOnce(message),
      countTools(conversation.tools),
    );

  const countList = (pieces: readonly TextPiece[]): readonly number[] =>
    pieces.map(({ text }) => scaled(memo.countNew(text)));

  return Object.freeze({
    encoding,
    exact: factor === 1 && (options.encoding !== undefined || profile.exact),
    // Texts are tried in many variants: a hand-off with this digest or that.
    text: (text: string) => scaled(memo.countByLine(text)),
    pieces: (pieces: readonly TextPiece[], text?: string) => scaled(memo.countPieces(pieces, text)),
    texts: (pieces: readonly TextPiece[]) => remembered(lists, pieces, countList),
    message: countMessageOnce,
    tools: countTools,
    conversation: (conversation: Conversation) => remembered(conversations, conversation, countConversation),
  });
}

const countersByModel = new Map<string | undefined, TokenCounter>();
/** More models than any process talks to; past that the oldest is made anew when it is needed. */
const MAX_COUNTERS = 64;

/** The counter for a model, the same one every time, so that messages counted in an earlier turn stay counted. */
export function counterForModel(model: string | undefined): TokenCounter {
  let counter = countersByModel.get(model);
  if (!counter) {
    if (countersByModel.size >= MAX_COUNTERS) countersByModel.delete(countersByModel.keys().next().value);
    counter = createTokenCounter(model === undefined ? {} : { model });
    countersByModel.set(model, counter);
  }
  return counter;
}

/** One memo per encoding, shared by all counters. */
const memos: Readonly<Record<Encoding, TextMemo>> = {
  o200k_base: createTextMemo((text) => countTokens(text, "o200k_base")),
  cl100k_base: createTextMemo((text) => countTokens(text, "cl100k_base")),
};

interface PartCost {
  /** Tokens of its text, in the encoding. */
  readonly text: number;
  /** Tokens of its media, as the provider prices them. */
  readonly media: number;
  /** Tokens of what is sealed in it, its text among them. */
  readonly sealed?: number;
}

function partCost(part: Part, count: (text: string) => number, images: ImagePricing): PartCost {
  switch (part.type) {
    case "media":
      return { text: 0, media: mediaTokens(part, images) };
    case "tool-call":
      // Name and arguments are looked up apart, as the strings they are; the 1 is what joins them.
      return { text: count(part.name) + count(part.arguments) + 1, media: 0 };
    case "tool-result": {
      const costs = part.attachments.map((attachment) => partCost(attachment, count, images));
      return {
        text: costs.reduce((sum, cost) => sum + cost.text + (cost.text > 0 ? 1 : 0), count(part.text)),
        media: costs.reduce((sum, cost) => sum + cost.media, 0),
      };
    }
    case "text":
      return { text: count(part.text), media: 0 };
    default:
      return { text: count(part.text), media: 0, sealed: sealedTokens(part.sealed) };
  }
}

/** Read from text and not changed since: what was parsed is cut out of no longer text. */
function isParsed({ raw, changed }: Message): boolean {
  return raw?.source !== undefined && !changed;
}

function remembered<Key extends object, Count>(
  known: WeakMap<Key, Count>,
  key: Key,
  count: (key: Key) => Count,
): Count {
  let tokens = known.get(key);
  if (tokens === undefined) {
    tokens = count(key);
    known.set(key, tokens);
  }
  return tokens;
}
