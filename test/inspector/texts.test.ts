import { expect, test } from "vitest";
import { difference } from "../../inspector/src/diff/difference.ts";
import { cutText, visibleText } from "../../inspector/src/visible-text.ts";
import { share } from "../../inspector/src/words.ts";
import { percent } from "../../src/tokens/number-words.ts";

test("what would not show is written out, and the rest stays as it is", () => {
  expect(visibleText("a\0b\u0007c\td\r\ne")).toBe("a␀b␇c\td\ne");
  expect(visibleText("x\u202ey\u2066z\ufeff")).toBe("x‹U+202E›y‹U+2066›z‹U+FEFF›");
  expect(visibleText("text in tags \u{e0041}")).toBe("text in tags ‹U+E0041›");
  expect(visibleText("<b>👩‍👧 שלום</b>")).toBe("<b>👩‍👧 שלום</b>");
});

test("a text is never cut within a character of two halves", () => {
  expect(cutText("ab🎉c", 3)).toBe("ab");
  expect(cutText("ab🎉c", 4)).toBe("ab🎉");
  expect(cutText("ab", 4)).toBe("ab");
});

test("a difference names what was left out and put in, and leaves long runs of the same lines out", () => {
  const lines = Array.from({ length: 30 }, (_, line) => `line ${line}`);
  const after = lines.with(15, "another");
  const parts = difference(lines.join("\n"), after.join("\n"));
  expect(parts.map(({ kind, lines }) => [kind, lines])).toEqual([
    ["left-out", 12],
    ["same", 3],
    ["removed", 1],
    ["added", 1],
    ["same", 3],
    ["left-out", 11],
  ]);
  expect(parts[1]!.text).toBe("line 12\nline 13\nline 14");
});

test("texts that are the same differ in nothing", () => {
  expect(difference("a\nb", "a\nb")).toEqual([{ kind: "same", text: "a\nb", lines: 2 }]);
});

test("a share reads as it does in the report, to the last digit", () => {
  const shares = Array.from({ length: 2_000 }, (_, tokens) => tokens / 2_000);
  expect([...shares, 19.857].map(share)).toEqual([...shares, 19.857].map((each) => percent(each)));
});
