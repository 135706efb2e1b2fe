import { expect, test } from "vitest";
import { lineNumbers, sourceText } from "./source-text.ts";

test("[R51] lines have numbers and places, blank ones are left out, and what is no object has no value", () => {
  const text = '\uFEFF{"a":1}\r\n\n  {"b":2}  \n[3]\n{"c":\n';
  const lines = sourceText(text).lines();
  expect(lines.map(({ number, value }) => [number, value])).toEqual([
    [1, { a: 1 }],
    [3, { b: 2 }],
    [4, undefined],
    [5, undefined],
  ]);
  expect(lines.map(({ start, end }) => text.slice(start, end))).toEqual([
    '{"a":1}',
    '{"b":2}',
    "[3]",
    '{"c":',
  ]);
});

test("[R51] a document is parsed once and only when it is one", () => {
  const source = sourceText("\uFEFF [1, 2]\n");
  expect(source.json()).toEqual([1, 2]);
  expect(source.json()).toBe(source.json());
  expect(sourceText('{"a":1}\n{"b":2}').json()).toBeUndefined();
  expect(sourceText("words").json()).toBeUndefined();
});

test("[R51] the first lines tell the format", () => {
  expect(sourceText('{"a":1}\nnot\n{"b":2}').opening()).toEqual([{ a: 1 }, { b: 2 }]);
});

test("[R51] offsets are told as lines", () => {
  expect(lineNumbers("a\nb\n\nc", [0, 2, 5])).toEqual([1, 2, 4]);
});
