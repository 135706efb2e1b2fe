/** Digest: the lines of a span that are worth their tokens, verbatim and in order. No model, no rewriting. */
import type { Lessons } from "../adaptive/lessons.ts";
import { weighersOf } from "../adaptive/origin.ts";
import { isUserMessage, type Message } from "../conversation/message.ts";
import { isAscii, startsWithLetterOrDigit } from "../salience/letters.ts";
import { MESSAGE_TOKENS, type TokenCounter } from "../tokens/token-counter.ts";
import { labelsOf } from "./digest-labels.ts";
import { farMessages } from "./far-messages.ts";
import { fileLinesOf } from "./file-lines.ts";
import { fillRoom } from "./fill-room.ts";
import type { RankedMessage, Speaker } from "./gather-specifics.ts";
import { indexLines, lineAt, specificsBefore } from "./line-index.ts";
import { outlineOf } from "./outline.ts";
import { type Ranking, rankLines, unsaidValues } from "./rank-lines.ts";
import { handoffIn } from "./separate.ts";
import type { Outline } from "./told-files.ts";
import { isProgramText } from "./user-words.ts";

export interface DigestOptions {
  readonly messages: readonly Message[];
  /** The digest never takes more than this. */
  readonly maxTokens: number;
  /** What lines cost where they will stand. */
  readonly tokensOf: (digest: Digest) => number;
  readonly counter: TokenCounter;
  /** Text that stands beside the digest anyway: what it holds need not be said again. */
  readonly alreadySaid: string;
  /** What this conversation's recalls taught; absent: nothing. */
  readonly lessons?: Lessons | undefined;
  /** Whether there is a line for the file at a path anyway. */
  readonly isTold: (path: string) => boolean;
}

export interface Digest {
  /** Whole lines, in the order of the conversation. */
  readonly lines: readonly string[];
  /** Names in files. */
  readonly names: Outline;
}

export const NO_DIGEST: Digest = { lines: [], names: new Map() };

/** Below this a digest would hold a line at most, cut off from all meaning. */
const MIN_TOKENS = 16;

/** The digest's lines, in the order of the conversation; empty when there is nothing to say or no room. */
export function digestOf({
  messages,
  maxTokens,
  tokensOf,
  counter,
  alreadySaid,
  lessons,
  isTold,
}: DigestOptions): Digest {
  if (maxTokens < MIN_TOKENS) return NO_DIGEST;
  const labelOf = labelsOf(messages);
  const isEarlier = (at: number): boolean => handoffIn(messages[at]!) !== undefined;
  const ranked = rankedMessages(messages, counter, lessons);
  // Estimates may be high: a little more is ranked than is likely to fit, and more where a digest is filled up.
  const rankedTokens = Math.max(maxTokens * (maxTokens > REFINED_TOKENS ? 1.2 : 1.5), LEAST_RANKED_TOKENS);
  const { specifics, values: unsaid } = unsaidValues(ranked, alreadySaid);
  // Where every line fits, and where very many do, nothing is told by its names alone.
  const isRoomy = maxTokens > MOST_ROOM_FOR_NAMES || fitsWhole(ranked, maxTokens);
  const files = isRoomy ? [] : fileLinesOf(messages, ranked);
  const tellNames = (room: number): Told => {
    const values = unsaid.slice();
    return {
      names: outlineOf({ messages: ranked, specifics, values, files, isTold, maxTokens: room }),
      values,
    };
  };
  const toldNames = isRoomy
    ? undefined
    : namesWithin(maxTokens, tellNames, (names) => tokensOf({ lines: [], names }));
  const { names, values } = toldNames ?? { names: NO_DIGEST.names, values: unsaid };
  const ranking = rankLines({ messages: ranked, maxTokens: rankedTokens, specifics, values });
  const beside = new Set<string>();
  for (const line of alreadySaid.split("\n")) beside.add(line.trim());
  const namesAlone: Digest = names.size > 0 ? { lines: [], names } : NO_DIGEST;
  const besideLines = names.size > 0 ? tokensOf(namesAlone) : 0;
  const ratio = sampledRatio(ranked, ranking, counter);
  const filled = fillRoom({
    most: ranking.lines.length,
    room: maxTokens - besideLines,
    countWithin: (estimate) => countWithin(ranking, estimate / ratio),
    costOf: (at) => ranking.costs[at]! * ratio,
    make: (count, later) => ({
      lines: assemble(ranked, { ranking, labelOf, isEarlier, beside, count, later }),
      names,
    }),
    tokensOf: (digest) => tokensOf(digest) - besideLines,
    refinements: maxTokens > REFINED_TOKENS ? 0 : REFINEMENTS,
  });
  return filled ?? namesAlone;
}

/** How much of the room names in files may take; the rest is for whole lines. */
const NAMES_SHARE = 0.75;
/** More names than these nobody reads; a larger room tells more whole lines. */
const NAMES_TOKENS = 6_000;
const MOST_ROOM_FOR_NAMES = 20_000;
/** What they take is an estimate; when they really take more than this share, fewer are told. */
const MOST_NAMES_SHARE = 0.9;
const NAMES_PASSES = 3;

/** Names in files, and what each specific is worth beside them. */
interface Told {
  readonly names: Outline;
  readonly values: Float32Array;
}

