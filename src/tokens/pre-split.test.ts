import { expect, test } from "vitest";
import { cl100kPieceEnd, o200kPieceEnd, type PieceEnd } from "./pre-split.ts";

function pieces(pieceEnd: PieceEnd, text: string): readonly string[] {
  const bytes = new TextEncoder().encode(text);
  const found: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = pieceEnd(bytes, start, bytes.length);
    found.push(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start, end)));
    start = end;
  }
  return found;
}

test("o200k keeps a contraction with its word and splits where capitals begin", () => {
  expect(pieces(o200kPieceEnd, "it's getHTTPBody();\n\n  x1")).toEqual([
    "it's",
    " get",
    "HTTPBody",
    "();\n\n",
    " ",
    " x",
    "1",
  ]);
});

test("o200k ends a word without small letters after its last uncased letter", () => {
  expect(pieces(o200kPieceEnd, "一A AB A一B")).toEqual(["一", "A", " AB", " A一", "B"]);
});

test("cl100k splits a contraction off and keeps capitals inside a word", () => {
  expect(pieces(cl100kPieceEnd, "it's getHTTPBody();\n\n  x1")).toEqual([
    "it",
    "'s",
    " getHTTPBody",
    "();\n\n",
    " ",
    " x",
    "1",
  ]);
});

test("white space ends after its last line end, and at the end of a cl100k text is one piece", () => {
  expect(pieces(o200kPieceEnd, " \n \n  ")).toEqual([" \n \n", "  "]);
  expect(pieces(cl100kPieceEnd, " \n \n  ")).toEqual([" \n \n  "]);
  expect(pieces(cl100kPieceEnd, " \n \n  .")).toEqual([" \n \n", " ", " ."]);
});

test("digits go in threes", () => {
  expect(pieces(o200kPieceEnd, "1234567 ٣٤٥٦")).toEqual(["123", "456", "7", " ", "٣٤٥", "٦"]);
});
