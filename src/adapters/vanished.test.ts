import { expect, test } from "vitest";
import { vanishedFrom } from "./vanished.ts";

const told = (before: string, now: string, { summary = false, sent = "" } = {}) => {
  const marks = before.split("");
  const messages = new Map(marks.map((mark) => [mark, mark]));
  const { compacted, withdrawn } = vanishedFrom({ messages, marks }, now.split(""), {
    isElsewhere: (mark) => sent.includes(mark),
    opensWithSummary: () => summary,
  });
  return { compacted: compacted.join(""), withdrawn: withdrawn.join("") };
};

test.each([
  // The beginning stays, the end is another one: the caller went back.
  ["abcd", "abx", "", "cd"],
  ["abcd", "ax", "", "bcd"],
  ["abcd", "x", "", "abcd"],
  // The very last message said again is no sign that somebody compacted what was before it.
  ["abcd", "axd", "", "bc"],
  // The end stays: somebody left out what was before it.
  ["abcd", "cde", "ab", ""],
  ["abcd", "Scde", "ab", ""],
  ["abcd", "aScde", "b", ""],
  ["abcd", "Sd", "abc", ""],
  ["abcd", "abcde", "", ""],
])("of %s, %s leaves %o compacted and %o taken back", (before, now, compacted, withdrawn) => {
  expect(told(before, now)).toEqual({ compacted, withdrawn });
});

test("a summary in place of everything is a compaction, and what we compacted ourselves has not vanished", () => {
  expect(told("abcd", "S", { summary: true })).toEqual({ compacted: "abcd", withdrawn: "" });
  expect(told("abcd", "ax", { sent: "bc" })).toEqual({ compacted: "", withdrawn: "d" });
});
