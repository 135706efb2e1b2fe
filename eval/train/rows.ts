/** Rows for training: all that was used later, a sample of what was not, weighed so that every past counts alike. */
import { FEATURES } from "../../src/handoff/specific-features.ts";
import { seededRandom } from "../figures/seeded-random.ts";
import type { Example } from "./examples.ts";
import type { Rows } from "./grow-trees.ts";

/** Of what was not used later, this share is looked at, with the weight of all. */
const sampled = 0.3;

export function trainingRows(examples: readonly Example[], seed = 1): Rows {
  const random = seededRandom(seed);
  const pasts = Map.groupBy(examples, ({ group }) => group);
  const values: Float32Array[] = [];
  const labels: number[] = [];
  const weights: number[] = [];
  for (const { features, labels: own, probes, group } of examples) {
    // A group counts by the root of its size, or the largest project alone would decide.
    const weight = (10 / probes) * Math.sqrt(50 / pasts.get(group)!.length);
    own.forEach((label, at) => {
      if (label === 0 && random() > sampled) return;
      values.push(features.subarray(at * FEATURES.length, (at + 1) * FEATURES.length));
      labels.push(label);
      weights.push(label === 0 ? weight / sampled : weight);
    });
  }
  const flat = new Float32Array(values.length * FEATURES.length);
  values.forEach((row, at) => {
    flat.set(row, at * FEATURES.length);
  });
  return {
    features: FEATURES.length,
    values: flat,
    labels: Uint8Array.from(labels),
    weights: Float32Array.from(weights),
  };
}
