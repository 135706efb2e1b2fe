import fc from "fast-check";
import { expect, test } from "vitest";
import { SHAPE_NOTE } from "../conversation/shape-note.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { fitText } from "./fit-text.ts";
import { SHAPE_GAP } from "./shape-note.ts";
import { shapeToolResult } from "./shape-tool-result.ts";

const counter = createTokenCounter();
const context = { counter, handle: "pith:0g1q2v3j4x5z" };

test("[R44] never exceeds the given tokens, whatever the text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.constantFrom(
      "word ",
      "漢字かな",
      "QUJDREVGR0g=",
      "😀🎉",
      "\n",
      "    ",
      "----",
      "ERROR: it broke\n",
      "\ud800",
      "src/a/b.ts:12 ",
    ),
  );
  const text = fc
    .array(fc.tuple(piece, fc.integer({ min: 1, max: 60 })), { maxLength: 12 })
    .map((pieces) => pieces.map(([part, times]) => part.repeat(times)).join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 12, max: 400 }), (value, maxTokens) => {
      expect(counter.text(fitText(value, maxTokens, { counter }))).toBeLessThanOrEqual(maxTokens);
      if (maxTokens < 30) return;
      const fitted = fitText(value, maxTokens, context);
      expect(counter.text(fitted)).toBeLessThanOrEqual(maxTokens);
      if (fitted !== value) expect(fitted).toContain(context.handle);
    }),
    { numRuns: 150 },
  );
});

test("a text that fits comes back as it is", () => {
  expect(fitText("short\ntext", 12, context)).toBe("short\ntext");
});

test("[R44] a huge result becomes its first and last lines, its failures and its specifics, in order", () => {
  const lines = Array.from(
    { length: 5_000 },
    (_, index) => `nothing of note here at all ${"abc"[index % 3]}`,
  );
  lines[2_345] = "TypeError: cannot read properties of undefined";
  lines[4_000] = "wrote src/handoff/ledger.ts and report_2026.json";
  const fitted = fitText(lines.join("\n"), 300, context);
  const shown = fitted.split("\n");
  expect(shown[0]).toBe(lines[0]);
  expect(shown).toContain(lines[2_345]);
  expect(shown).toContain(lines[4_000]);
  expect(shown.indexOf(lines[2_345]!)).toBeLessThan(shown.indexOf(lines[4_000]!));
  expect(shown.some((line) => SHAPE_GAP.test(line))).toBe(true);
  expect(SHAPE_NOTE.exec(shown.at(-1)!)![2]).toMatch(/^\d+ of 5,000 lines$/);
  for (const line of shown.slice(0, -1)) expect(SHAPE_GAP.test(line) || lines.includes(line)).toBe(true);
});

test("no mark says of prose that it passed", () => {
  const lines = Array.from(
    { length: 60 },
    (_, index) => `${"then so but".split(" ")[index % 3]} it went on ${"abcdef"[index % 6]}`,
  );
  lines[30] = "ok let us see";
  expect(fitText(lines.join("\n"), 80, context)).not.toContain("passing");
});

test("uses most of the room it is given", () => {
  const text = Array.from({ length: 2_000 }, (_, index) => `entry ${index} in src/file${index}.ts`).join(
    "\n",
  );
  for (const maxTokens of [100, 500, 3_000]) {
    expect(counter.text(fitText(text, maxTokens, context))).toBeGreaterThan(maxTokens * 0.7);
  }
});

test("a single enormous line is cut at words, with its head and its tail", () => {
  const text = `first words of it ${"some words between ".repeat(20_000)}and the very last`;
  const fitted = fitText(text, 120, context);
  expect(fitted.startsWith("first words of it")).toBe(true);
  expect(fitted).toContain("the very last");
  expect(fitted).toMatch(/\[… \d[\d,]* parts …\]/);
});

const prose =
  "We looked through every catalogue and report that the search brought up, and compared what each of them lists by domain and by year with " +
  "what was asked for, counting books and series apart, but up to now no candidate that matches all of these criteria has been found. ";

test("of a sentence that is cut the start stays, never its end alone", () => {
  const text = `${prose}${"The 12 journals of 2021 are listed in https://example.org/list/2021 too. ".repeat(60)}${prose}`;
  for (const maxTokens of [40, 60, 90, 140, 220, 400]) {
    const fitted = fitText(text, maxTokens, context);
    for (const [at] of [...fitted.matchAll(/has been found/g)].map(({ index }) => [index!])) {
      expect(fitted.slice(0, at)).toMatch(/no candidate that matches all of these criteria $/);
      expect(fitted.slice(0, at)).toContain("We looked through");
    }
  }
});

test("a gap that ends in another line is marked on its own", () => {
  const code = Array.from({ length: 90 }, (_, index) => `const name${index} = load("dir/${index}");`);
  const fitted = fitText([...code.slice(0, 40), prose.repeat(4), ...code.slice(40)].join("\n"), 120, context);
  expect(fitted).not.toMatch(/;[^\n]*\[… \d+ parts …\]/);
});

test("the text below the heading of an outcome goes before what it quotes", () => {
  const quoted = Array.from(
    { length: 200 },
    (_, index) => `${index}. https://example.org/page/${index} v2.${index}`,
  );
  const text = [
    "Report of the search",
    "",
    "### Outcome (short)",
    prose,
    "### Log",
    ...quoted,
    "the end",
  ].join("\n");
  const fitted = fitText(text, 160, context);
  expect(fitted).toContain(prose.trim());
});

test("in very little room the failure comes first, and the note says how much there was", () => {
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index} of it`);
  lines[150] = "error: no";
  const fitted = fitText(lines.join("\n"), 24, { counter });
  expect(fitted).toContain("error: no");
  expect(fitted).toMatch(/of 300 lines\]$/);
});

test("fitting a shaped text keeps the way to the rest", () => {
  const text = Array.from(
    { length: 900 },
    (_, index) => `10:00 INFO served ${index} of them in ${index % 7} ms`,
  ).join("\n");
  const output = { text, toolName: "Bash", toolArguments: '{"command":"docker logs x"}', isError: false };
  const shaped = shapeToolResult(output, context)!;
  const fitted = fitText(shaped.text, 120, { counter });
  expect(fitted).toContain("rest: pith:0g1q2v3j4x5z]");
  expect(fitted.match(/pith shaped/g)).toHaveLength(1);
});

test("a line that comes again and again is told once, with its count, whatever is between", () => {
  const text = Array.from(
    { length: 40 },
    (_, index) =>
      `${" ".repeat(index % 7)}"kind": "https://example.org/Image",\n"name": "picture ${index}",\n},`,
  ).join("\n");
  const fitted = fitText(`{\n${text}\n}`, 200, context);
  expect(fitted.match(/example\.org/g)).toHaveLength(1);
  const few = fitText(
    Array.from({ length: 90 }, (_, index) => `again ${index % 2 ? "" : "ab_c "}`).join("\n"),
    60,
    context,
  );
  expect(few).toMatch(/\[… \d+ lines, \d+ of them the same as the one above …\]/);
});

test("a gap of a few lines is a gap of lines", () => {
  const text = Array.from({ length: 200 }, (_, index) => `entry ${index} in src/file${index}.ts`).join("\n");
  expect(fitText(text, 1_400, context)).not.toMatch(/\[… [1-3] (?!lines? …)/);
});
