import { expect, test } from "vitest";
import { foldText } from "./folded-text.ts";
import { termFinder } from "./term-finder.ts";

const finds = termFinder(
  [
    "undo",
    "roll(?:ed)? back",
    "^no(?=[,.])",
    "kein\\p{L}*",
    "under \\p{Sc}?\\d+",
    "не трогай",
    "(?<!i )cannot",
    "ce n'est que",
    "n'[a-z]+ pas",
  ],
  ["不要|别(?!的)"],
);

test.each([
  "Undo that",
  "please (undo)",
  "then rolled back",
  "No, stop",
  "nimm keinen Umweg",
  "stay under €50",
  "Не трогай это",
  "it cannot be",
  "请不要改",
  "ce n'est pas",
])("finds a term in %j", (text) => {
  expect(finds(foldText(text))).toBe(true);
});

test.each([
  "",
  "undoing",
  "redo_undo",
  "undo2",
  "rollback",
  "say no, then",
  "northern",
  "thunder 5",
  "不undo",
  "i cannot",
  "别的",
  "u",
])("finds none in %j", (text) => {
  expect(finds(foldText(text))).toBe(false);
});

test("takes a time that grows with the text alone", () => {
  const long = foldText("undone ".repeat(150_000));
  expect(finds(long)).toBe(false);
  expect(finds("a".repeat(1_000_000))).toBe(false);
  expect(finds("要".repeat(1_000_000))).toBe(false);
});
