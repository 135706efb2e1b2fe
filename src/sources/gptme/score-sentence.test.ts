import { expect, test } from "vitest";
import { KEY_TERMS, scoreSentence } from "./score-sentence.ts";

test.each([
  ["Fix the error now.", 0, 3.3],
  ["All tests complete with success.", 9, 2.8],
  ["Ok.", 4, -1],
  ["a".repeat(201), 5, -0.2],
  ["b".repeat(60), 2, 1],
  ["FIXME: prefix", 5, 1.3],
])("[F5 F6 F7] scores %j at %d of ten", (sentence, position, score) => {
  expect(scoreSentence(sentence, position, 10)).toBeCloseTo(score, 10);
});

const plain = "x".repeat(100);

test("[F5] rewards the first, the last and the early, never two of them at once", () => {
  const scores = Array.from({ length: 6 }, (_, position) => scoreSentence(plain, position, 6));
  expect(scores).toEqual([2, 1, 1, 0, 0, 1.5]);
  expect(scoreSentence(plain, 0, 1)).toBe(2);
  expect(scoreSentence(plain, 1, 2)).toBe(1.5);
});

test("[F6] knows fourteen key terms, in any case, each counted once", () => {
  expect(KEY_TERMS).toHaveLength(14);
  for (const term of KEY_TERMS)
    expect(scoreSentence(`${plain} ${term.toUpperCase()}`, 3, 9)).toBeGreaterThanOrEqual(0.5);
  expect(scoreSentence(`${plain} bug bug BUG`, 3, 9)).toBe(0.5);
});

test("[F7] punishes noise, rewards the dense, punishes the long, first match wins", () => {
  const score = (length: number) => scoreSentence("x".repeat(length), 3, 9);
  expect([9, 10, 49, 50, 200, 201].map(score)).toEqual([-1, 0.3, 0.3, 0, 0, -0.2]);
});

test("adds points for what a sentence does only when asked to", () => {
  const sentences = [
    ["We decided to keep the queue as the single place where jobs wait for workers.", 2],
    ["Therefore the second cache is what makes the numbers differ between machines.", 1.5],
    ["I'll look at the parser once the other thing has been looked at by somebody.", 1.5],
    ["The table was renamed and nobody has noticed any difference in the application.", 1],
    ["Everything that matters here is in src/parser and nowhere else in the project.", 1],
    ["More about that stands at https://x and it is worth reading on a quiet evening", 0.5],
    ["The server answers with permission denied whenever somebody opens that page up.", 1.5],
  ] as const;
  for (const [sentence, points] of sentences) {
    expect(scoreSentence(sentence, 4, 9)).toBe(0);
    expect(scoreSentence(sentence, 4, 9, { additions: true })).toBe(points);
  }
});

test("takes no points from a short sentence that holds a marker, when asked to", () => {
  expect(scoreSentence("Wait.", 4, 9)).toBe(-1);
  expect(scoreSentence("Wait.", 4, 9, { markers: true })).toBe(0);
  expect(scoreSentence("Ok.", 4, 9, { markers: true })).toBe(-1);
});
