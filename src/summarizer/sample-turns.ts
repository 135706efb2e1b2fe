/** sampleTurns: chooses which turns a summarizer reads when they do not all fit its window (R33). */
import { clip } from "./clip.ts";

export interface LabelledText {
  /** The role in capitals, such as USER. */
  readonly label: string;
  readonly text: string;
}

export interface SampledTurn extends LabelledText {
  /** Turns that were left out directly before this one. */
  readonly leftOutBefore: number;
}

export interface Sample {
  readonly turns: readonly SampledTurn[];
  readonly leftOutAfter: number;
}

const HEAD_SHARE = 0.45;
const SLICES = 8;
/** A slice that holds less than this many empty turns would show nothing. */
const LEAST_TURNS_COST = 6;
/** Label, fence and blank lines around a turn, and now and then a mark, in whatever unit the cost is. */
const AROUND = `<turn-000000000000>\n[ASSISTANT]: \n</turn-000000000000>\n\n`;

/**
 * All turns where they fit. Where at least half of them does: the beginning, 45 %, and the end, 55 %. Otherwise eight
 * slices, evenly spaced, of which the last reaches to the end.
 */
export function sampleTurns(
  pieces: readonly LabelledText[],
  budget: number,
  costOf: (text: string) => number,
): Sample {
  const { around, costs, total } = costsOf(pieces, costOf);
  if (total <= budget)
    return { turns: pieces.map((piece) => ({ ...piece, leftOutBefore: 0 })), leftOutAfter: 0 };

  const kept = new Map<number, LabelledText>();
  const ranges =
    total <= budget * 2
      ? headAndTail(pieces.length)
      : evenSlices(pieces.length, budget / (around * LEAST_TURNS_COST));
  for (const { from, to, share, backwards } of ranges) {
    let room = budget * share;
    for (let step = 0; step < to - from && room > 0; step++) {
      const index = backwards ? to - 1 - step : from + step;
      if (kept.has(index)) break;
      const cost = costs[index]!;
      const piece =
        cost <= room ? pieces[index]! : shortened(pieces[index]!, (room - around) / (cost - around));
      room -= cost;
      if (piece !== undefined) kept.set(index, piece);
    }
  }
  return describe(kept, pieces.length);
}

export function allFit(
  pieces: readonly LabelledText[],
  budget: number,
  costOf: (text: string) => number,
): boolean {
  return costsOf(pieces, costOf).total <= budget;
}

function costsOf(pieces: readonly LabelledText[], costOf: (text: string) => number) {
  const around = costOf(AROUND) + 1;
  const costs = pieces.map(({ text }) => costOf(text) + around);
  return { around, costs, total: costs.reduce((sum, cost) => sum + cost, 0) };
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly share: number;
  /** Filled from its end: the newest turns say where things stand. */
  readonly backwards: boolean;
}

function headAndTail(count: number): readonly Range[] {
  return [
    { from: 0, to: count, share: 1 - HEAD_SHARE, backwards: true },
    { from: 0, to: count, share: HEAD_SHARE, backwards: false },
  ];
}

function evenSlices(count: number, most: number): readonly Range[] {
  const slices = Math.max(1, Math.min(SLICES, count, Math.floor(most)));
  return Array.from({ length: slices }, (_, order) => ({
    from: Math.floor((order * count) / slices),
    to: Math.floor(((order + 1) * count) / slices),
    share: 1 / slices,
    backwards: order === slices - 1,
  }));
}

/** The turn that no longer fits whole, if enough of it does to be worth reading. */
function shortened(piece: LabelledText, share: number): LabelledText | undefined {
  // A tenth less, since the mark costs something and tokens are not spread evenly.
  const most = Math.floor(piece.text.length * share * 0.9) - 60;
  if (most < 40) return undefined;
  const head = Math.floor(most * 0.7);
  return { ...piece, text: clip(piece.text, { most, head, tail: most - head }) };
}

function describe(kept: ReadonlyMap<number, LabelledText>, count: number): Sample {
  let next = 0;
  const turns = [...kept.keys()]
    .toSorted((one, other) => one - other)
    .map((index) => {
      const leftOutBefore = index - next;
      next = index + 1;
      return { ...kept.get(index)!, leftOutBefore };
    });
  return { turns, leftOutAfter: count - next };
}
