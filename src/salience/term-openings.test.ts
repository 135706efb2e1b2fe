import { expect, test } from "vitest";
import { SPACED_TERMS } from "./binding-terms-spaced.ts";
import { wordingsOf } from "./term-openings.ts";

test.each([
  ["undo|revert", ["undo", "revert"]],
  ["(?:nie|niemals)", ["nie", "niemals"]],
  ["(?:is|are) not[a-z]", ["is not", "are not"]],
  ["(?:please )?do not", ["please ", "do not"]],
  ["^(?:also,? |and )*remember", ["also", "and ", "remember"]],
  ["don'?t (?!know\\b)\\p{L}+", ["don"]],
  ["(?<!(?:have|has) )always", ["always"]],
  ["(?:roll(?:ed)?|turn) back", ["roll", "turn back"]],
  ["use [|)(]not", ["use "]],
  ["max\\.? \\|", ["max"]],
])("reads how %j may open", (term, openings) => {
  expect(wordingsOf(term).flatMap((wording) => wording.openings)).toEqual(openings);
});

test("tells wordings that are plain words from expressions", () => {
  expect(wordingsOf("undo|roll(?:ed)? back").map(({ isPlain }) => isPlain)).toEqual([true, false]);
});

test("every term of every language spells out its first two letters, or its first where it starts a sentence", () => {
  const terms = Object.values(SPACED_TERMS).flatMap(({ strong, weak, asking }) => [
    ...strong,
    ...weak,
    ...asking,
  ]);
  const tooShort = terms
    .flatMap(wordingsOf)
    .filter(({ source, openings }) =>
      openings.some((opening) => opening.length < (source.startsWith("^") ? 1 : 2)),
    );
  expect(tooShort).toEqual([]);
});
