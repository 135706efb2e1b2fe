import { expect, test } from "vitest";
import { kindOf, type Lessons, noLessons, readLessons, traitsOf, weightOf, withCounts } from "./lessons.ts";

const lessons = (needed: Readonly<Record<string, number>>): Lessons =>
  withCounts(
    noLessons,
    new Map(
      Object.entries(needed).map(([trait, count]) => [trait, { dropped: 100, expected: 20, needed: count }]),
    ),
  );

test("[F19] without lessons everything weighs as much as it did", () => {
  expect(weightOf(noLessons, traitsOf("src/a.ts", { by: "tool", tools: ["Read"] }))).toBe(1);
  expect(weightOf(lessons({ "kind:path": 0, "kind:name": 0 }), ["kind:path"])).toBe(1);
});

test("[F19] what was needed more often than expected weighs more, the rest less, and never over twice or under half", () => {
  const learned = lessons({ "kind:path": 30, "kind:name": 10, "tool:Read": 400, "tool:Grep": 0 });
  expect(weightOf(learned, ["kind:path"])).toBeCloseTo(46 / 36, 5);
  expect(weightOf(learned, ["kind:name"])).toBeCloseTo(26 / 36, 5);
  expect(weightOf(learned, ["kind:path", "tool:Read"])).toBe(2);
  expect(weightOf(learned, ["kind:name", "tool:Grep"])).toBe(0.5);
  expect(weightOf(learned, ["tool:never-seen"])).toBe(1);
});

test("[F19] one need in a conversation moves a weight by a few percent at most", () => {
  const learned = lessons({ "kind:path": 1, "kind:name": 0 });
  expect(weightOf(learned, ["kind:path"])).toBeLessThan(1.05);
  expect(weightOf(learned, ["kind:name"])).toBeGreaterThan(0.95);
});

test("[F19] old lessons fade, and no number of tools makes the state grow without end", () => {
  const many = lessons({ "kind:id": 900 });
  expect(many.traits["kind:id"]).toEqual({ dropped: 50, expected: 10, needed: 450 });
  const tools = lessons(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`tool:${at}`, 1])));
  expect(Object.keys(tools.traits)).toHaveLength(80);
});

test("tells paths, numbers, ids and names apart", () => {
  expect(["src/a.ts", "README.md", "12:30:05", "9fceb02", "user-17", "parseInput"].map(kindOf)).toEqual([
    "path",
    "path",
    "number",
    "id",
    "id",
    "name",
  ]);
});

test("lessons from a file are checked", () => {
  const learned = lessons({ "kind:path": 3 });
  expect(readLessons(JSON.parse(JSON.stringify(learned)))).toEqual(learned);
  for (const wrong of [
    ...[undefined, {}, { version: 2 }, { ...learned, traits: null }, { ...learned, traits: [] }],
    { ...learned, traits: { "by:tool": { dropped: -1 } } },
  ])
    expect(() => readLessons(wrong)).toThrow("The lessons cannot be used");
  expect(() => readLessons({ ...learned, heard: [7] })).toThrow("`lessons.heard[0]` is not right");
});
