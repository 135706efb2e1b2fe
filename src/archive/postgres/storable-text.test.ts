import fc from "fast-check";
import { expect, test } from "vitest";
import { originalText, storableText } from "./storable-text.ts";

test("any string comes back as it was, and is storable in between", () => {
  const units = fc.array(
    fc.oneof(
      fc.constantFrom(0, 0x1a, 0x30, 0xd83d, 0xde42, 0xdc00, 0xfeff),
      fc.integer({ min: 0, max: 0xffff }),
    ),
  );
  fc.assert(
    fc.property(units, (codes) => {
      const text = String.fromCharCode(...codes);
      const stored = storableText(text);
      expect(stored.isWellFormed() && !stored.includes("\0")).toBe(true);
      expect(originalText(stored)).toBe(text);
    }),
    { seed: 4 },
  );
});

test("a text without such characters stays as it is", () => {
  expect(storableText("plain 🙂 漢字\n")).toBe("plain 🙂 漢字\n");
  expect(storableText("a\0b\ud83d")).toBe("a\u001a0\u001ab\u001ad83d\u001a");
});
