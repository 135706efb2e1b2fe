/** The tail of a policy that promises messages byte for byte: as many as it counts, whatever they take (F26, F50, F57). */
import type { Message } from "../conversation/message.ts";
import { groupsOf, turnsOf } from "../conversation/turn.ts";
import type { Retention } from "../policy/policy.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";

export interface WholeTailOptions {
  readonly retention: Retention;
  /** Beyond what is counted, so many tokens are filled with further messages, as far as those fit whole. */
  readonly wantedTokens: number;
  readonly counter: TokenCounter;
}

/** Where it starts. It may be in the middle of a turn, as in the sources, but never within a tool group. */
export function wholeTailStart(messages: readonly Message[], options: WholeTailOptions): number {
  const { retention, wantedTokens, counter } = options;
  const groups = groupsOf(messages).filter((group) => messages[group.start]!.role !== "system");
  const turnStarts = new Set(turnsOf(messages).map((turn) => turn.start));
  const least = Math.max(1, retention.messages);
  let start = messages.length;
  let [tokens, count, turns] = [0, 0, 0];
  for (const group of groups.toReversed()) {
    for (let at = group.start; at < group.end; at++) tokens += counter.message(messages[at]!);
    const isCounted = count < least || turns < retention.turns;
    if (!isCounted && tokens > wantedTokens) break;
    count += group.end - group.start;
    if (turnStarts.has(group.start)) turns++;
    start = group.start;
  }
  return start;
}
