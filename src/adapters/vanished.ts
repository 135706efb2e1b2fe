/** vanishedFrom: what a caller sent before and sends no more, told apart: compacted by somebody else, or taken back. */

export interface Vanished<Native> {
  /** Their ends are still there: somebody left the beginning or the middle out, and recall must still find it. */
  readonly compacted: readonly Native[];
  /** The caller went back: none of it is in the past of what comes now. */
  readonly withdrawn: readonly Native[];
}

interface How {
  readonly isElsewhere: (mark: string) => boolean;
  readonly opensWithSummary: () => boolean;
}

/**
 * @param seen the messages of the last call by their fingerprints, and these in order
 * @param marks the fingerprints of the messages now
 * @param isElsewhere whether a message went into a compaction of ours
 * @param opensWithSummary whether what comes now begins with somebody's summary
 */
export function vanishedFrom<Native>(
  seen: { readonly messages: ReadonlyMap<string, Native>; readonly marks: readonly string[] },
  marks: readonly string[],
  { isElsewhere, opensWithSummary }: How,
): Vanished<Native> {
  const present = new Set(marks);
  const gone = [...seen.messages].flatMap(([mark, message]) =>
    present.has(mark) || isElsewhere(mark) ? [] : [message],
  );
  return gone.length > 0 && isGoneBack(seen.marks, marks) && !opensWithSummary()
    ? { compacted: [], withdrawn: gone }
    : { compacted: gone, withdrawn: [] };
}

/** Who compacts leaves the last messages; who goes back leaves the first. One message alone may be said twice. */
function isGoneBack(seen: readonly string[], marks: readonly string[]): boolean {
  const last = marks.lastIndexOf(seen.at(-1) ?? "");
  let stayed = 0;
  while (stayed <= last && stayed < seen.length && marks[last - stayed] === seen[seen.length - 1 - stayed])
    stayed++;
  const isBeginningThere = marks[0] !== undefined && marks[0] === seen[0];
  return stayed < 2 && (isBeginningThere || stayed === 0);
}
