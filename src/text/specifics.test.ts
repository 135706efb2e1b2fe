import { expect, test } from "vitest";
import { forEachSpecific, specificsOf } from "./specifics.ts";

test.each([
  ["paths", "open src/a/b.ts now", ["src/a/b.ts"]],
  ["long numbers", "12345 and 123 and 3.14 and 10:45", ["12345", "10:45"]],
  ["ids", "commit 9fceb02d0 of ABC-123", ["9fceb02d0", "abc-123"]],
  ["identifiers", "call readFile and read_file, not Readfile", ["readfile", "read_file"]],
  ["addresses", "mail a@b.io, see https://x.y/z?q", ["a@b.io", "https://x.y/z"]],
  ["words that end in marks", "the end. note: fine/ stop#", []],
  ["home folders", "~/notes.md", ["~/notes.md"]],
  ["plain words", "nothing special in here, well-known 50%", []],
])("finds %s", (_, text, specifics) => {
  expect([...specificsOf(text)]).toEqual(specifics);
});

test("leaves out what is shorter than 4 or longer than 160 characters", () => {
  expect(specificsOf(`a1 ${"a1".repeat(81)} ${"a1".repeat(80)}`)).toEqual(new Set(["a1".repeat(80)]));
});

test("visits each place, in order, in the case it has", () => {
  const found: string[] = [];
  const text = "MyFile.ts, MyFile.ts";
  forEachSpecific(text, (start, end) => found.push(text.slice(start, end)));
  expect(found).toEqual(["MyFile.ts", "MyFile.ts"]);
});

/** The definition that the measure of carry-forward recall uses, in regular expressions. */
function byDefinition(text: string): Set<string> {
  const specifics = new Set<string>();
  for (const [word] of text.matchAll(/[A-Za-z0-9_~][A-Za-z0-9_./:@#%+$~-]*[A-Za-z0-9_]/g)) {
    if (word.length < 4 || word.length > 160) continue;
    if (/^[\d.,:%-]+$/.test(word)) {
      if (word.replace(/\D/g, "").length >= 4) specifics.add(word);
    } else if (/\d/.test(word) || /[a-z][A-Z]|_|[./:@#]/.test(word)) specifics.add(word.toLowerCase());
  }
  return specifics;
}

test("agrees with the definition on every short mix of characters", () => {
  const alphabet = "aZ0_~./:@#%+$- ,é";
  let state = 1;
  for (let round = 0; round < 20_000; round++) {
    let text = "";
    for (let length = 0; length < 24; length++) {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      text += alphabet[(state >>> 8) % alphabet.length];
    }
    expect([...specificsOf(text)]).toEqual([...byDefinition(text)]);
  }
});

test.each(["~", "a", ".", "a.", "-", "漢", "1"])("gets through a megabyte of %j", (piece) => {
  expect(specificsOf(piece.repeat(1e6 / piece.length)).size).toBe(0);
});
