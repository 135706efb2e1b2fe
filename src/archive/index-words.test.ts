import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ODD_CONTENTS } from "../testing/archive-writes.ts";
import { askedTerms, indexTerms, indexWords } from "./index-words.ts";

const database = new DatabaseSync(":memory:");
beforeAll(() =>
  database.exec(
    `CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2');
     CREATE VIRTUAL TABLE terms USING fts5vocab (words, instance)`,
  ),
);
afterAll(() => database.close());

/** What FTS5 makes of texts. */
function termsOfFts5(texts: readonly string[]): readonly (readonly string[])[] {
  database.exec("DELETE FROM words; BEGIN");
  const insert = database.prepare("INSERT INTO words (rowid, text) VALUES (?, ?)");
  for (const [row, text] of texts.entries()) insert.run(row, text);
  database.exec("COMMIT");
  const found: string[][] = texts.map(() => []);
  for (const { doc, offset, term } of database.prepare("SELECT doc, offset, term FROM terms").iterate())
    found[Number(doc)]![Number(offset)] = String(term);
  return found;
}

test("[R35] splits, folds and stems every text as FTS5 does", () => {
  const endings =
    "s es ies sses ed ing eed y at bl iz ational tional enci izer logi bli alli eli ousli ization ator iveness aliti biliti icate " +
    "ative alize ical ful ness ement ance able ment ent ism ate iti ous ive ize al er ic sion tion ou e ll 1s 2nds";
  const starts = [
    "",
    "a",
    "b",
    "bab",
    "abab",
    "by",
    "yy",
    "ay",
    "hop",
    "fall",
    "agre",
    "x9",
    "größ",
    "caf\u00e9",
    "ж",
  ];
  const forms = starts.flatMap((start) => endings.split(" ").map((ending) => start + ending));
  const long = [60, 61, 62, 63, 64, 65, 200].map(
    (length) => `${"ab".repeat(length / 2)}${"s".repeat(length % 2)}ing`,
  );
  const texts = [
    ...forms,
    ...long,
    ...ODD_CONTENTS.filter((text) => text.isWellFormed() && !text.includes("\0")),
    "Füße: foo_bar.ts, CAFÉ e\u0301t\u0301 v1.2, naïve, İstanbul, ΣΊΣΥΦΟΣ",
    "🤖 Generated with tools🤖, 🙂 x²+½, 漢字 カタカナ, हिन्दी, \u0301lone",
  ];
  expect(texts.map(indexTerms)).toEqual(termsOfFts5(texts));
});

test("[R35] takes every character for what FTS5 takes it for", () => {
  const [planes, tags] = [0x20000, 0xe0000];
  const characters = Array.from({ length: planes + 0x1000 }, (_, at) =>
    at < planes ? at : tags + at - planes,
  )
    .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
    .map((code) => `Z${String.fromCodePoint(code)}Z`);
  const found = termsOfFts5(characters);
  const faults = characters.filter((text, row) => indexTerms(text).join(" ") !== found[row]!.join(" "));
  expect(faults.slice(0, 20)).toEqual([]);
}, 60_000);

test("[R35] asks for each stem once", () => {
  expect(askedTerms(["deletes", "Deleted", "foo.bar", "", "?"])).toEqual([
    { word: "deletes", term: "delet" },
    { word: "foo", term: "foo" },
    { word: "bar", term: "bar" },
  ]);
  expect(askedTerms(Array.from({ length: 500 }, (_, index) => `w${index}`))).toHaveLength(64);
});

test("[R35] takes a megabyte of anything in a moment", () => {
  for (const unit of ["a", " ", "-", "漢", "é", "🙂", "a ", "\ud83d"])
    expect(indexWords(unit.repeat(1_000_000 / unit.length)).length).toBeLessThanOrEqual(500_000);
});
