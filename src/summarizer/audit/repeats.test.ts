import { expect, test } from "vitest";
import { saysTooLittle, withoutRepeats } from "./repeats.ts";

const sentence = "The parser was fixed after the lexer had been looked at.";

test("a sentence that is said again word for word is left out, wherever it stands", () => {
  expect(withoutRepeats(`${sentence} It passed.\n\n- ${sentence}\nDone. Done.`)).toBe(
    `${sentence} It passed.\nDone. Done.`,
  );
  const text = `${sentence} It passed.\n## Next\nNothing.`;
  expect(withoutRepeats(text)).toBe(text);
});

const telling = Array.from({ length: 30 }, (_, at) => `Changed src/part-${at}.ts for run_${1000 + at}.`).join(
  "\n",
);

test("a long text that names next to nothing says too little; a short one, and one that names things, does not", () => {
  const vague = "Much was looked at, and in the end things went well enough for everybody. ".repeat(20);
  expect(saysTooLittle(vague, telling)).toBe(true);
  expect(saysTooLittle("Things went well.", telling)).toBe(false);
  expect(saysTooLittle(telling.slice(0, telling.length / 2), telling)).toBe(false);
  expect(saysTooLittle(vague, "They talked about the weather. ".repeat(40))).toBe(false);
});
