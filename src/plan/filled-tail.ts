/**
 * The tail of a target that the story does not fill: back as far as messages fit, each whole or cut to a part of that room,
 * and what is left after that goes to the newest of those that are cut.
 */
import {
  isUserMessage,
  type Message,
  makesCalls,
  toolResultsOf,
  withParts,
} from "../conversation/message.ts";
import type { ToolResultPart } from "../conversation/part.ts";
import { groupsOf } from "../conversation/turn.ts";
import { allowsCut } from "../engine/invariants/index.ts";
import { askSentences, isSaidByPerson, userWordsOf } from "../reading/user-words.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { fitMessage } from "./fit-message.ts";
import { type FitTailOptions, fitTail } from "./fit-tail.ts";
import { outputOf, shapedTo } from "./stages/shape-tool-results.ts";

export interface TailRoom {
  readonly tokens: number;
  /** What is larger counts with this much: it is cut before an older message is handed off. */
  readonly mostEach: number;
  /** The story told of what is before this position, and of each token there it took so much: that is free once it stays. */
  readonly toldBefore: number;
  readonly toldShare: number;
}

/** Where it starts: the earliest allowed cut from which on all fits. At least the last group is in it. */
export function filledTailStart(messages: readonly Message[], room: TailRoom, counter: TokenCounter): number {
  const groups = groupsOf(messages).filter((group) => messages[group.start]!.role !== "system");
  let left = room.tokens;
  let fits = groups.length - 1;
  for (let first = groups.length - 1; first >= 0; first--) {
    const { start, end } = groups[first]!;
    for (let at = start; at < end; at++) {
      const message = messages[at]!;
      const size = counter.message(message);
      left += freedBy(message, size, room) - leastOf(message, size, room, counter);
    }
    // What is freed by a long message may pay for the one after it.
    if (left >= 0) fits = first;
  }
  const start = groups.slice(fits).find((group) => allowsCut(messages, group.start))?.start;
  return start ?? groups.at(-1)?.start ?? 0;
}

/** What the tail may take from there on. */
export function filledTailTokens(recent: readonly Message[], room: TailRoom, counter: TokenCounter): number {
  const freed = recent.reduce(
    (sum, message) => sum + freedBy(message, counter.message(message), room),
    room.tokens,
  );
  return Math.floor(freed);
}

function freedBy({ position }: Message, size: number, { toldBefore, toldShare }: TailRoom): number {
  return position < toldBefore ? size * toldShare : 0;
}

/** What a message takes at least. Calls keep their arguments, what is pinned stays, and what a person asks for is never cut. */
function leastOf(message: Message, size: number, { mostEach }: TailRoom, counter: TokenCounter): number {
  if (size <= mostEach || message.pinned || makesCalls(message)) return size;
  const asked = isUserMessage(message) ? counter.text(askedIn(message)) + BESIDE_ASK_TOKENS : 0;
  return Math.min(size, Math.max(mostEach, asked));
}

/** What is asked and what binds in a message, read once. */
const askedBy = new WeakMap<Message, string>();

function askedIn(message: Message): string {
  let asked = askedBy.get(message);
  if (asked === undefined) {
    asked = askSentences(userWordsOf(message)).join("\n\n");
    askedBy.set(message, asked);
  }
  return asked;
}

/** The note that names the whole. */
const BESIDE_ASK_TOKENS = 30;

/** The messages in the room; by equal shares where they do not fit with what each counts. */
export function fillTail(
  messages: readonly Message[],
  room: TailRoom,
  options: FitTailOptions,
): readonly Message[] {
  const { counter, maxTokens, maxAskTokens } = options;
  const sizes = messages.map((message) => counter.message(message));
  const ask = messages.findLastIndex((message) => isSaidByPerson(userWordsOf(message)));
  const least = messages.map((message, at) =>
    at === ask && sizes[at]! <= maxAskTokens ? sizes[at]! : leastOf(message, sizes[at]!, room, counter),
  );
  let spare = maxTokens - least.reduce((sum, tokens) => sum + tokens, 0);
  const fitted = [...messages];
  for (let at = messages.length - 1; at >= 0 && spare >= 0; at--) {
    if (least[at] === sizes[at]) continue;
    const cut = cutTo(messages[at]!, Math.floor(least[at]! + spare), options);
    fitted[at] = cut;
    spare += least[at]! - counter.message(cut);
  }
  return spare < 0 ? fitTail(messages, options) : fitted;
}

/** As much of the message as fits: where that is said by less of its longest result, no more than that is cut. */
function cutTo(message: Message, maxTokens: number, options: FitTailOptions): Message {
  const { counter } = options;
  if (counter.message(message) <= maxTokens) return message;
  const fitted = fitMessage(message, maxTokens, options);
  const shaped = withLongestCut(message, maxTokens, options);
  const isFuller = shaped && counter.message(shaped) > counter.message(fitted);
  return isFuller && counter.message(shaped) <= maxTokens ? shaped : fitted;
}

function withLongestCut(
  message: Message,
  maxTokens: number,
  { counter, calls, marks }: FitTailOptions,
): Message | undefined {
  const longest = toolResultsOf(message)
    .filter((part) => !part.server && !part.shaped)
    .reduce<ToolResultPart | undefined>(
      (most, part) => (most && most.text.length >= part.text.length ? most : part),
      undefined,
    );
  if (!longest) return undefined;
  const size = counter.text(longest.text);
  const room = maxTokens - (counter.message(message) - size);
  if (room < size * LEAST_RESULT_SHARE) return undefined;
  const shaped = shapedTo(outputOf(longest, calls), room, { counter, handle: marks?.text(longest.text) });
  return withParts(
    message,
    message.parts.map((part) => (part === longest ? { ...longest, text: shaped.text } : part)),
  );
}

/** Less of a result is told by its kind alone. */
const LEAST_RESULT_SHARE = 0.25;
