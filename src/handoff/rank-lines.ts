/** Ranks lines by what they are worth per token: specifics that are likely to be needed again, each counted once. */
import { forEachSpecific } from "../salience/specifics.ts";
import type { ChosenLine } from "./digest.ts";
import type { LineIndex } from "./line-index.ts";

export interface RankOptions {
  readonly indexes: readonly LineIndex[];
  readonly tokensPerChar: readonly number[];
  /** Ranking stops when this many tokens (estimated) are ranked. */
  readonly maxTokens: number;
  readonly alreadySaid: string;
}

export interface RankedLines {
  readonly length: number;
  /** The best lines that together take at most this many tokens (estimated), best first. */
  readonly upTo: (tokens: number) => readonly ChosenLine[];
}

/**
 * Greedy choice by value per token. A specific gives its value to the first line that is chosen with it and nothing
 * to later ones, so a line's worth can only fall: the heap is corrected when a line comes to the top (lazy greedy).
 */
export function rankLines(options: RankOptions): RankedLines {
  const lines = gather(options);
  const ranked: number[] = [];
  const costs: number[] = [];
  let total = 0;
  const heap = createHeap(lines.worth);
  const taken = new Uint8Array(lines.values.length);
  forEachSpecific(options.alreadySaid, (start, end) => {
    const id = lines.idOf.get(options.alreadySaid.slice(start, end).toLowerCase());
    if (id !== undefined) taken[id] = 1;
  });
  while (heap.size() > 0 && total < options.maxTokens) {
    const line = heap.top();
    const worth = lines.worthOf(line, taken);
    if (worth < lines.worth[line]! * 0.999) {
      heap.lowerTop(worth);
      continue;
    }
    heap.pop();
    lines.take(line, taken);
    ranked.push(line);
    total += lines.costs[line]!;
    costs.push(total);
  }
  return {
    length: ranked.length,
    upTo: (tokens) => ranked.slice(0, countWithin(costs, tokens)).map(lines.locate),
  };
}

function countWithin(sums: readonly number[], limit: number): number {
  let low = 0;
  let high = sums.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All lines of all messages side by side, with the value of every specific. */
function gather({ indexes, tokensPerChar }: RankOptions) {
  const idOf = new Map<string, number>();
  const mentions: number[] = [];
  const lastSeen: number[] = [];
  const spoken: number[] = [];
  const globalIds = indexes.map(({ words, label }, message) =>
    Int32Array.from(words, (word) => {
      let id = idOf.get(word);
      if (id === undefined) {
        id = mentions.length;
        idOf.set(word, id);
        mentions.push(0);
        lastSeen.push(0);
        spoken.push(0);
      }
      mentions[id]!++;
      lastSeen[id] = message;
      if (label === "" || label === "user:" || label === "assistant:") spoken[id] = 1;
      return id;
    }),
  );
  const count = Math.max(1, indexes.length);
  const values = Float64Array.from(mentions, (often, id) => {
    const recency = 0.35 + lastSeen[id]! / count;
    return (1 + Math.log2(often)) * recency * (spoken[id] ? 1.6 : 1);
  });

  const firstLine = new Int32Array(indexes.length + 1);
  indexes.forEach(({ starts }, message) => {
    firstLine[message + 1] = firstLine[message]! + starts.length;
  });
  const lineCount = firstLine[indexes.length]!;
  const messageOf = new Int32Array(lineCount);
  const costs = new Float64Array(lineCount);
  const base = new Float64Array(lineCount);
  const worth = new Float64Array(lineCount);

  const worthOf = (line: number, taken: Uint8Array | undefined): number => {
    const message = messageOf[line]!;
    const { firstWord, wordIds } = indexes[message]!;
    const own = line - firstLine[message]!;
    const ids = globalIds[message]!;
    let value = base[line]!;
    for (let at = firstWord[own]!; at < firstWord[own + 1]!; at++) {
      const id = ids[wordIds[at]!]!;
      if (taken === undefined || taken[id] === 0) value += values[id]!;
    }
    return value / costs[line]!;
  };
  for (let message = 0; message < indexes.length; message++) {
    const { starts, ends, label } = indexes[message]!;
    const recency = 0.35 + message / count;
    const speaker = label === "user:" ? 3 : label === "assistant:" ? 1.5 : 0.5;
    for (let own = 0; own < starts.length; own++) {
      const line = firstLine[message]! + own;
      messageOf[line] = message;
      costs[line] = 2 + (ends[own]! - starts[own]!) * tokensPerChar[message]!;
      base[line] = 0.15 * speaker * recency;
      worth[line] = worthOf(line, undefined);
    }
  }
  return {
    idOf,
    values,
    costs,
    worth,
    worthOf,
    take(line: number, taken: Uint8Array): void {
      const message = messageOf[line]!;
      const { firstWord, wordIds } = indexes[message]!;
      const own = line - firstLine[message]!;
      for (let at = firstWord[own]!; at < firstWord[own + 1]!; at++)
        taken[globalIds[message]![wordIds[at]!]!] = 1;
    },
    locate(line: number): ChosenLine {
      return { message: messageOf[line]!, line: line - firstLine[messageOf[line]!]! };
    },
  };
}

/** A binary heap of line numbers, the worthiest on top; ties go to the earlier line, so the order is fixed. */
function createHeap(worth: Float64Array) {
  const heap = Int32Array.from(worth, (_, line) => line);
  let size = heap.length;
  const before = (a: number, b: number) => worth[a]! > worth[b]! || (worth[a] === worth[b] && a < b);
  const sink = (from: number): void => {
    const line = heap[from]!;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && before(heap[child + 1]!, heap[child]!)) child++;
      if (!before(heap[child]!, line)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = line;
  };
  for (let at = (size >> 1) - 1; at >= 0; at--) sink(at);
  return {
    size: () => size,
    top: () => heap[0]!,
    /** The top line is worth less than it was. */
    lowerTop(value: number): void {
      worth[heap[0]!] = value;
      sink(0);
    },
    pop(): void {
      heap[0] = heap[--size]!;
      if (size > 0) sink(0);
    },
  };
}
