/** Digest: the lines of a span that are worth their tokens, verbatim and in order. No model, no rewriting. */
import {
  callsById,
  isUserMessage,
  type Message,
  makesCalls,
  toolResultsOf,
} from "../conversation/message.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { farMessages } from "./far-messages.ts";
import { indexLines, lineAt, specificsBefore } from "./line-index.ts";
import { type RankedMessage, type Ranking, rankLines } from "./rank-lines.ts";
import { handoffIn } from "./separate.ts";

export interface DigestOptions {
  readonly messages: readonly Message[];
  /** The digest never takes more than this. */
  readonly maxTokens: number;
  /** What lines cost where they will stand. */
  readonly tokensOf: (lines: readonly string[]) => number;
  readonly counter: TokenCounter;
  /** Text that stands beside the digest anyway: what it holds need not be said again. */
  readonly alreadySaid: string;
}

/** Below this a digest would hold a line at most, cut off from all meaning. */
const MIN_TOKENS = 16;

/** The digest's lines, in the order of the conversation; empty when there is nothing to say or no room. */
export function digestOf({
  messages,
  maxTokens,
  tokensOf,
  counter,
  alreadySaid,
}: DigestOptions): readonly string[] {
  if (maxTokens < MIN_TOKENS) return [];
  const labelOf = labeller(messages);
  const far = farMessages(messages, counter);
  const ranked = messages.map((message, at): RankedMessage => {
    const index = indexLines(message, { ends: at < far && !isUserMessage(message) });
    const tokensPerChar = counter.message(message) / Math.max(1, index.chars);
    return { index, speaker: speakerOf(message), tokensPerChar: Math.min(1.5, Math.max(0.1, tokensPerChar)) };
  });
  // Estimates may be high: a little more is ranked than is likely to fit, and more where a digest is filled up.
  const reach = maxTokens > REFINED_TOKENS ? 1.2 : 1.5;
  const ranking = rankLines({ messages: ranked, maxTokens: maxTokens * reach, alreadySaid });
  let share = 1 / sampledRatio(ranked, ranking, counter);
  let best: readonly string[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const lines = assemble(ranked, ranking, labelOf, countWithin(ranking, maxTokens * share));
    const tokens = tokensOf(lines);
    if (tokens <= maxTokens) {
      best = lines;
      const full = tokens >= maxTokens * 0.98 || lines.length === ranking.lines.length;
      if (full || pass >= REFINEMENTS || maxTokens > REFINED_TOKENS) break;
    } else if (best.length > 0) break;
    share *= (maxTokens / Math.max(1, tokens)) * (tokens > maxTokens ? 0.98 : 0.995);
  }
  return best;
}

/** Each pass takes off what the one before was over, and a little more; a handful is far more than any text needs. */
const MAX_PASSES = 12;
/** A small digest that left room is filled up: counting it again costs next to nothing. */
const REFINEMENTS = 3;
const REFINED_TOKENS = 20_000;
const SAMPLES = 256;

/** How exact counts compare with the estimates, on a sample of the chosen lines; a little above, so that the first pass mostly fits. */
function sampledRatio(
  messages: readonly RankedMessage[],
  { lines, costs, messageOf, firstLine }: Ranking,
  counter: TokenCounter,
): number {
  const step = Math.max(1, Math.floor(lines.length / SAMPLES));
  let exact = 0;
  let estimated = 0;
  for (let at = 0; at < lines.length; at += step) {
    const line = lines[at]!;
    const message = messageOf[line]!;
    exact += counter.text(lineAt(messages[message]!.index, line - firstLine[message]!)) + 1;
    estimated += costs[line]!;
  }
  return estimated === 0 ? 1 : (exact / estimated) * 1.02;
}

/** How many of the best lines take at most so many tokens, by estimate. */
function countWithin({ lines, costs }: Ranking, maxTokens: number): number {
  let total = 0;
  for (let at = 0; at < lines.length; at++) {
    total += costs[lines[at]!]!;
    if (total > maxTokens) return at;
  }
  return lines.length;
}

/** Puts the best lines back into the order of the conversation, each speaker named once per message, no filler said twice. */
function assemble(
  messages: readonly RankedMessage[],
  ranking: Ranking,
  labelOf: (message: number) => string,
  count: number,
): string[] {
  const chosen = ranking.lines.slice(0, count).sort();
  const lines: string[] = [];
  const fillers = new Set<string>();
  let speaking = -1;
  for (const line of chosen) {
    const message = ranking.messageOf[line]!;
    const { index } = messages[message]!;
    const own = line - ranking.firstLine[message]!;
    const said = lineAt(index, own);
    // A line without a specific says something once; the next ones like it only fill the room.
    if (specificsBefore(index, own) === specificsBefore(index, own + 1)) {
      if (fillers.has(said) || isBare(said)) continue;
      fillers.add(said);
    }
    lines.push(message === speaking ? said : `${labelOf(message)}${said}`);
    speaking = message;
  }
  return lines;
}

/** A heading without its text, or less than two words: `} else {`, `## Benefits`, `"hooks": [`. */
function isBare(line: string): boolean {
  return (
    /^#{1,6}\s/.test(line) ||
    !(/[\p{L}\p{N}]{2}.*[^\p{L}\p{N}]+[\p{L}\p{N}]{2}/u.test(line) || /[^\p{ASCII}]{3}/u.test(line))
  );
}

function speakerOf(message: Message): "user" | "assistant" | "tool" {
  if (isUserMessage(message)) return "user";
  return message.role === "assistant" ? "assistant" : "tool";
}

/** `user: `, `assistant: ` or the tool's name; a message's own calls name themselves, and an old hand-off's lines have their labels. */
function labeller(messages: readonly Message[]): (at: number) => string {
  const calls = callsById(messages);
  return (at) => {
    const message = messages[at]!;
    if (handoffIn(message)) return "";
    const result = toolResultsOf(message)[0];
    if (result) return `${calls.get(result.pairId)?.name ?? "tool"}: `;
    return message.role === "assistant" && makesCalls(message) ? "" : `${message.role}: `;
  };
}
