/**
 * WorkQueue: what waits for a worker. Everything is looked at first, which takes milliseconds; what is due for a compaction
 * then waits for that, those first that would not fit the window without it.
 */

export interface Work {
  /** Its body's bytes. */
  readonly bytes: number;
  /** It was looked at: nothing but a compaction is left to do. */
  readonly isDue: boolean;
  /** It can go on without a compaction; false also where nobody knows yet. */
  readonly fits: boolean;
}

export interface WorkQueue<Each extends Work> {
  readonly add: (work: Each) => void;
  /** The next that nobody has looked at. */
  readonly takeUnseen: () => Each | undefined;
  /** The next to compact. */
  readonly takeDue: () => Each | undefined;
  /** Whether it was there. */
  readonly remove: (work: Each) => boolean;
  /** What is to be shed before more can wait: the newest that can go on without a compaction. */
  readonly sheddable: () => Each | undefined;
  readonly all: () => readonly Each[];
  readonly length: () => number;
}

export function createWorkQueue<Each extends Work>(): WorkQueue<Each> {
  /** In the order they came. */
  const waiting = new Set<Each>();
  const take = (work: Each | undefined): Each | undefined => {
    if (work) waiting.delete(work);
    return work;
  };
  const first = (is: (work: Each) => boolean): Each | undefined => [...waiting].find(is);
  return {
    add: (work) => void waiting.add(work),
    takeUnseen: () => take(first(({ isDue }) => !isDue)),
    takeDue: () => take(first(({ isDue, fits }) => isDue && !fits) ?? first(({ isDue }) => isDue)),
    remove: (work) => waiting.delete(work),
    sheddable: () => [...waiting].findLast(({ fits }) => fits),
    all: () => [...waiting],
    length: () => waiting.size,
  };
}
