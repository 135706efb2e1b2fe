/** Parent chain: records that name the one before them, kept without gaps when some are gone. */
import { firstText, type WireObject } from "../json/wire-value.ts";
import type { ValueSet } from "./transcript.ts";

/** The keys of a record's own id and of its parent's. */
export interface Chain {
  readonly id: string;
  readonly parent: string;
}

/** What `nearestKept` gives for a parent that the file never had. */
const NOT_IN_FILE = Number.NEGATIVE_INFINITY;

/** The index of a record's nearest ancestor that stays; negative when there is none. */
export function nearestKept(
  lines: readonly WireObject[],
  removed: ReadonlySet<number>,
  { id, parent }: Chain,
): (line: WireObject) => number {
  const byId = new Map<unknown, number>();
  lines.forEach((line, index) => {
    if (typeof line[id] === "string") byId.set(line[id], index);
  });
  return (line) => {
    const seen = new Set<unknown>();
    let next = line[parent];
    if (typeof next === "string" && !byId.has(next)) return NOT_IN_FILE;
    while (typeof next === "string" && !seen.has(next)) {
      seen.add(next);
      const at = byId.get(next);
      if (at === undefined) return -1;
      if (!removed.has(at)) return at;
      next = lines[at]![parent];
    }
    return -1;
  };
}

/** Each record whose parent is gone gets the nearest ancestor that stays, or null. */
export function mendedParents(
  lines: readonly WireObject[],
  removed: ReadonlySet<number>,
  chain: Chain,
): readonly ValueSet[] {
  const nearest = nearestKept(lines, removed, chain);
  return lines.flatMap((line, record): readonly ValueSet[] => {
    const known = line[chain.parent];
    if (removed.has(record) || typeof known !== "string") return [];
    const at = nearest(line);
    if (at === NOT_IN_FILE) return [];
    const parent = at < 0 ? null : firstText(lines[at]![chain.id]);
    return parent === known ? [] : [{ record, path: [chain.parent], value: parent }];
  });
}
