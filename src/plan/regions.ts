/** Splits a conversation into head, pinned, archivable and recent messages. */
import type { Message } from "../conversation/message.ts";
import { proseOf } from "../conversation/message.ts";
import { groupAt } from "../conversation/turn.ts";
import { isHandoffMessage } from "../handoff/separate.ts";
import type { Policy } from "../policy/policy.ts";
import { countEpistemicMarkers } from "../salience/epistemic-markers.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Regions } from "./plan.ts";
import { protectedPositions } from "./protected.ts";

export interface SplitOptions {
  readonly policy: Policy;
  readonly counter: TokenCounter;
  /** Where the recent messages start. */
  readonly tailStart: number;
  /** How often this conversation was compacted already: a decaying head is gone the second time (R45). */
  readonly compactions: number;
  /** Head messages, protected and promoted ones together take no more than this; caller's pins are not limited. */
  readonly softTokens: number;
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
  for (const { role, position } of messages) {
    if (role === "system" && !isHandoffMessage(messages[position]!))
      (pinned.length + archivable.length === 0 ? head : pinned).push(position);
    else if (position >= tailStart) recent.push(position);
    else if (soft.head.has(position)) head.push(position);
    else if (hard.has(position) || soft.pinned.has(position)) pinned.push(position);
    else archivable.push(position);
  }
  return { head, pinned, archivable, recent };
}

/** Protections that yield when they would crowd out everything else (R44): head messages, logs, checkpoints, doubts. */
function softPins(messages: readonly Message[], options: SplitOptions) {
  const { policy, counter, tailStart, compactions, softTokens } = options;
  let left = softTokens;
  const afford = (positions: ReadonlySet<number>): ReadonlySet<number> => {
    let cost = 0;
    for (const position of positions) cost += counter.message(messages[position]!);
    if (cost > left) return new Set();
    left -= cost;
    return positions;
  };
  const before = messages.filter((message) => message.position < tailStart && message.role !== "system");
  const headCount = policy.head.decays && compactions > 0 ? 0 : policy.head.messages;
  const head = afford(wholeGroups(messages, before.slice(0, headCount)));
  const isProtected = protectedPositions(before);
  const pinned = new Set(
    afford(
      wholeGroups(
        messages,
        before.filter(({ position }) => isProtected.has(position)),
      ),
    ),
  );
  const { promoteAt } = policy.markers;
  if (promoteAt !== undefined) {
    // Newest first: where not all can be promoted, the doubts closest to the work are.
    for (const message of before.toReversed()) {
      if (message.role !== "assistant" || countEpistemicMarkers(proseOf(message)) < promoteAt) continue;
      for (const position of afford(wholeGroups(messages, [message]))) pinned.add(position);
    }
  }
  return { head, pinned };
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
