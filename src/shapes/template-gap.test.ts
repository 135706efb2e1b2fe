import { expect, test } from "vitest";
import { rankLines } from "./choose-lines.ts";
import { describeByTemplates } from "./template-gap.ts";

/** What the marks say of the lines that are not kept. */
function marksOf(lines: readonly string[], isKept: (index: number) => boolean): readonly string[] {
  const kept = Uint8Array.from(lines, (_, index) => Number(isKept(index)));
  const describe = describeByTemplates(rankLines(lines, "output", "log"), kept);
  const marks: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    if (kept[index] === 1) continue;
    const start = index;
    while (index < lines.length && kept[index] === 0) index++;
    marks.push(describe(start, index));
  }
  return marks;
}

const polled = (state: (index: number) => number): readonly string[] =>
  Array.from({ length: 60 }, (_, index) => `worker waits for lock ${state(index)} of the queue`);

test("lines that are word for word as lines shown do not have other values", () => {
  const isKept = (index: number): boolean => index < 6 || index === 20;
  expect(
    marksOf(
      polled((index) => index % 3),
      isKept,
    ),
  ).toEqual(["[… 14 lines, the same as lines shown …]", "[… 39 lines, the same as lines shown …]"]);
});

test("other values are told of where all of them are, and not where some are the same", () => {
  const isKept = (index: number): boolean => index < 3;
  expect(
    marksOf(
      polled((index) => index),
      isKept,
    ),
  ).toEqual(["[… 57 lines as the one above, with other values …]"]);
  expect(
    marksOf(
      polled((index) => (index * 7) % 31),
      isKept,
    ),
  ).toEqual(["[… 57 lines as the one above …]"]);
});
