import { expect, test } from "vitest";
import { splitCode } from "../../text/code-blocks.ts";
import { extractText } from "./extract-text.ts";

/** A sentence of 60 characters with no key term in it. */
const dull = (name: string) => `${`${name} `.padEnd(59, "z")}.`;
const dulls = (count: number) => Array.from({ length: count }, (_, index) => dull(`S${index}`));
const fence = "```js\nconst a = 1. b = 2!\n```";

test("[F2] keeps sentences verbatim or drops them, the same way every time", () => {
  const text = dulls(20).join(" ");
  const kept = extractText(text);
  expect(kept.split(/(?<=\.) /).every((sentence) => text.includes(sentence))).toBe(true);
  expect(kept.length).toBeLessThan(text.length);
  expect(extractText(text)).toBe(kept);
});

test("[F3] puts every code block back where it was, byte for byte", () => {
  const blocks = [fence, "~~~\nx. y. z.\n~~~", "````\n```\nq\n```\n````"];
  const text = blocks.map((block, index) => `${dulls(6).join(" ")} Look at ${index}:\n${block}\n`).join("\n");
  const kept = extractText(text, { ratio: 0.3 });
  const codeOf = (markdown: string) => splitCode(markdown).filter((segment) => segment.kind === "code");
  expect(codeOf(kept)).toEqual(codeOf(text));
  expect(kept.length).toBeLessThan(text.length);
});

test("[F8] keeps seven of ten, never fewer than two, ties to the earlier", () => {
  const sentences = dulls(10);
  expect(extractText(sentences.join(" "))).toBe(
    sentences.filter((_, index) => index < 6 || index === 9).join(" "),
  );
  expect(extractText(sentences.join(" "), { ratio: 0 })).toBe(`${sentences[0]} ${sentences[9]}`);
  expect(extractText(sentences.join(" "), { ratio: Number.NaN })).toBe(`${sentences[0]} ${sentences[9]}`);
  const ninety = dulls(90);
  expect(extractText(ninety.join(" ")).split(" S")).toHaveLength(63);
});

test("[F9] keeps the original order whatever the scores", () => {
  const sentences = dulls(10);
  const kept = extractText(sentences.join(" "), { weigh: (_, index) => index, ratio: 0.3 });
  expect(kept).toBe(sentences.slice(7).join(" "));
});

/** Ten positions with code at 2, 5 and 8. */
const mixed = (lead: string) =>
  Array.from({ length: 10 }, (_, index) =>
    [2, 5, 8].includes(index) ? `${lead}\n${fence}\n` : `${dull(`S${index}`)} `,
  ).join("");

test.each([
  ["alone", ""],
  ["led in by a sentence", "Run this:"],
])("[F10] keeps code %s without scoring it", (_, lead) => {
  const weighed: number[] = [];
  const kept = extractText(mixed(lead), {
    weigh: (_sentence, index) => weighed.push(index) && 0,
    ratio: 0.1,
  });
  expect(weighed).toEqual([0, 1, 3, 4, 6, 7, 9]);
  expect(kept.split(fence)).toHaveLength(4);
  if (lead) expect(kept.split(lead)).toHaveLength(4);
});

test("[F11] takes position and total from the full list of sentences", () => {
  const places: [number, number][] = [];
  extractText(mixed("Run this:"), { weigh: (_, index, total) => places.push([index, total]) });
  expect(places.at(-1)).toEqual([9, 10]);
  const kept = extractText(mixed("Run this:"));
  for (const name of ["S0", "S1", "S3", "S9"]) expect(kept).toContain(dull(name));
  for (const name of ["S4", "S6", "S7"]) expect(kept).not.toContain(dull(name));
});

test("[F15] returns a message of only code, and one of three sentences, as it is", () => {
  const code = `${fence}\n\n${fence}\n\n${fence}\n\n${fence}\n`;
  expect(extractText(code, { ratio: 0 })).toBe(code);
  expect(extractText("One. Two. Three.", { ratio: 0 })).toBe("One. Two. Three.");
  expect(extractText("One. Two. Three. Four.", { ratio: 0 })).not.toBe("One. Two. Three. Four.");
  expect(extractText("")).toBe("");
});

test("[F15] shortens a message of more than a thousand tokens, with and without code, keeping both its ends", () => {
  for (const text of [dulls(120).join(" "), `${dulls(60).join(" ")}\n\n${fence}\n\n${dulls(60).join(" ")}`]) {
    const kept = extractText(text);
    expect(kept.length / text.length).toBeGreaterThan(0.6);
    expect(kept.length / text.length).toBeLessThan(0.75);
    expect(kept.startsWith(dull("S0"))).toBe(true);
    expect(kept.endsWith(dull(text.includes(fence) ? "S59" : "S119"))).toBe(true);
  }
});

test("keeps the shape of lists and paragraphs", () => {
  const text = [
    "Start here, it is an error to skip. Dull.",
    "",
    "- Gone.",
    "- Ok. This one has a bug and stays.",
    "  - Ah. An issue, nested.",
    "",
    "No.",
    "",
    "The end is a result.",
    "",
  ].join("\n");
  expect(extractText(text, { ratio: 0.45 })).toBe(
    [
      "Start here, it is an error to skip.",
      "",
      "- This one has a bug and stays.",
      "  - An issue, nested.",
      "",
      "The end is a result.",
      "",
    ].join("\n"),
  );
});

test("keeps the mark and indent of a first line whose first sentence goes", () => {
  const text = "  - Gone. An error stays.\n  - Out. A bug stays too.";
  expect(extractText(text, { ratio: 0.5, weigh: (sentence) => (sentence.includes("stays") ? 1 : 0) })).toBe(
    "  - An error stays.\n  - A bug stays too.",
  );
});

test("joins the sentence that goes on under a block to the block", () => {
  const text = `${dulls(6).join(" ")} Use\n${fence}\nand nothing else. ${dulls(3).join(" ")}`;
  expect(extractText(text, { ratio: 0.3 })).toContain(`Use\n${fence}\nand nothing else.`);
});

test("keeps sentences with a marker when asked to, however short", () => {
  const text = `${dulls(6).join(" ")} Wait. ${dulls(4).join(" ")}`;
  expect(extractText(text)).not.toContain("Wait.");
  expect(extractText(text, { keepMarkers: true })).toContain("Wait.");
});

test("is not fooled by marker text or odd characters in the input", () => {
  const text = `__CODE_BLOCK_0__ \0 \uD800 ${dulls(8).join(" ")} {{CODE_1}} $& $1.`;
  const kept = extractText(text);
  expect(kept).toContain("__CODE_BLOCK_0__ \0 \uD800");
  expect(kept).toContain("$& $1.");
});

test.each(["a", " ", "a. ", "\n", "- a\n", "漢。", ">"])("gets through a megabyte of %j", (piece) => {
  const text = piece.repeat(1e6 / piece.length);
  expect(extractText(text).length).toBeLessThanOrEqual(text.length);
});
