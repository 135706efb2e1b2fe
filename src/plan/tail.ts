/** The tail: which messages at the end stay, by the largest wish of the policy, under a ceiling, at an allowed cut. */

import { handoffIn } from "../conversation/handoffs/separate.ts";
import { carriesResults, isUserMessage, type Message, makesCalls } from "../conversation/message.ts";
import { type Group, groupAt, groupsOf, turnsOf } from "../conversation/turn.ts";
import { allowsCut } from "../engine/invariants/index.ts";
import type { Policy, Retention } from "../policy/policy.ts";
import { isSaidByPerson, userWordsOf } from "../reading/user-words.ts";
import { MESSAGE_TOKENS, type TokenCounter } from "../tokens/token-counter.ts";
import { cutBetweenWork } from "./cut-between-work.ts";

export interface TailOptions {
  readonly retention: Retention;
  /** What `percent` is a share of. */
  readonly budgetTokens: number;
  /** The tail takes no more than this, its last group aside. */
  readonly ceilingTokens: number;
  /** A message counts with at most this much: larger ones will be fitted. */
  readonly messageCapTokens: number;
  /** The ask that the last group follows at once stays with it up to this size, whatever the ceiling. @default 0 */
  readonly maxAskTokens?: number;
  readonly counter: TokenCounter;
}

/**
 * The share of the room that the tail may have. Where little of a conversation stays, it gets less, and the story more; where
 * most of it stays, the story needs little, and the messages themselves tell most.
 */
export function tailCeiling({ retention, handoff }: Policy, targetTokens: number, tokens: number): number {
  if (handoff.form === "text") return retention.ceiling;
  const stays = targetTokens / Math.max(1, tokens);
  return Math.min(MOST_SHARE, retention.ceiling * Math.max(LEAST_SHARE, stays / FULL_FROM));
}

const LEAST_SHARE = 0.1;
const MOST_SHARE = 0.6;
/** Where this much of a conversation stays, the tail has the policy's share; where more does, more. */
const FULL_FROM = 0.3;

/** Where the tail starts. At least the last group is always in it; system messages stay anyway and count for nothing. */
export function tailStart(messages: readonly Message[], options: TailOptions): number {
  const { retention, budgetTokens, ceilingTokens, messageCapTokens, maxAskTokens = 0, counter } = options;
  const groups = groupsOf(messages).filter((group) => messages[group.start]!.role !== "system");
  const last = groups.at(-1);
  const ask = askOfNewest(messages, maxAskTokens, counter);
  const turnStarts = new Set(turnsOf(messages).map((turn) => turn.start));
  const wantedTokens = Math.max((retention.percent ?? 0) * budgetTokens, retention.tokens ?? 0);
  let start = last?.start ?? 0;
  let tokens = 0;
  let turns = 0;
  let count = 0;
  // Messages from the last allowed cut on: the wish for messages is met there, not in the middle of a turn.
  let kept = 0;
  for (const group of groups.toReversed()) {
    const isLast = group === last;
    const enough = kept >= retention.messages && turns >= retention.turns && tokens >= wantedTokens;
    if (enough && !isLast) break;
    count += group.end - group.start;
    tokens += tokensOfGroup(messages, group, messageCapTokens, counter);
    if (tokens > ceilingTokens && !isLast && group.start !== ask?.at) break;
    if (turnStarts.has(group.start)) turns++;
    if (isLast || allowsCut(messages, group.start)) start = group.start;
    if (start === group.start) kept = count;
  }
  if (retention.tolerance === undefined) return start;
  return cutBetweenWork(messages, {
    groups,
    tokensOf: (group) => tokensOfGroup(messages, group, messageCapTokens, counter),
    wanted: start,
    ceilingTokens,
    leastMessages: retention.messages,
    tolerance: retention.tolerance,
  });
}

/**
 * The position of the latest ask, where it stays instead of a tail: the conversation ends in a tool group, and the tail
 * may take so little that its calls would not stay whole, or nothing of its results be shown. The hand-off tells of it, and the ask is below (R10).
 */
