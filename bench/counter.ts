/** Bench: our token counting against gpt-tokenizer, on the same text in the same run. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { countTokens as cl100kReference } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as o200kReference } from "gpt-tokenizer/encoding/o200k_base";
import { countTokens } from "../src/tokens/bpe.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";

export interface BenchResult {
  readonly name: string;
  /** Our time by the time that it is measured against. */
  readonly ratio: number;
  /** The ratio that must not be passed. */
  readonly limit: number;
  readonly ok: boolean;
  readonly detail: string;
}

/** Each comparison is the median of interleaved rounds, after one round that warms both sides up. */
export async function benchCounter(): Promise<BenchResult[]> {
  const texts = conversationTexts();
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const plainText = { disallowedSpecial: new Set<string>() };
  const encodings = [
    ["o200k_base", o200kReference],
    ["cl100k_base", cl100kReference],
  ] as const;
  const speeds = encodings.map(([encoding, reference]) => {
    const { ours, theirs } = medians(
      () => sum(texts, (text) => countTokens(text, encoding)),
      () => sum(texts, (text) => reference(text, plainText)),
    );
    const same =
      sum(texts, (text) => countTokens(text, encoding)) === sum(texts, (text) => reference(text, plainText));
    const ratio = ours / theirs;
    const detail = `${rate(characters, ours)} against ${rate(characters, theirs)}, counts ${same ? "equal" : "DIFFER"}`;
    return { name: `count ${encoding}`, ratio, limit: 1, ok: same && ratio <= 1, detail };
  });
  return [...speeds, benchSecondLook(texts), benchRuns()];
}

const ROUNDS = 5;
const MAX_CHARACTERS = 4_000_000;

/** The same conversation a turn later: every text is known, so the time must nearly vanish. */
function benchSecondLook(texts: readonly string[]): BenchResult {
  const counter = createTokenCounter();
  const first = elapsed(() => sum(texts, (text) => countTokens(text, "o200k_base")));
  sum(texts, counter.text);
  const again = elapsed(() => sum(texts, counter.text));
  const detail = `${again.toFixed(1)} ms for ${texts.length} known texts, ${first.toFixed(0)} ms to count them`;
  return { name: "count again", ratio: again / first, limit: 1, ok: again <= first, detail };
}

/** Runs without a place to split: ten times the text may take little more than ten times as long. */
function benchRuns(): BenchResult {
  const runs = RUNS.map(([name, unit]) => {
    const long = unit.repeat(1_000_000 / unit.length);
    const short = long.slice(0, long.length / 10);
    countTokens(short, "o200k_base");
    const shortTime = elapsed(() => countTokens(short, "o200k_base"));
    const longTime = elapsed(() => countTokens(long, "o200k_base"));
    const theirs = elapsed(() => o200kReference(long.slice(0, long.length / 100)));
    const detail = `${name} ${longTime.toFixed(0)} ms (gpt-tokenizer ${theirs.toFixed(0)} ms for a hundredth of it)`;
    return { growth: longTime / shortTime / 10, detail };
  });
  const ratio = Math.max(...runs.map((run) => run.growth));
  const detail = `a million ${runs.map((run) => run.detail).join(", ")}`;
  return { name: "growth on long runs", ratio, limit: 4, ok: ratio <= 4, detail };
}

const RUNS: readonly (readonly [string, string])[] = [
  ["letters", "a"],
  ["spaces", " "],
  ["dashes", "-"],
  ["ideographs", "漢字仮名交文学生"],
  ["base64 digits", "QUJDREVGSElKS0xNTk9QUVJTVFVWV1hZWmFiY2Rl"],
];

function medians(ours: () => unknown, theirs: () => unknown): { ours: number; theirs: number } {
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    times.ours.push(elapsed(ours));
    times.theirs.push(elapsed(theirs));
  }
  return { ours: median(times.ours.slice(1)), theirs: median(times.theirs.slice(1)) };
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1]!;
}

function elapsed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function sum(texts: readonly string[], count: (text: string) => number): number {
  return texts.reduce((total, text) => total + count(text), 0);
}

function rate(characters: number, milliseconds: number): string {
  return `${(characters / 1000 / milliseconds).toFixed(1)} MB/s`;
}

/** Texts of recorded conversations: the shared recordings where they are, otherwise the examples. */
function conversationTexts(): readonly string[] {
  const root = new URL("../", import.meta.url);
  const shared = RECORDINGS.map((name) => new URL(`../shared/data/${name}.jsonl.gz`, root)).filter((file) =>
    existsSync(file),
  );
  const lines = shared.flatMap((file) =>
    gunzipSync(readFileSync(file)).toString().split("\n").filter(Boolean),
  );
  return textsOf(lines.length > 0 ? lines : exampleBodies(new URL("examples/", root)));
}

/** Recordings in OpenAI messages. */
const RECORDINGS = ["derived-openai", "livemcpbench", "tau-bench-airline"];

function exampleBodies(folder: URL): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => readFileSync(new URL(name, folder), "utf8"));
}

function textsOf(bodies: readonly string[]): readonly string[] {
  const texts: string[] = [];
  let characters = 0;
  for (const body of bodies) {
    const parsed = JSON.parse(body);
    for (const text of stringsIn(parsed.messages ?? parsed)) {
      texts.push(text);
      characters += text.length;
      if (characters > MAX_CHARACTERS) return texts;
    }
  }
  return texts;
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
