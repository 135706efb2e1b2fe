/** Numbers the turns of a conversation: those that an earlier hand-off tells keep theirs, and what follows counts on. */
import type { ReadTurn } from "../reading/read-turns.ts";
import type { Story } from "./story.ts";

export interface NumberedTurn {
  readonly turn: ReadTurn;
  readonly number: number;
  /** What the turn's earlier hand-off or summary tells, none of it with a number that came before. */
  readonly earlier?: Story;
  /** The numbers that it may have turns of, told or not; absent where it tells of none. */
  readonly earlierNumbers?: { readonly from: number; readonly to: number };
}

/** Turns of which nothing is told are counted too: a turn keeps its number from one compaction to the next. */
export function numberTurns(
  turns: readonly ReadTurn[],
  earlierOf: (earlier: NonNullable<ReadTurn["earlier"]>) => Story,
): readonly NumberedTurn[] {
  let number = 0;
  let isUnderWay = false;
  return turns.map((turn): NumberedTurn => {
    if (!turn.earlier) {
      // The ask that comes right after such a turn is its own.
      if (!isUnderWay) number++;
      isUnderWay = false;
      return { turn, number };
    }
    const from = number + 1;
    const earlier = numberedFrom(from, earlierOf(turn.earlier));
    // What follows an earlier hand-off without a new ask goes on with the turn that was open there.
    number = earlier.at(-1)?.number ?? Math.max(1, number);
    isUnderWay = turn.steps.length === 0 && earlier.at(-1)?.standing === "under way";
    return { turn, number, earlier, ...(earlier.length > 0 && { earlierNumbers: { from, to: number } }) };
  });
}

/** The same turns, none of them with a number before the given one. */
function numberedFrom(least: number, story: Story): Story {
  // What a model wrote of turns that came before is under 0.
  const first = story.find(({ number }) => number > 0)?.number ?? least;
  const shift = Math.max(0, least - first);
  return shift === 0 ? story : story.map((turn) => ({ ...turn, number: turn.number + shift }));
}
