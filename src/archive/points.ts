/**
 * Points: where a conversation can be, and the messages that lead from one point to the next. Lists of messages that are one
 * past in other words lead to the same point, so that no list is ever made of another: however many there are, each is walked once.
 */
import type { Sayings } from "./sayings.ts";

export interface Point {
  /** The one that this turned out to be. */
  same?: Point;
  /** Where a message leads, by its id. */
  readonly steps: Map<string, Point>;
}

export interface Points {
  /** Before anything was said. */
  readonly start: Point;
  /** The point that a message leads to, and that `target` is, if one is given. */
  readonly step: (from: Point, id: string, target?: Point) => Point | Promise<Point>;
  /** Undefined where nobody went on like this. */
  readonly known: (from: Point, id: string) => Point | undefined;
  /** All from which one of these can be reached, these among them. */
  readonly before: (ends: readonly Point[]) => Before;
}

export interface Before {
  readonly has: (point: Point) => boolean;
  /** The messages between them. */
  readonly ids: () => Iterable<string>;
}

/** @param markers messages that lead to one point, wherever they are met */
export function createPoints(sayings: Sayings, markers: Iterable<string>): Points {
  const all: Point[] = [];
  const create = (): Point => {
    const point: Point = { steps: new Map() };
    all.push(point);
    return point;
  };
  const start = create();
  const marked = new Map([...markers].map((id) => [id, create()]));

  /** Those that turn out to be one may be followed by the same messages: then these lead to one point, too. */
  const join = async (one: Point, other: Point): Promise<void> => {
    const pairs: [Point, Point][] = [[one, other]];
    for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
      const [left, right] = [found(pair[0]), found(pair[1])];
      // Nothing that was said is nothing.
      if (left === right || left === start || right === start) continue;
      const [kept, gone] = left.steps.size >= right.steps.size ? [left, right] : [right, left];
      gone.same = kept;
      for (const [id, to] of gone.steps) {
        const next = kept.steps.get(id) ?? (await alike(kept, id));
        if (next) pairs.push([next, to]);
        kept.steps.set(id, next ?? to);
      }
    }
  };

  /** Where a message leads that says the same under another id. */
  const alike = async (from: Point, id: string): Promise<Point | undefined> => {
    if (from.steps.size === 0) return undefined;
    await sayings.read([id, ...from.steps.keys()]);
    for (const [other, to] of from.steps) if (sayings.isSame(id, other)) return to;
    return undefined;
  };

  const stepAnew = async (from: Point, id: string, target: Point | undefined): Promise<Point> => {
    // What Pith wrote here says something else than what it was written for.
    const to = from.steps.get(id) ?? (target ? undefined : await alike(from, id));
    const mark = marked.get(id);
    const first = to ?? target ?? mark ?? create();
    found(from).steps.set(id, first);
    if (target) await join(first, target);
    if (mark) await join(first, mark);
    return found(first);
  };

  return {
    start,
    step: (from, id, target) => {
      const at = found(from);
      const to = at.steps.get(id);
      const next = to && found(to);
      return next && (!target || found(target) === next) ? next : stepAnew(at, id, target);
    },
    known: (from, id) => {
      const to = found(from).steps.get(id);
      return to && found(to);
    },
    before: (ends) => before(all, ends),
  };
}

function found(point: Point): Point {
  let last = point;
  while (last.same) last = last.same;
  // The next look is a short one.
  for (let each = point; each.same && each.same !== last; ) {
    const next = each.same;
    each.same = last;
    each = next;
  }
  return last;
}

function before(all: readonly Point[], ends: readonly Point[]): Before {
  const leadingTo = new Map<Point, Point[]>();
  const lasting = all.filter(({ same }) => !same);
  for (const point of lasting) {
    for (const to of point.steps.values()) {
      const next = found(to);
      const leading = leadingTo.get(next);
      if (leading) leading.push(point);
      else leadingTo.set(next, [point]);
    }
  }
  const inside = new Set(ends.map(found));
  // A set gives what is added while it is gone through.
  for (const point of inside) for (const each of leadingTo.get(point) ?? []) inside.add(each);
  return {
    has: (point) => inside.has(found(point)),
    ids: function* () {
      for (const { steps } of inside) for (const [id, to] of steps) if (inside.has(found(to))) yield id;
    },
  };
}
