/**
 * Extractive compression: half of the source's own text as a message; its scores, the 70 % that stay, and half of the window
 * back to about 35 %. Its output stands in docs/stages/extract-sentences.md.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createCompactor } from "pith";

/** From "The Bug" to the takeaways, with the fences around its two blocks of code. */
const text = readFileSync(new URL("./extractive-compression.txt", import.meta.url), "utf8").trim();
const messages = [
  { role: "user", content: "What was the bug, and what did you learn?" },
  { role: "assistant", content: text },
  { role: "user", content: "What is the status?" },
  { role: "assistant", content: "Ready to merge, awaiting final review." },
  { role: "user", content: "What’s next?" },
];

const log: string[] = [];
const compactor = createCompactor({
  preset: "gptme",
  window: 2_240,
  sessionLog: (entry) => log.push(entry),
  clock: () => Date.UTC(2025, 10, 9, 10, 35, 22),
});
const { messages: after, report } = await compactor.compact(messages);
const shorter = String(after[1]!.content);

// The source's rules, written out once more: Pith must keep what they choose.
const TERMS = /error|fail|success|complete|implement|fix|bug|issue|result|output|todo|fixme|note|warning/g;
function score(sentence: string, position: number, total: number): number {
  const place = position === 0 ? 2 : position === total - 1 ? 1.5 : position < 3 ? 1 : 0;
  const { length } = sentence;
  const density = length < 10 ? -1 : length < 50 ? 0.3 : length > 200 ? -0.2 : 0;
  return place + density + 0.5 * new Set(sentence.toLowerCase().match(TERMS)).size;
}
const isCode = (piece: string) => piece.includes("```");
// A block of code is one piece with the words that lead into it: it is not scored, stays, and counts as a position.
const lines = text
  .match(/^.*\n```[\s\S]*?^```$|^.+$/gm)!
  .map((line) => (isCode(line) ? [line] : line.split(/(?<=[^\d][.!?])\s+/)));
const pieces = lines.flat();
const scored = pieces
  .map((piece, at) => ({ piece, points: score(piece, at, pieces.length) }))
  .filter(({ piece }) => !isCode(piece));
const best = scored.toSorted((a, b) => b.points - a.points).slice(0, Math.floor(scored.length * 0.7));
const stays = new Set([...best.map(({ piece }) => piece), ...pieces.filter(isCode)]);
const expected = lines.map((line) => line.filter((piece) => stays.has(piece)).join(" ")).filter(Boolean);

const row = (...[points, count, kept, first]: readonly string[]) =>
  console.log(`${points!.padStart(5)}  ${count!.padStart(9)}  ${kept!.padStart(4)}  ${first}`);
row("score", "sentences", "stay", "the first of them");
for (const points of new Set(scored.map((each) => each.points).sort((a, b) => b - a))) {
  const alike = scored.filter((each) => each.points === points).map(({ piece }) => piece);
  const kept = alike.filter((piece) => shorter.includes(piece)).length;
  const first = alike[0]!.replace(/^(.{68}).+/, "$1…");
  row(points.toFixed(1), `${alike.length}`, `${kept}`, first);
}
const { total = 0, kept = 0 } = report.stages[0]?.sentences ?? {};
console.log(
  `${best.length} of ${scored.length} sentences stay, and ${total - scored.length} pieces of code\n`,
);

// The source's bug: positions counted without the code, against the length of the whole list.
const last = scored.at(-1)!;
const lastIfBroken = score(last.piece, scored.length - 1, pieces.length);
console.log(`the last sentence: ${last.points.toFixed(1)}; with the source's bug ${lastIfBroken.toFixed(1)}`);
console.log(last.piece);

const fromTheCode = shorter.slice(shorter.indexOf("Before (broken):")).split("\n").slice(0, 19);
console.log(`\n${fromTheCode.join("\n")}\n…\n\n${log.join("").trimEnd()}`);

assert.equal(shorter, expected.join("\n"), "the best 70 % stay, in their order, and code byte for byte");
assert.deepEqual(after.toSpliced(1, 1), messages.toSpliced(1, 1), "no other message changes");
assert.deepEqual([total, kept], [pieces.length, stays.size], "the Report counts the same sentences");
assert.ok(shorter.endsWith(last.piece) && last.points === 1.5 && lastIfBroken === 0);
const fill = (tokens: number) => Math.round((100 * tokens) / report.window!);
assert.deepEqual([report.promptTokensBefore, report.promptTokensAfter].map(fill), [50, 36]);
