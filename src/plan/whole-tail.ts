/** The tail of a policy that promises messages byte for byte: as many as it counts, whatever they take (F26, F50, F57). */
import type { Message } from "../conversation/message.ts";
import { groupsOf, turnsOf } from "../conversation/turn.ts";
import { allowsCut } from "../invariants/index.ts";
import type { Retention } from "../policy/policy.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";

export interface WholeTailOptions {
  readonly retention: Retention;
  /** Beyond what is counted, so many tokens are filled with further messages, as far as those fit whole. */
  readonly wantedTokens: number;
  /** The tail reaches back to where a turn starts if it takes no more than this. */
  readonly ceilingTokens: number;
  readonly counter: TokenCounter;
}

/** Where it starts: with whole tool groups, and at a cut that every invariant allows where there is one within the sizes. */
export function wholeTailStart(messages: readonly Message[], options: WholeTailOptions): number {
  const { retention, wantedTokens, ceilingTokens, counter } = options;
  const groups = groupsOf(messages).filter((group) => messages[group.start]!.role !== "system");
  const turnStarts = new Set(turnsOf(messages).map((turn) => turn.start));
  let tokens = 0;
  let count = 0;
  let turns = 0;
  let promised: number | undefined;
  let start: number | undefined;
  for (const group of groups.toReversed()) {
    for (let at = group.start; at < group.end; at++) tokens += counter.message(messages[at]!);
    const isAllowed = allowsCut(messages, group.start);
    if (promised !== undefined) {
      if (start !== undefined ? tokens > wantedTokens : tokens > Math.max(wantedTokens, ceilingTokens)) break;
      if (isAllowed) start = group.start;
      continue;
    }
    count += group.end - group.start;
    if (turnStarts.has(group.start)) turns++;
    if (count < Math.max(1, retention.messages) || turns < retention.turns) continue;
    promised = group.start;
    if (isAllowed) start = promised;
  }
  return start ?? promised ?? groups[0]?.start ?? 0;
}
