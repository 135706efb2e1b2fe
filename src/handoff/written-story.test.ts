import { expect, test } from "vitest";
import { createTokenCounter } from "../tokens/counter.ts";
import { linesWithin, withWritten } from "./written-story.ts";

const counter = createTokenCounter();
const within = (text: string, tokens: number) => linesWithin(text.split("\n"), tokens, counter).join("\n");

test("what fits stands whole", () => {
  expect(within("One.\nTwo.\nThree.", 100)).toBe("One.\nTwo.\nThree.");
});

test("lines go from the oldest on, never the first or the last", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `Line ${at} tells of what was done in step ${at}.`);
  const left = within(lines.join("\n"), 80).split("\n");
  expect(left[0]).toBe(lines[0]);
  expect(left.at(-1)).toBe(lines.at(-1));
  expect(left.slice(1)).toEqual(lines.slice(-(left.length - 1)));
  expect(counter.text(left.join("\n"))).toBeLessThanOrEqual(80);
});

test("sections go whole, the log and the files first, and the end stays", () => {
  const section = (heading: string) => `## ${heading}\n- ${heading} and what is to be said of it, at length.`;
  const text = ["Goal", "Relevant Files", "Decisions", "Detailed Session Log", "State"]
    .map(section)
    .join("\n");
  const all = counter.text(text);
  expect(within(text, all)).toBe(text);
  expect(within(text, all - 1)).toBe(text.replace(`${section("Detailed Session Log")}\n`, ""));
  expect(within(text, Math.floor(all * 0.7))).toBe(["Goal", "Decisions", "State"].map(section).join("\n"));
});

test("a text of which not even beginning and end fit says nothing, and the story stands alone", () => {
  const text = `${"word ".repeat(50)}\n${"word ".repeat(50)}`;
  expect(within(text, 60)).toBe("");
  const story = [{ number: 1, standing: "open", entries: [] }] as const;
  expect(withWritten(story, { story: { lines: text.split("\n"), until: 9 }, room: 60, counter })).toBe(story);
});

test("where room is short, what was written stands whole before deeds that otherwise stay", () => {
  const must = { join: "\n", worth: 1, must: true } as const;
  const deeds = Array.from({ length: 6 }, (_, at) => ({
    ...must,
    text: `→ send_certificate(to ${at}) → sent as c-${at}`,
  }));
  const ask = { voice: "user", units: [{ ...must, text: "Go on." }] } as const;
  const story = [{ number: 1, standing: "open", entries: [ask, { voice: "deed", units: deeds }] }] as const;
  const lines = Array.from({ length: 8 }, (_, at) => `Part ${at} was sent on and looked at again.`);
  const mustIn = (room: number) => {
    const [written, turn] = withWritten(story, { story: { lines, until: 9 }, room, counter });
    expect(written!.entries[0]!.units).toHaveLength(8);
    return turn!.entries.map(({ units }) => units.filter((unit) => unit.must).length);
  };
  expect(mustIn(1000)).toEqual([1, 6]);
  expect(mustIn(180)).toEqual([1, 0]);
});

test("of paragraphs with numbers the longest lose lines, and each is still told", () => {
  const paragraph = (number: number, lines: number) => [
    `${number}. The user asked for part ${number}.`,
    ...Array.from({ length: lines }, (_, at) => `- step ${at} of part ${number} was done and looked at.`),
  ];
  const lines = [
    ...paragraph(1, 2),
    ...paragraph(2, 2),
    ...paragraph(3, 9),
    ...paragraph(4, 4),
    "State: open.",
  ];
  const left = within(lines.join("\n"), counter.text(lines.join("\n")) - 80).split("\n");
  for (const number of [1, 2, 3, 4]) expect(left).toContain(`${number}. The user asked for part ${number}.`);
  expect(left.filter((line) => /part [12]\b/.test(line))).toEqual([...paragraph(1, 2), ...paragraph(2, 2)]);
  expect(left.at(-1)).toBe("State: open.");
  expect(left.filter((line) => /^- .*part 3/.test(line)).length).toBeLessThan(6);
});
