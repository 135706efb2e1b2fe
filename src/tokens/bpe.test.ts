import fc from "fast-check";
import { countTokens as cl100kReference } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as o200kReference } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { countTokens } from "./bpe.ts";

const plainText = { disallowedSpecial: new Set<string>() };

function expectReferenceCount(text: string): void {
  const shown = JSON.stringify(text.slice(0, 200));
  expect([shown, countTokens(text, "o200k_base")]).toEqual([shown, o200kReference(text, plainText)]);
  expect([shown, countTokens(text, "cl100k_base")]).toEqual([shown, cl100kReference(text, plainText)]);
}

test("counts a greeting", () => {
  expect(countTokens("Hello, world", "o200k_base")).toBe(3);
  expect(countTokens("Hello, world", "cl100k_base")).toBe(3);
  expect(countTokens("", "o200k_base")).toBe(0);
});

test("counts special tokens as plain text instead of refusing them", () => {
  expect(countTokens("<|endoftext|>", "o200k_base")).toBe(7);
  expect(countTokens("<|im_start|>system<|im_sep|>", "cl100k_base")).toBeGreaterThan(8);
});

const corners = [
  "it's IT'S we'Ve they'lL 's 'S ''s 'ſ x'",
  "getHTTPBody XMLHttpRequest aB Ab AB ab一AB一 一A Aǅa ʰAʰ",
  "e\u0301a\u0301 \u0301x A\u0301B \u0301\u0301 (\u0301 \u0301A \u0301AB",
  "1 12 123 1234 ١٢٣٤ ½Ⅷ x1y22z333",
  "a/b//c///\n/\n/x ()\r\n\r\n/ ;;\n\n  x",
  "  \n  \n   x\t\ty \n\t z \r\n\r\n",
  "   ",
  " \n ",
  "\n\n\n",
  "a   ",
  "a \n",
  "\u00a0\u00a0x \u3000y\u2028z \u0085\u0085 \u200b",
  "\ufeff \ufeffusing \ufeff\ufeffname a\ufeffb \ufeff\n",
  "\ud800 \udc00x \ud83d\ude00\ud83d 😀👩‍👩‍👧‍👦🏳️‍🌈",
  "\0\u0001\u007f\0\0",
  "漢字かな交じり文。中文字符，没有空格 한국어 텍스트 ไทย हिन्दी العربية עברית",
];

test.each(corners)("agrees with the reference on %j", (text) => {
  expectReferenceCount(text);
});

test("agrees with the reference on any text", () => {
  const pieces = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.string({ maxLength: 12 }),
    fc.constantFrom(
      " ",
      "  ",
      "\n",
      "\r\n",
      "\t",
      "'s",
      "'LL",
      "/",
      "A",
      "aB",
      "É",
      "é",
      "ß",
      "一",
      "の",
      "ʰ",
      "\u0301",
    ),
    fc.constantFrom(
      "12",
      "٣",
      "\u00a0",
      "\u3000",
      "\ufeff",
      "\u0085",
      "\ud800",
      "\udfff",
      "😀",
      '{"',
      "://",
      "==",
      "…",
    ),
  );
  const texts = fc.array(pieces, { maxLength: 24 }).map((parts) => parts.join(""));
  fc.assert(fc.property(texts, expectReferenceCount), { numRuns: 3000 });
});

test("agrees with the reference on runs longer than any token", () => {
  for (const unit of ["a", " ", "-", "\n", "=", "字", "あい", "😀", "é", "aA", "\ud800"]) {
    for (const length of [31, 32, 33, 127, 128, 129, 300, 1000]) {
      expectReferenceCount(unit.repeat(length));
      expectReferenceCount(`${unit.repeat(length)}x`);
    }
  }
});

test("agrees with the reference on a text that does not fit the shared buffer", () => {
  const line = "The quick brown fox (42) jumped over 'lazy' dogs; naïve café — 漢字 😀.\n";
  expectReferenceCount(line.repeat(1500));
});

test("gives the same count again for pieces that it has seen", () => {
  const text = "reticulatingsplines_0x7f3a xyzzyplughqux".repeat(3);
  const first = countTokens(text, "o200k_base");
  for (let round = 0; round < 3; round++) expect(countTokens(text, "o200k_base")).toBe(first);
});

// The reference is quadratic on such runs; what it counts for a thousand units, it counts here per unit.
test.each([
  ["letters", "aaaaaaaa", 25_000],
  ["spaces", "        ", 1_563],
  ["dashes", "--------", 3_125],
  ["ideographs", "漢字仮名交文学生", 200_000],
  ["base64 digits", "QUJDREVG", 100_000],
  ["line ends", "\n\n\n\n\n\n\n\n", 12_500],
  ["lone surrogates", "\ud800".repeat(8), 25_000],
])("takes a run of 200,000 %s without choking", (_, unit, tokens) => {
  expect(countTokens(unit.repeat(25_000), "o200k_base")).toBe(tokens);
});
