import { expect, test } from "vitest";
import { askingSentences, bindingSentences } from "./binding-sentences.ts";
import { ownProse } from "./own-prose.ts";
import { readShortened, withoutShortened, writeExcerpts, writeShortened } from "./shortened-words.ts";

const sentences = [
  { sentence: "Never read the whole file.", binds: false },
  { sentence: "the blue\ntheme", binds: true },
];
const shortened = writeShortened(sentences);

test("what was shortened is read back as it was written, and what stands around it as it is", () => {
  expect(shortened).toBe("<shortened>\nNever read the whole file.\n\n- the blue\ntheme\n</shortened>");
  expect(readShortened(shortened)).toEqual(["", sentences, ""]);
  expect(readShortened(`Hi.\n\n${shortened}\n\nGo on.\n${shortened}`)).toEqual([
    "Hi.\n\n",
    sentences,
    "\n\nGo on.\n",
    sentences,
    "",
  ]);
});

test("tags in the middle of a line, and tags that do not close, are words like others", () => {
  for (const text of ["", "a <shortened>\nb\n</shortened>", "<shortened>\nb", "</shortened>"])
    expect(readShortened(text)).toEqual([text]);
  expect(readShortened("<shortened>\n".repeat(100_000)).length).toBe(1);
});

test("[R37] a sentence keeps the standing that it had in the whole message, and those around it are read", () => {
  expect(bindingSentences(shortened)).toEqual(["the blue\ntheme"]);
  expect(bindingSentences("Never read the whole file.")).toHaveLength(1);
  expect(askingSentences(shortened)).toEqual(["Never read the whole file."]);
  const among = `It must stay blue.\n\n${shortened}\n\nCould you rename it?`;
  expect(bindingSentences(among)).toEqual(["It must stay blue.", "the blue\ntheme"]);
  expect(askingSentences(among)).toEqual(["Never read the whole file.", "Could you rename it?"]);
  expect(ownProse(shortened).length).toBeGreaterThan(0);
});

test("[R37] all that was marked as binding binds, however much else is said beside it", () => {
  const many = Array.from({ length: 40 }, (_, at) => ({ sentence: `rule ${at}`, binds: true }));
  const chatter = "Never do this one either. You must not. ".repeat(400);
  const bound = bindingSentences(`${writeShortened(many)}\n\n${chatter}`);
  expect(bound).toEqual(expect.arrayContaining(many.map(({ sentence }) => sentence)));
});

test("excerpts neither bind nor ask", () => {
  const text = `${shortened}\n\n${writeExcerpts("Never push. Could you look?")}`;
  expect(bindingSentences(text)).toEqual(["the blue\ntheme"]);
  expect(askingSentences(text)).toEqual(["Never read the whole file."]);
});

test("the rest is what stands beside the shortened words, without the tags of excerpts", () => {
  expect(withoutShortened(`${shortened}\n\n${writeExcerpts("Never push.\n[3 of 9 lines]")}`)).toBe(
    "Never push.\n[3 of 9 lines]",
  );
  expect(withoutShortened(`Fix it.\n\n${writeExcerpts("Never push.")}`)).toBe("Fix it.\n\n\nNever push.");
  expect(withoutShortened(" Fix it. ")).toBe(" Fix it. ");
});