/** Undefined when they do not fit. */
function namesWithin(
  maxTokens: number,
  tell: (room: number) => Told,
  tokensOf: (names: Outline) => number,
): Told | undefined {
  const most = maxTokens * MOST_NAMES_SHARE;
  let room = Math.min(maxTokens * NAMES_SHARE, NAMES_TOKENS);
  for (let pass = 0; pass < NAMES_PASSES; pass++) {
    const told = tell(room);
    const tokens = tokensOf(told.names);
    if (tokens <= most) return told;
    room *= (most / tokens) * 0.9;
  }
  return undefined;
}

function fitsWhole(messages: readonly RankedMessage[], maxTokens: number): boolean {
  let tokens = 0;
  for (const { index, tokensPerChar } of messages) tokens += index.chars * tokensPerChar;
  return tokens <= maxTokens;
}

/** The messages as they are ranked. */
export function rankedMessages(
  messages: readonly Message[],
  counter: TokenCounter,
  lessons?: Lessons,
): readonly RankedMessage[] {
  const far = farMessages(messages, counter);
  const weigherOf = lessons && weighersOf(lessons, messages);
  return messages.map((message, at) => {
    const index = indexLines(message, { ends: at < far && !isUserMessage(message) });
    const tokensPerChar = (counter.message(message) - MESSAGE_TOKENS) / Math.max(1, index.chars);
    return {
      index,
      speaker: speakerOf(message),
      tokensPerChar: Math.min(1.5, Math.max(0.1, tokensPerChar)),
      ...(weigherOf && { weigh: weigherOf(at) }),
    };
  });
}

/** In a very small room the best lines are too large, and one that fits is further down. */
const LEAST_RANKED_TOKENS = 150;
/** A small digest that left room is filled up: counting it again costs next to nothing. */
const REFINEMENTS = 5;
const REFINED_TOKENS = 20_000;
const SAMPLES = 256;

/** How exact counts compare with the estimates, on a sample of the chosen lines; a little above, so that the first pass mostly fits. */
function sampledRatio(
  messages: readonly RankedMessage[],
  { lines: units, costs, messageOf, firstLine }: Ranking,
  counter: TokenCounter,
): number {
  const step = Math.max(1, Math.floor(units.length / SAMPLES));
  let exact = 0;
  let estimated = 0;
  for (let at = 0; at < units.length; at += step) {
    const line = units[at]!;
    estimated += costs[at]!;
    const message = messageOf[line]!;
    exact += counter.text(lineAt(messages[message]!.index, line - firstLine[message]!)) + 1;
  }
  return estimated === 0 ? 1 : (exact / estimated) * 1.02;
}

/** How many of the best lines take at most so many tokens, by estimate. */
function countWithin({ lines: units, costs }: Ranking, maxTokens: number): number {
  let total = 0;
  for (let at = 0; at < units.length; at++) {
    total += costs[at]!;
    if (total > maxTokens) return at;
  }
  return units.length;
}

interface Assembly {
  readonly ranking: Ranking;
  readonly labelOf: (at: number) => string;
  /** Whether a message is an earlier hand-off. */
  readonly isEarlier: (at: number) => boolean;
  /** Lines that stand beside the digest: none of them is said again. */
  readonly beside: ReadonlySet<string>;
  /** So many of the best lines, and of those after them these. */
  readonly count: number;
  readonly later: readonly number[];
}

/** Whole lines in the order of the conversation, each message labelled once, no filler said twice. */
function assemble(
  messages: readonly RankedMessage[],
  { ranking, labelOf, isEarlier, beside, count, later }: Assembly,
): string[] {
  const lines: string[] = [];
  const fillers = new Set<string>();
  let speaking = -1;
  const chosen = new Int32Array(count + later.length);
  chosen.set(ranking.lines.subarray(0, count));
  for (const [nth, at] of later.entries()) chosen[count + nth] = ranking.lines[at]!;
  for (const line of chosen.sort()) {
    const message = ranking.messageOf[line]!;
    const { index } = messages[message]!;
    const own = line - ranking.firstLine[message]!;
    const said = lineAt(index, own);
    if (beside.has(said)) continue;
    // A line without a specific says something once: the next ones like it, and those of a hand-off, only fill the room.
    if (specificsBefore(index, own) === specificsBefore(index, own + 1)) {
      if (fillers.has(said) || isBare(said) || isEarlier(message)) continue;
      fillers.add(said);
    }
    lines.push(message === speaking ? said : `${labelOf(message)}${said}`);
    speaking = message;
  }
  return lines;
}

/** A heading without its text, or less than two words: `} else {`, `## Benefits`, `"hooks": [`. */
function isBare(line: string): boolean {
  if (/^#{1,6}\s/.test(line)) return true;
  return isAscii(line)
    ? !/[A-Za-z0-9]{2}.*[^A-Za-z0-9]+[A-Za-z0-9]{2}/.test(line)
    : !(hasTwoWords(line) || /[^\p{ASCII}]{3}/u.test(line));
}

/** Two runs of letters or digits, two or more of them each. */
function hasTwoWords(line: string): boolean {
  let words = 0;
  let run = 0;
  for (const character of line) {
    run = startsWithLetterOrDigit(character) ? run + 1 : 0;
    if (run === 2 && ++words === 2) return true;
  }
  return false;
}

/** What a program prints under the user's role is a tool's. */
function speakerOf(message: Message): Speaker {
  if (isUserMessage(message)) return isProgramText(message) ? "tool" : "user";
  return message.role === "assistant" ? "assistant" : "tool";
}
