/** Lines: the ways to put one past, each a list of message ids. */
import { createHash } from "node:crypto";

export type Line = readonly string[];

export interface Lines {
  readonly add: (joint: Joint) => void;
  /** Each line once; those that are added meanwhile come, too. Those of whole sides come first, as they tell most. */
  readonly all: () => Iterable<Line>;
}

/** How a line is made: as many messages of `head` as `cut` says, and then those of `line` from `from` on. */
export interface Joint {
  readonly head: Line;
  readonly cut: number;
  readonly line: Line;
  readonly from: number;
  /** Whether `head` is all that a compaction was made of, or all that it left. */
  readonly isWhole: boolean;
}

/** More ways to put one past than any conversation has; beyond it rather too little is in the past than too much. */
const MOST_LINES = 5_000;
/** Of all lines together: 80 MB. */
const MOST_IDS = 10_000_000;

export function createLines(): Lines {
  const whole: Line[] = [];
  const partial: Line[] = [];
  const known = new Set<string>();
  let ids = 0;
  return {
    add: ({ head, cut, line, from, isWhole }) => {
      if (known.size >= MOST_LINES || ids >= MOST_IDS) return;
      const made = head.slice(0, cut).concat(line.slice(from));
      // Lines may be long, and many: their digests are kept, not their texts.
      const key = createHash("sha256").update(made.join(" ")).digest("base64");
      if (known.has(key)) return;
      known.add(key);
      ids += made.length;
      (isWhole ? whole : partial).push(made);
    },
    all: function* () {
      for (let line = whole.shift() ?? partial.shift(); line; line = whole.shift() ?? partial.shift())
        yield line;
    },
  };
}

/** Whether the line that this makes is the one that it is made from. */
export function isSame({ head, cut, line, from }: Joint): boolean {
  if (cut !== from) return false;
  for (let at = 0; at < cut; at++) if (head[at] !== line[at]) return false;
  return true;
}
