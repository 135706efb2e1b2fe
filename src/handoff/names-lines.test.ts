import { expect, test } from "vitest";
import { type NamedPlace, type NameSource, namesLines } from "./names-lines.ts";

function places(text: string, source: NameSource, ...words: readonly string[]): readonly NamedPlace[] {
  return words.map((word) => {
    const start = text.indexOf(word);
    const lineStart = text.lastIndexOf("\n", start) + 1;
    const lineEnd = `${text}\n`.indexOf("\n", start);
    return { start, end: start + word.length, lineStart, lineEnd, text, ...source };
  });
}

test("the names of a file stand on a line under it, which says the file's own name", () => {
  const text = "open src/cli/run.ts\nfunc parseArgs(argv)\nlater text\nconst MAX_RETRIES = five\nthen fooBar";
  const source = { speaker: "Read", file: "src/cli/run.ts" };
  expect(namesLines(places(text, source, "src/cli/run.ts", "parseArgs", "MAX_RETRIES", "fooBar"))).toEqual([
    "src/cli/run.ts: parseArgs; MAX_RETRIES; fooBar",
  ]);
});

test("a file with few names is no label: it stands with who said it", () => {
  const source = { speaker: "Read", file: "src/cli/run.ts" };
  expect(namesLines(places("func parseArgs(argv)", source, "parseArgs"))).toEqual([
    "Read: func parseArgs(argv)",
  ]);
});

test("a long line goes on in another with the same label", () => {
  const words = Array.from({ length: 200 }, (_, at) => `someName${at}`);
  const lines = namesLines(places(words.join("\n"), { speaker: "assistant" }, ...words));
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) {
    expect(line.startsWith("assistant: ")).toBe(true);
    expect(line.length).toBeLessThanOrEqual(920);
  }
  expect(lines.flatMap((line) => line.slice("assistant: ".length).split("; "))).toEqual(words);
});

test("nothing gives no lines", () => {
  expect(namesLines([])).toEqual([]);
});