export function restatedAsk(
  messages: readonly Message[],
  { ceilingTokens, targetTokens }: { readonly ceilingTokens: number; readonly targetTokens: number },
  counter: TokenCounter,
): number | undefined {
  const last = groupsOf(messages).at(-1);
  if (!last || last.inFlight || !carriesResults(messages.at(-1)!)) return undefined;
  // Where every line has to earn its place, the story tells in fewer words what would not stay whole.
  const most = targetTokens < SMALL_TARGET ? Number.POSITIVE_INFINITY : LEAST_MESSAGE_TOKENS;
  const callTokens = counter.message(messages[last.start]!);
  const resultTokens = messages
    .slice(last.start + 1, last.end)
    .reduce((sum, message) => sum + Math.min(most, counter.message(message)), 0);
  if (ceilingTokens >= callTokens + resultTokens) return undefined;
  const ask = messages.findLastIndex((message) => isSaidByPerson(userWordsOf(message)));
  if (ask < 0) return undefined;
  const { start, end } = groupAt(messages, ask);
  return end - start > 1 || !messages.slice(end).every(isWork) ? undefined : ask;
}

/**
 * What the last group may take of the target: whole up to a half of it. Of longer words of the agent's, as much; longer calls
 * and results are shaped to less, so that the story keeps its room.
 */
export function newestTokens(
  messages: readonly Message[],
  targetTokens: number,
  counter: TokenCounter,
): number {
  const last = groupsOf(messages).at(-1);
  if (!last) return 0;
  let tokens = 0;
  for (let at = last.start; at < last.end; at++) tokens += counter.message(messages[at]!);
  const isTold = targetTokens < SMALL_TARGET && last.end - last.start > 1;
  if (tokens <= targetTokens * (isTold ? SMALL_WHOLE_SHARE : WHOLE_SHARE)) return tokens;
  if (isSaid(messages[last.start]!)) return Math.floor(targetTokens * WHOLE_SHARE);
  const least = Math.min(SHAPED_TOKENS, targetTokens * MOST_SHAPED_SHARE);
  return Math.floor(Math.max(targetTokens * SHAPED_SHARE, least));
}

const WHOLE_SHARE = 0.5;
/** Of a target below this the story needs more: it tells calls and results in fewer words than the messages themselves. */
const SMALL_TARGET = 2_000;
const SMALL_WHOLE_SHARE = 1 / 3;
const SHAPED_SHARE = 0.06;
/** With less than this a shaped result tells nothing; of a very small target it is less. */
const SHAPED_TOKENS = 200;
const MOST_SHAPED_SHARE = 0.18;

/** An ask stays whole in its message up to a quarter of the target, the message's own tokens aside. */
export function mostAskTokens(targetTokens: number): number {
  return Math.floor(targetTokens / 4) + MESSAGE_TOKENS;
}

/** The ask that the last group follows at once, if it takes no more than this: told in a hand-off it would take as much. */
export function askOfNewest(
  messages: readonly Message[],
  maxTokens: number,
  counter: TokenCounter,
): { readonly at: number; readonly tokens: number } | undefined {
  const [before, last] = groupsOf(messages).slice(-2);
  if (!before || !last || !isSaidByPerson(userWordsOf(messages[before.start]!))) return undefined;
  const tokens = counter.message(messages[before.start]!);
  return before.end - before.start === 1 && tokens <= maxTokens ? { at: before.start, tokens } : undefined;
}

function isSaid(message: Message): boolean {
  return message.role === "assistant" && !makesCalls(message);
}

/** Calls and their answers. Whatever else was said since may have answered the ask, or asked for something else. */
function isWork(message: Message): boolean {
  if (message.pinned || message.role === "system" || handoffIn(message) !== undefined) return false;
  return message.role === "assistant" ? makesCalls(message) : !isUserMessage(message);
}

/** With less than this a result tells little more than that it is not shown. */
const LEAST_MESSAGE_TOKENS = 50;

function tokensOfGroup(
  messages: readonly Message[],
  group: Group,
  cap: number,
  counter: TokenCounter,
): number {
  let tokens = 0;
  for (let at = group.start; at < group.end; at++) tokens += Math.min(cap, counter.message(messages[at]!));
  return tokens;
}
