import { expect, test } from "vitest";
import { conversation, user } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { earlierStory, tellOnNote } from "./earlier-story.ts";
import { putBackEarlier } from "./put-back-earlier.ts";

const counter = createTokenCounter();

const paragraph = (number: number, facts: number) =>
  `${number}. User asked for part ${number}. ${Array.from({ length: facts }, (_, at) => `It wrote src/part-${number}/file-${at}.ts.`).join(" ")}`;

/** Eight paragraphs, of which the two last are long, and how things stand. */
const story = [
  ...Array.from({ length: 6 }, (_, at) => paragraph(at + 1, 4)),
  paragraph(7, 20),
  paragraph(8, 20),
  "State: part 8 is open.",
];

function told(lines: readonly string[], roomTokens: number, newTurns = 60) {
  const handoff = `[Pith hand-off] Past reference:\n## Story so far\n[0] Earlier summary: ${lines.join("\n")}\n(goes on below)\n[End of hand-off]`;
  const turns = Array.from({ length: newTurns }, (_, at) => user(`Now part ${at + 9}, as the others.`));
  return earlierStory(conversation(user(handoff), ...turns).messages, roomTokens, counter)!;
}

const sizeOf = (lines: readonly string[]) => counter.text(lines.join("\n"));
const keeps = ({ paragraphs }: ReturnType<typeof told>) =>
  paragraphs.map(({ tokens, most }) => Number((most / tokens).toFixed(1)));

test("where there is room, all of an earlier story is to be copied, and what is new has the rest", () => {
  const earlier = told(story, 2_000);
  expect(keeps(earlier)).toEqual(story.map(() => 1));
  expect(earlier.newTokens).toBeGreaterThan(2_000 - sizeOf(story) - 2 * story.length);
  expect(tellOnNote(earlier)).not.toContain("There is no room");
});

test("where room is short, the newest long paragraphs lose most, and the old ones hardly anything", () => {
  const room = Math.floor(sizeOf(story) * 0.85);
  const earlier = told(story, room, 400);
  const shares = keeps(earlier);
  expect(shares.slice(0, 6)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(shares[6]).toBeLessThan(0.7);
  expect(shares[7]).toBeLessThan(0.7);
  expect(shares.at(-1)).toBe(1);
  expect(earlier.newTokens).toBeGreaterThan(room * 0.28);
  const note = tellOnNote(earlier);
  expect(note).toMatch(/no other: 7 to \d+ words \(from \d+\), 8 to \d+ words \(from \d+\)\. What goes/);
});

test("an older paragraph loses no more than a seventh of it at a time, however long it is, down to twice the others", () => {
  const long = [paragraph(1, 16), ...Array.from({ length: 9 }, (_, at) => paragraph(at + 2, 10))];
  const shares = keeps(told(long, sizeOf(long), 400));
  expect(shares[0]).toBeGreaterThanOrEqual(0.8);
  expect(Math.max(...shares.slice(-3))).toBeLessThan(0.7);
});

test("a text that drops or halves what was to be copied gets it back in its place, as far as there is room", () => {
  const earlier = told(story, 2_000);
  const half = "2. User asked for part 2. It wrote src/part-2/file-0.ts.";
  const text = [half, ...story.slice(3), "9. User asked for part 9."];
  const all = putBackEarlier(text, { earlier, maxTokens: 2_000, counter });
  expect(all).toEqual([...story, "9. User asked for part 9."]);
  const maxTokens = sizeOf(text) + earlier.paragraphs[0]!.tokens + 2;
  const first = putBackEarlier(text, { earlier, maxTokens, counter });
  expect(first).toEqual([story[0], ...text]);
  expect(sizeOf(first)).toBeLessThanOrEqual(maxTokens);
});

test("what a text says elsewhere, tells with others or adds to stands as the text has it", () => {
  const earlier = told(story, 2_000);
  const whole = [...story.slice(0, 2), "3. Part 3 was undone in src/part-3/back.ts.", ...story.slice(3)];
  const merged = ["1–2. Parts 1 and 2 were written.", ...story.slice(2)];
  const moved = [...story.slice(1, -1), `9. Before that: ${story[0]!.slice(3)}`];
  for (const text of [whole, merged, moved, story])
    expect(putBackEarlier(text, { earlier, maxTokens: 4_000, counter })).toEqual(text);
});

test("a text without numbers has what it dropped before it, in order", () => {
  const earlier = told(story, 2_000);
  const text = putBackEarlier(["It went on."], { earlier, maxTokens: 4_000, counter });
  expect(text).toEqual([...story.slice(0, -1), "It went on."]);
});

test("nobody wrote before, or nothing that is known to be a model's", () => {
  expect(earlierStory(conversation(user("Go on.")).messages, 1_000, counter)).toBeUndefined();
});
