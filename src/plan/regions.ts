/** Splits a conversation into head, pinned, archivable and recent messages. */

import { isHandoffMessage } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import { proseOf, toolResultsOf } from "../conversation/message.ts";
import { protectedPositions } from "../conversation/protected.ts";
import { groupAt } from "../conversation/turn.ts";
import type { Policy } from "../policy/policy.ts";
import { placesByDensity } from "../sources/synthorg/density.ts";
import { countEpistemicMarkers } from "../sources/synthorg/epistemic-markers.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Regions } from "./plan.ts";

export interface SplitOptions {
  readonly policy: Policy;
  readonly counter: TokenCounter;
  /** Where the recent messages start. */
  readonly tailStart: number;
  /** How often this conversation was compacted already: a decaying head is gone the second time (R45). */
  readonly compactions: number;
  /** Head messages, protected and promoted ones together take no more than this; caller's pins are not limited. */
  readonly softTokens: number;
  /** Head messages and protected ones stay whatever they take. @default false */
  readonly keepsHead?: boolean;
}

export function splitRegions(messages: readonly Message[], options: SplitOptions): Regions {
  const { tailStart } = options;
  const hard = wholeGroups(
    messages,
    messages.filter((message) => message.pinned),
  );
  const soft = softPins(messages, options);
  const head: number[] = [];
  const pinned: number[] = [];
  const archivable: number[] = [];
  const recent: number[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    const { position } = message;
    if (message.role === "system" && (message.pinned || !isHandoffMessage(message)))
      (pinned.length + archivable.length + recent.length === 0 ? head : pinned).push(position);
    else if (position >= tailStart) recent.push(position);
    else if (soft.head.has(position)) head.push(position);
    else (hard.has(position) || soft.pinned.has(position) ? pinned : archivable).push(position);
  }
  return { head, pinned, archivable, recent };
}

/**
 * Protections that yield when they would crowd out everything else (R44): head messages, logs, checkpoints, doubts.
 * A hand-off is none of them, whoever said it: it is folded into the next one.
 */
function softPins(messages: readonly Message[], options: SplitOptions) {
  const { policy, counter, tailStart, compactions, softTokens, keepsHead = false } = options;
  let left = keepsHead ? Number.POSITIVE_INFINITY : softTokens;
  const afford = (wanted: readonly Message[], kept: Set<number>) => {
    const positions = wholeGroups(messages, wanted);
    let cost = 0;
    for (const position of positions) if (!kept.has(position)) cost += counter.message(messages[position]!);
    if (cost > left) return;
    left -= cost;
    for (const position of positions) kept.add(position);
  };
  const isBefore = (message: Message) =>
    message.position < tailStart && message.role !== "system" && !isHandoffMessage(message);
  const head = new Set<number>();
  const headCount = policy.head.decays && compactions > 0 ? 0 : policy.head.messages;
  afford(firstOf(messages, Math.floor(headCount), isBefore), head);
  // Newest first: where not all can stay, what is closest to the work does.
  const pinned = new Set<number>();
  for (const position of [...protectedPositions(messages, isBefore)].sort((a, b) => b - a))
    if (!head.has(position)) afford([messages[position]!], pinned);
  const { promoteAt } = policy.markers;
  if (keepsHead) left = softTokens;
  if (promoteAt === undefined && !policy.density) return { head, pinned };
  const later = messages.filter((message) => isBefore(message) && !head.has(message.position)).reverse();
  if (promoteAt !== undefined) {
    for (const message of later) {
      if (countEpistemicMarkers(contentOf(message)) < promoteAt) continue;
      afford([message], pinned);
    }
  }
  if (policy.density) {
    const { by, promote: share } = policy.density;
    for (const at of placesByDensity(later.map(contentOf), { by, share })) afford([later[at]!], pinned);
  }
  return { head, pinned };
}

/** The first so many of them. */
function firstOf(
  messages: readonly Message[],
  count: number,
  isWanted: (message: Message) => boolean,
): readonly Message[] {
  const first: Message[] = [];
  for (let at = 0; at < messages.length && first.length < count; at++)
    if (isWanted(messages[at]!)) first.push(messages[at]!);
  return first;
}

/** What a message says: its prose and what came back from tools, not its calls. */
function contentOf(message: Message): string {
  return [proseOf(message), ...toolResultsOf(message).map(({ text }) => text)].join("\n");
}

/** The positions of all groups that hold one of these messages: a call and its results stay or go together. */
function wholeGroups(messages: readonly Message[], wanted: readonly Message[]): ReadonlySet<number> {
  const positions = new Set<number>();
  for (const { position } of wanted) {
    const { start, end } = groupAt(messages, position);
    for (let at = start; at < end; at++) positions.add(at);
  }
  return positions;
}
