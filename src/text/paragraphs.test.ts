import { expect, test } from "vitest";
import { paragraphsOf } from "./paragraphs.ts";

const read = (text: string) =>
  paragraphsOf(text.split("\n")).map(({ numbers, lines }) => [numbers?.join("–") ?? "", lines.length]);

test("all that stands under a number is one paragraph, what closes the text another", () => {
  const text = [
    "1–3. Switched to main; `runs/` removed.",
    "4. User: is there research?",
    "- three agents",
    "Answer: adapt partially.",
    "5) Asked again:",
    "1. a list inside",
    "2. of the paragraph",
    "**6.** Done.",
    "Rules (of the repository): never push.",
    "State: open.",
  ].join("\n");
  expect(read(text)).toEqual([
    ["1–3", 1],
    ["4–4", 3],
    ["5–5", 3],
    ["6–6", 1],
    ["", 1],
    ["", 1],
  ]);
});

test("of a text without numbers every line is one", () => {
  expect(read("It went on.\n1. One.\n2. Two.\nDone.")).toEqual([
    ["", 1],
    ["", 1],
    ["", 1],
    ["", 1],
  ]);
});
