import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { countTokens } from "./bpe.ts";
import { createTextMemo } from "./text-memo.ts";

function countingMemo(generationCharacters?: number) {
  const counted: string[] = [];
  const memo = createTextMemo((text) => {
    counted.push(text);
    return text.length;
  }, generationCharacters);
  return { memo, counted };
}

const long = (letter: string): string => letter.repeat(30);

test("counts a text once, however often it comes", () => {
  const { memo, counted } = countingMemo();
  expect([memo.count(long("a")), memo.count(long("a")), memo.count("a".repeat(30))]).toEqual([30, 30, 30]);
  expect(counted).toEqual([long("a")]);
});

test("does not remember short texts", () => {
  const { memo, counted } = countingMemo();
  memo.count("short");
  memo.count("short");
  expect(counted).toEqual(["short", "short"]);
  expect(memo.count("")).toBe(0);
});

test("forgets what two generations did not ask for, and keeps what was asked for", () => {
  const { memo, counted } = countingMemo(60);
  for (const letter of ["a", "b", "c", "a", "d", "e", "a", "b"]) memo.count(long(letter));
  expect(counted.map((text) => text[0])).toEqual(["a", "b", "c", "d", "e", "b"]);
});

test("a text larger than a generation is counted and does not stay for ever", () => {
  const { memo, counted } = countingMemo(60);
  const huge = "h".repeat(1000);
  expect(memo.count(huge)).toBe(1000);
  memo.count(long("a"));
  memo.count(long("b"));
  memo.count(long("c"));
  memo.count(long("d"));
  memo.count(huge);
  expect(counted.filter((text) => text === huge)).toHaveLength(2);
});

test("of a long text that is counted by line, only what is new is counted next time", () => {
  const { memo, counted } = countingMemo();
  const lines = Array.from({ length: 1000 }, (_, at) => `line ${at} of a text that is long enough\n`);
  const text = lines.join("");
  expect(memo.countByLine(text)).toBe(text.length);
  counted.length = 0;
  const changed = lines.with(500, "another line in the middle of the text\n").join("");
  expect(memo.countByLine(changed)).toBe(changed.length);
  expect(counted.join("").length).toBeLessThan(text.length / 10);
  counted.length = 0;
  expect(memo.count(changed)).toBe(changed.length);
  expect(counted).toEqual([]);
});

test("a text that was cut out of a long one does not keep the long one in memory", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const memo = createTextMemo((text) => text.length);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 100; at++) {
    // A buffer gives one flat text, of which a slice is a view.
    const body = Buffer.alloc(1_000_000, `body ${at} `).toString("latin1");
    memo.count(body.slice(100, 200));
    memo.count(body.slice(0, 500_000));
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
});

test("a whole text is remembered as it is: it takes no room beside whoever holds it", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { memo, counted } = countingMemo();
  const texts = Array.from(
    { length: 5000 },
    (_, at) => JSON.parse(`"${String(at).padEnd(1000, "x")}"`) as string,
  );
  collect();
  const before = process.memoryUsage().heapUsed;
  for (const text of texts) memo.countWhole(text);
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(2_000_000);
  counted.length = 0;
  expect(texts.map(memo.count)).toEqual(texts.map((text) => text.length));
  expect(counted).toEqual([]);
});

test.each(["o200k_base", "cl100k_base"] as const)(
  "pieces count as the text that they make, in %s",
  (encoding) => {
    const memo = createTextMemo((text) => countTokens(text, encoding));
    const piece = fc.constantFrom(
      "→ ran",
      "✗ x\n",
      "a.\n",
      "\n",
      " \n",
      "/b\n",
      "  c\n",
      "…\n",
      "'s\n",
      "[1] ",
      "é\n",
    );
    fc.assert(
      fc.property(fc.array(piece), (texts) => {
        const text = texts.join("");
        const pieces = texts.map((each) => ({ text: each }));
        expect(memo.countPieces(pieces)).toBe(countTokens(text, encoding));
        expect(memo.countPieces(pieces, text)).toBe(countTokens(text, encoding));
      }),
    );
  },
);

test("a text that was counted in pieces is not counted again", () => {
  const { memo, counted } = countingMemo();
  const texts = [`${long("a")}\n`, `${long("b")}\n`];
  const pieces = texts.map((text) => ({ text }));
  memo.countPieces(pieces, texts.join(""));
  expect(memo.count(texts.join(""))).toBe(62);
  memo.countPieces([...pieces, { text: `${long("c")}\n` }]);
  expect(counted).toEqual([...texts, `${long("c")}\n`]);
});

test("pieces that come again as the same list are not even looked at", () => {
  const { memo, counted } = countingMemo();
  // The second opens no piece of its own, and so is counted with the first.
  const pieces = [{ text: `${long("a")}\n` }, { text: ` ${long("b")}\n` }];
  const tokens = memo.countPieces(pieces);
  expect(memo.countPieces(pieces, pieces.map(({ text }) => text).join(""))).toBe(tokens);
  expect(counted).toHaveLength(1);
});
