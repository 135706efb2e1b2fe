import fc from "fast-check";
import { expect, test } from "vitest";
import { fillRoom } from "./fill-room.ts";

interface Made {
  readonly count: number;
  readonly tokens: number;
}

/** Fills a room with things of these sizes, of which the estimate is wrong by a factor. */
function fill(sizes: readonly number[], room: number, { wrongBy = 1, refinements = 5 } = {}) {
  const made: number[] = [];
  const best = fillRoom<Made>({
    most: sizes.length,
    room,
    countWithin: (estimate) => {
      let sum = 0;
      const over = sizes.findIndex((size) => {
        sum += size * wrongBy;
        return sum > estimate;
      });
      return over < 0 ? sizes.length : over;
    },
    costOf: (at) => sizes[at]! * wrongBy,
    make: (count, later) => {
      made.push(count);
      const chosen = [...sizes.slice(0, count), ...later.map((at) => sizes[at]!)];
      return { count, tokens: chosen.reduce((sum, size) => sum + size, 0) };
    },
    tokensOf: ({ tokens }) => tokens,
    refinements,
  });
  return { best, attempts: made.length };
}

test("a room is filled whether things take more or less than they were thought to", () => {
  const sizes = Array.from({ length: 400 }, (_, at) => 5 + (at % 11));
  for (const wrongBy of [0.3, 0.7, 1, 1.6, 4]) {
    const { best, attempts } = fill(sizes, 1_000, { wrongBy });
    expect(best!.tokens).toBeLessThanOrEqual(1_000);
    expect(best!.tokens).toBeGreaterThan(950);
    expect(attempts).toBeLessThanOrEqual(12);
  }
});

test("where things of one kind come first and another kind after, the estimate is corrected between the two", () => {
  const sizes = [...Array<number>(100).fill(2), ...Array<number>(100).fill(40)];
  expect(fill(sizes, 1_000, { wrongBy: 3 }).best!.tokens).toBeGreaterThan(900);
});

test("without refinements the first attempt that fits is taken", () => {
  const sizes = Array<number>(100).fill(10);
  expect(fill(sizes, 500, { wrongBy: 2, refinements: 0 })).toEqual({
    best: { count: 25, tokens: 250 },
    attempts: 1,
  });
});

test("never over the room, and nothing where nothing fits", () => {
  expect(fill([50, 60], 40, { wrongBy: 0.1 }).best).toBeUndefined();
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 50 }),
      fc.integer({ min: 0, max: 600 }),
      fc.double({ min: 0.1, max: 8, noNaN: true }),
      (sizes, room, wrongBy) => {
        const { best } = fill(sizes, room, { wrongBy });
        expect(best?.tokens ?? 0).toBeLessThanOrEqual(room);
      },
    ),
  );
});

test("where the next one is too large, smaller ones after it take what is left", () => {
  const { best, attempts } = fill([30, 30, 90, 90, 20, 15, 90], 100);
  expect(best).toEqual({ count: 2, tokens: 95 });
  expect(attempts).toBeLessThan(12);
  expect(fill([120, 40], 100).best).toEqual({ count: 0, tokens: 40 });
});
