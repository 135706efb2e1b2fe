import { expect, test } from "vitest";
import { escapedText, isOfEscape } from "./escapes.ts";

test.each(["", 'a "b"', "one\ntwo\tthree", "C:\\temp", "\u0001 é 漢"])(
  "%j stands between the quotes of its JSON string",
  (text) => {
    const escaped = escapedText(text);
    expect(JSON.parse(`"${escaped}"`)).toBe(text);
    expect(escaped).not.toContain("\n");
  },
);

test("tells the letter of an escape from the start of a name", () => {
  const text = escapedText("run\nname");
  expect(text).toBe("run\\nname");
  expect(isOfEscape(text, text.indexOf("nname"))).toBe(true);
  expect(isOfEscape(text, text.indexOf("name", 5))).toBe(false);
  expect(isOfEscape("name", 0)).toBe(false);
});
