/**
 * npm run train:binding: learns from sentences.jsonl how likely a sentence binds and asks, and writes src/salience/binding-weights.json.
 * No sentence is of a conversation that labelled.jsonl or the exam has, and none is planted: those measure.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Odds,
  type PackedWeights,
  WEIGHTS_VERSION,
  weigher,
} from "../../src/salience/binding-weights.ts";
import { FEATURE_BITS, forEachFeature } from "../../src/salience/sentence-features.ts";
import { type Fit, fitWeights, oddsIn } from "./fit-weights.ts";

interface Labelled {
  /** A source and a conversation of it, or "written" and a language. */
  readonly from: string;
  readonly binds?: true;
  readonly asks?: true;
  readonly sentence: string;
}

interface Example extends Labelled {
  readonly features: readonly number[];
}

const FOLDS = 5;
/** Features that tell most; more of them would be learned by heart. */
const MOST_FEATURES = 2_400;
/** To lose what binds is worse than to keep what does not: so much is added to the odds. */
const LENIENCE: Odds = { binds: 1, asks: 0.4 };
const PROBE = "Please keep the public names, and don't touch `src/a.ts` before 5 pm.";

const file = join(import.meta.dirname, "sentences.jsonl");
const text = readFileSync(file, "utf8");
const examples: readonly Example[] = text
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Labelled)
  .map((labelled) => ({ ...labelled, features: featuresOf(labelled.sentence) }));

const model = learn(examples);
const packed = pack(model);
const target = join(import.meta.dirname, "../../src/salience/binding-weights.json");
writeFileSync(target, `${JSON.stringify(packed, null, 2)}\n`);
process.stdout.write(`${JSON.stringify({ ...packed, weights: `${packed.weights.length} characters` })}\n`);

function featuresOf(sentence: string): readonly number[] {
  const features = new Set<number>();
  forEachFeature(sentence, (feature) => features.add(feature));
  return [...features];
}

type Model = Readonly<Record<keyof Odds, Fit>>;

/** All features that occur twice first, then again with those that told most. */
function learn(given: readonly Example[]): Model {
  const counts = new Map<number, number>();
  for (const { features } of given)
    for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const common = new Set([...counts].filter(([, count]) => count > 1).map(([feature]) => feature));
  const first = fitBoth(given, common);
  const tells = (feature: number) =>
    Math.log(1 + counts.get(feature)!) *
    (Math.abs(first.binds.weights.get(feature) ?? 0) + Math.abs(first.asks.weights.get(feature) ?? 0) / 2);
  const telling = [...common].sort((a, b) => tells(b) - tells(a) || a - b).slice(0, MOST_FEATURES);
  return fitBoth(given, new Set(telling));
}

function fitBoth(given: readonly Example[], allowed: ReadonlySet<number>): Model {
  const fitted = (kind: keyof Odds) =>
    fitWeights(
      given.map((example) => ({ features: example.features, label: example[kind] === true })),
      allowed,
    );
  return { binds: fitted("binds"), asks: fitted("asks") };
}

/** A conversation, or the written sentences of a language by turns, is held out whole. */
function heldOut(): PackedWeights["score"] {
  const places = new Map<string, number>();
  const foldOf = ({ from }: Example, index: number) => {
    if (from.startsWith("written ")) return index % FOLDS;
    if (!places.has(from)) places.set(from, places.size);
    return places.get(from)! % FOLDS;
  };
  const folds = examples.map(foldOf);
  const odds = new Map<Example, Odds>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const fit = learn(examples.filter((_, index) => folds[index] !== fold));
    examples.forEach((example, index) => {
      if (folds[index] === fold) odds.set(example, lenientOdds(fit, example.features));
    });
  }
  return { binds: scoreOf("binds", odds), asks: scoreOf("asks", odds) };
}

function lenientOdds({ binds, asks }: Model, features: readonly number[]): Odds {
  return { binds: oddsIn(binds, features) + LENIENCE.binds, asks: oddsIn(asks, features) + LENIENCE.asks };
}

function scoreOf(kind: keyof Odds, odds: ReadonlyMap<Example, Odds>) {
  const found = examples.filter((example) => odds.get(example)![kind] >= 0);
  const right = found.filter((example) => example[kind]).length;
  const share = (of: number) => Number((right / of).toFixed(3));
  return {
    recall: share(examples.filter((example) => example[kind]).length),
    precision: share(found.length),
  };
}

function pack({ binds, asks }: Model): PackedWeights {
  const features = [...binds.weights.keys()].sort((a, b) => a - b);
  const all = features.flatMap((feature) => [binds.weights.get(feature)!, asks.weights.get(feature)!]);
  const unit = Number((Math.max(...all.map(Math.abs)) / 127).toPrecision(6));
  const bytes = Buffer.alloc(features.length * 5);
  features.forEach((feature, index) => {
    bytes.writeUIntBE(feature, index * 5, FEATURE_BITS / 8);
    bytes.writeInt8(Math.round(binds.weights.get(feature)! / unit), index * 5 + 3);
    bytes.writeInt8(Math.round(asks.weights.get(feature)! / unit), index * 5 + 4);
  });
  const bias = {
    binds: Number((binds.bias + LENIENCE.binds).toFixed(4)),
    asks: Number((asks.bias + LENIENCE.asks).toFixed(4)),
  };
  const sha256 = (of: string | Buffer) => createHash("sha256").update(of).digest("hex");
  return {
    version: WEIGHTS_VERSION,
    about: "How likely a sentence binds and asks. Written by eval/constraints/train.ts.",
    features: `src/salience/sentence-features.ts, ${features.length} of them by hashes of ${FEATURE_BITS} bits`,
    data: { file: "eval/constraints/sentences.jsonl", sentences: examples.length, sha256: sha256(text) },
    score: heldOut(),
    bias,
    unit,
    probe: { sentence: PROBE, ...weigher(bytes, bias, unit)(PROBE) },
    sha256: sha256(bytes),
    weights: bytes.toString("base64"),
  };
}
