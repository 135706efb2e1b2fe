/** How likely a sentence binds, and asks: learned weights of its features (binding-weights.json), checked when they are loaded. */
import { createHash } from "node:crypto";
import { CompactionError } from "../errors/compaction-error.ts";
import packed from "./binding-weights.json" with { type: "json" };
import { rememberedByText } from "./remembered-by-text.ts";
import { FEATURE_BITS, forEachFeature } from "./sentence-features.ts";

/** Log odds: above zero it does rather than not. */
export interface Odds {
  readonly binds: number;
  readonly asks: number;
}

/** The weights as they are shipped, with what they were made from. Written by eval/constraints/train.ts. */
export interface PackedWeights {
  readonly version: number;
  readonly about: string;
  readonly features: string;
  readonly data: { readonly file: string; readonly sentences: number; readonly sha256: string };
  /** On sentences of conversations that were held out, five times a fifth of them. */
  readonly score: Readonly<Record<keyof Odds, { readonly recall: number; readonly precision: number }>>;
  readonly bias: Odds;
  /** What a weight of 1 is worth. */
  readonly unit: number;
  /** Base64: for each feature, in ascending order, three bytes of it and a signed byte for each of the two weights. */
  readonly weights: string;
  readonly sha256: string;
  /** A sentence and its odds, by which features and weights are seen to belong together. */
  readonly probe: Odds & { readonly sentence: string };
}

export const WEIGHTS_VERSION = 1;
const ENTRY_BYTES = 5;

/** The odds of a sentence by the shipped weights. Whoever looks for rules, asks and the worth of words asks for the same sentences. */
export const oddsOf = rememberedByText((sentence: string): Odds => {
  read ??= readWeights(packed);
  return read(sentence);
});

let read: ((sentence: string) => Odds) | undefined;

/** Throws CompactionError where the weights are not whole, or were made for other features. */
export function readWeights(weights: PackedWeights): (sentence: string) => Odds {
  const { version, bias, unit, probe, sha256 } = weights;
  const bytes = Buffer.from(weights.weights, "base64");
  const fault = (what: string) =>
    new CompactionError("COMPACTION_FAILED", `src/salience/binding-weights.json ${what}. Install pith anew.`);
  if (version !== WEIGHTS_VERSION) throw fault(`has version ${version}, not ${WEIGHTS_VERSION}`);
  if (bytes.length % ENTRY_BYTES !== 0 || createHash("sha256").update(bytes).digest("hex") !== sha256)
    throw fault("is not whole: its weights have another checksum");
  const weigh = weigher(bytes, bias, unit);
  const odds = weigh(probe.sentence);
  if (Math.abs(odds.binds - probe.binds) + Math.abs(odds.asks - probe.asks) > 1e-6)
    throw fault("was made for other features: its probe weighs otherwise");
  return weigh;
}

/** The more a sentence says, the less each feature of it counts. */
export function scaleOf(features: number): number {
  return 1 / Math.sqrt(Math.max(features, 1));
}

/** Weighs sentences by weights in their packed form. */
export function weigher(bytes: Buffer, bias: Odds, unit: number): (sentence: string) => Odds {
  const places = new Map<number, number>();
  for (let at = 0; at < bytes.length; at += ENTRY_BYTES)
    places.set(bytes.readUIntBE(at, FEATURE_BITS / 8), at + FEATURE_BITS / 8);
  const signed = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  // A feature counts once however often it occurs.
  const seen = new Uint32Array(bytes.length);
  let round = 0;
  let binds = 0;
  let asks = 0;
  let known = 0;
  const add = (feature: number): void => {
    const place = places.get(feature);
    if (place === undefined || seen[place] === round) return;
    seen[place] = round;
    known++;
    binds += signed[place]!;
    asks += signed[place + 1]!;
  };
  return (sentence) => {
    binds = asks = known = 0;
    round = (round + 1) >>> 0;
    forEachFeature(sentence, add);
    const scale = unit * scaleOf(known);
    return { binds: bias.binds + binds * scale, asks: bias.asks + asks * scale };
  };
}
