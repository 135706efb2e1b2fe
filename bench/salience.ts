/** What the salience signals cost, as a ratio to counting the tokens of the same text once. */

import { bindingSentences } from "../src/salience/binding-sentences.ts";
import { extractText } from "../src/sources/gptme/extract-text.ts";
import { windowEntropies } from "../src/sources/synthorg/entropy.ts";
import { countEpistemicMarkers } from "../src/sources/synthorg/epistemic-markers.ts";
import { documentFrequencies, tfIdf } from "../src/sources/synthorg/tf-idf.ts";
import { splitCode } from "../src/text/code-blocks.ts";
import { splitSentences } from "../src/text/sentences.ts";
import { forEachSpecific } from "../src/text/specifics.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import { type Bar, bar, median } from "./bar.ts";
import { longConversation } from "./corpus.ts";
import { createSurprisalModel } from "./surprisal.ts";

const MEGABYTE = 1_000_000;

interface Signal {
  readonly name: string;
  /** Milliseconds per megabyte, divided by those of counting tokens, may be at most this. */
  readonly limit: number;
  /** Reads all texts where the signal needs that, and returns what scores one. */
  readonly prepare: (texts: readonly string[]) => (text: string) => unknown;
}

const signals: readonly Signal[] = [
  { name: "tf-idf", limit: 1.5, prepare: prepareTfIdf },
  { name: "entropy", limit: 0.8, prepare: () => (text) => windowEntropies(text) },
  { name: "surprisal", limit: 1.5, prepare: () => createSurprisalModel().score },
  { name: "specifics", limit: 1, prepare: () => (text) => forEachSpecific(text, () => {}) },
  { name: "epistemic markers", limit: 1, prepare: () => countEpistemicMarkers },
  { name: "sentences", limit: 1.5, prepare: () => splitSentences },
  { name: "code blocks", limit: 1.5, prepare: () => splitCode },
  { name: "extract sentences", limit: 4, prepare: () => (text) => extractText(text) },
  { name: "binding sentences", limit: 12, prepare: () => bindingSentences },
];

export async function benchSalience(): Promise<Bar[]> {
  const texts = await corpusTexts(6 * MEGABYTE);
  const half = Math.floor(texts.length / 2);
  const counter = createTokenCounter();
  // Counted texts are remembered, so the counter is warmed up on one half and timed on the other, once.
  const seen = texts.slice(0, half);
  const unseen = texts.slice(half);
  costOf(seen, () => counter.text);
  const countCost = costOf(unseen, () => counter.text);
  return signals.map(({ name, limit, prepare }) => {
    costOf(seen, prepare);
    const cost = median(Array.from({ length: 5 }, () => costOf(unseen, prepare)));
    const detail = `${cost.toFixed(1)} ms/MB, counting tokens ${countCost.toFixed(1)} ms/MB`;
    return bar(`salience: ${name}`, cost / countCost, limit, detail);
  });
}

function prepareTfIdf(texts: readonly string[]): (text: string) => number {
  const frequencies = documentFrequencies(texts);
  return (text) => tfIdf(text, frequencies);
}

async function corpusTexts(characters: number): Promise<readonly string[]> {
  let size = 0;
  const messages = await longConversation((soFar) => {
    size += textOf(soFar.at(-1)!).length;
    return size >= characters;
  });
  return [...new Set(messages.map(textOf))].filter((text) => text !== "");
}

function textOf(message: Readonly<Record<string, unknown>>): string {
  return typeof message.content === "string" ? message.content : "";
}

/** Milliseconds per megabyte of text. */
function costOf(texts: readonly string[], prepare: Signal["prepare"]): number {
  const start = performance.now();
  const score = prepare(texts);
  for (const text of texts) score(text);
  return (performance.now() - start) / (texts.reduce((sum, text) => sum + text.length, 0) / MEGABYTE);
}
