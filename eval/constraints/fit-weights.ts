/** Fits weights of features to labels: logistic regression by stochastic gradient descent, the same for the same samples. */
import { scaleOf } from "../../src/salience/binding-weights.ts";
import { seededRandom, shuffled } from "../figures/seeded-random.ts";

export interface Sample {
  readonly features: readonly number[];
  readonly label: boolean;
}

export interface Fit {
  readonly bias: number;
  readonly weights: ReadonlyMap<number, number>;
}

const EPOCHS = 20;
const STEP = 0.3;
const DECAY = 0.01;

/** Only features in `allowed` get a weight. */
export function fitWeights(samples: readonly Sample[], allowed: ReadonlySet<number>): Fit {
  const random = seededRandom(7);
  const known = samples.map(({ features, label }) => ({
    label,
    features: features.filter((feature) => allowed.has(feature)),
  }));
  const weights = new Map([...allowed].map((feature) => [feature, 0]));
  const squares = new Map<number, number>();
  let bias = 0;
  let biasSquares = 1;
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (const { features, label } of shuffled(known, random)) {
      const scale = scaleOf(features.length);
      const error = chance(oddsIn({ bias, weights }, features)) - Number(label);
      biasSquares += error ** 2;
      bias -= (STEP * error) / Math.sqrt(biasSquares);
      for (const feature of features) {
        const weight = weights.get(feature)!;
        const slope = error * scale + DECAY * weight;
        const square = (squares.get(feature) ?? 1) + slope ** 2;
        squares.set(feature, square);
        weights.set(feature, weight - (STEP * slope) / Math.sqrt(square));
      }
    }
  }
  return { bias, weights };
}

/** The log odds of a sample by a fit. */
export function oddsIn({ bias, weights }: Fit, features: readonly number[]): number {
  let sum = 0;
  let known = 0;
  for (const feature of features) {
    const weight = weights.get(feature);
    if (weight === undefined) continue;
    sum += weight;
    known++;
  }
  return bias + sum * scaleOf(known);
}

function chance(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}
