/** Moves a cut to where a piece of work starts: a little either way, and further back where work is open (F61). */
import type { Message } from "../conversation/message.ts";
import type { Group } from "../conversation/turn.ts";
import { allowsCut } from "../engine/invariants/index.ts";
import { openWork } from "./open-work.ts";
import { boundaryStrength } from "./work-boundary.ts";

export interface CutBetweenWorkOptions {
  /** The groups that may be in the tail, in order, up to the end. */
  readonly groups: readonly Group[];
  /** What each of them takes. */
  readonly tokensOf: (group: Group) => number;
  /** Where the policy's wishes put the cut. */
  readonly wanted: number;
  /** The tail takes no more than this. */
  readonly ceilingTokens: number;
  /** The tail keeps so many messages, if it did where it was wanted. */
  readonly leastMessages: number;
  /** By which share the tail may be larger or smaller, once for a boundary and once more for each thing that is open. */
  readonly tolerance: number;
}

interface Cut {
  readonly at: number;
  /** Among the groups. */
  readonly index: number;
  readonly tokens: number;
}

/** So many open things make the tail as large as it gets: a plan of ten steps is not ten times as much work under way. */
const MOST_OPEN = 4;

export function cutBetweenWork(messages: readonly Message[], options: CutBetweenWorkOptions): number {
  const { groups, wanted, leastMessages, tolerance } = options;
  const cuts = cutsWithin(messages, options);
  const given = cuts.find(({ at }) => at === wanted);
  if (!given) return wanted;
  const earliest = cuts.at(-1)!;
  const open = openWork(messages, groups.slice(earliest.index));
  const reach = given.tokens * (1 + tolerance * (1 + Math.min(MOST_OPEN, open.count)));
  const begun = cuts.findLast(({ at, tokens }) => at < wanted && tokens <= reach && open.starts.includes(at));
  if (begun) return begun.at;

  const least = Math.min(leastMessages, messages.length - wanted);
  const isKept = open.starts.filter((start) => start >= wanted);
  let best = given;
  let strength = strengthAt(messages, options, given);
  for (const cut of cuts) {
    const change = Math.abs(cut.tokens - given.tokens);
    if (change > given.tokens * tolerance || messages.length - cut.at < least) continue;
    if (isKept.some((start) => start < cut.at)) continue;
    const own = strengthAt(messages, options, cut);
    if (own > strength || (own === strength && own > 0 && change < Math.abs(best.tokens - given.tokens))) {
      best = cut;
      strength = own;
    }
  }
  return best.at;
}

function strengthAt(messages: readonly Message[], { groups }: CutBetweenWorkOptions, { index }: Cut): number {
  return boundaryStrength(messages, groups[index - 1], groups[index]!);
}

/** The cuts that the ceiling and every invariant allow, latest first. */
function cutsWithin(
  messages: readonly Message[],
  { groups, tokensOf, ceilingTokens, wanted }: CutBetweenWorkOptions,
): readonly Cut[] {
  const cuts: Cut[] = [];
  let tokens = 0;
  for (let index = groups.length - 1; index >= 0; index--) {
    const group = groups[index]!;
    tokens += tokensOf(group);
    if (tokens > ceilingTokens && group.start < wanted) break;
    if (group.start === wanted || allowsCut(messages, group.start))
      cuts.push({ at: group.start, index, tokens });
  }
  return cuts;
}
