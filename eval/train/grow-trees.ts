/** Grows boosted trees for yes/no labels on binned features (gradient boosting, second order). Small, plain, deterministic. */
import type { BoostedTrees, Tree } from "../../src/salience/boosted-trees.ts";

export interface Rows {
  readonly features: number;
  /** Row after row. */
  readonly values: Float32Array;
  readonly labels: Uint8Array;
  readonly weights: Float32Array;
}

export interface GrowOptions {
  readonly trees: number;
  readonly depth: number;
  readonly rate: number;
  /** A leaf has at least this much weight of second derivatives. */
  readonly minHessian: number;
  readonly lambda: number;
  /** Features that no tree may ask about. */
  readonly without?: ReadonlySet<number>;
}

const BINS = 64;

export function growTrees(rows: Rows, options: GrowOptions): BoostedTrees {
  const count = rows.labels.length;
  const edges = binEdges(rows);
  const bins = binRows(rows, edges);
  let positive = 0;
  let total = 0;
  for (let row = 0; row < count; row++) {
    positive += rows.labels[row]! * rows.weights[row]!;
    total += rows.weights[row]!;
  }
  const bias = Math.log(positive / (total - positive));
  const margins = new Float64Array(count).fill(bias);
  const gradients = new Float64Array(count);
  const hessians = new Float64Array(count);
  const trees: Tree[] = [];
  for (let round = 0; round < options.trees; round++) {
    for (let row = 0; row < count; row++) {
      const chance = 1 / (1 + Math.exp(-margins[row]!));
      gradients[row] = rows.weights[row]! * (chance - rows.labels[row]!);
      hessians[row] = rows.weights[row]! * chance * (1 - chance);
    }
    trees.push(growTree({ rows, edges, bins, gradients, hessians, margins, options }));
  }
  return { bias, trees };
}

interface Growth {
  readonly rows: Rows;
  readonly edges: readonly Float32Array[];
  /** Feature after feature. */
  readonly bins: Uint8Array;
  readonly gradients: Float64Array;
  readonly hessians: Float64Array;
  readonly margins: Float64Array;
  readonly options: GrowOptions;
}

function growTree(growth: Growth): Tree {
  const { rows, edges, bins, gradients, hessians, margins, options } = growth;
  const count = rows.labels.length;
  const tree = {
    feature: [] as number[],
    value: [] as number[],
    left: [] as number[],
    right: [] as number[],
  };
  const grow = (members: Int32Array, depth: number): number => {
    const node = tree.feature.length;
    let gradient = 0;
    let hessian = 0;
    for (const row of members) {
      gradient += gradients[row]!;
      hessian += hessians[row]!;
    }
    const leaf = (-gradient / (hessian + options.lambda)) * options.rate;
    tree.feature.push(-1);
    tree.value.push(leaf);
    tree.left.push(0);
    tree.right.push(0);
    const split = depth < options.depth ? bestSplit(growth, members, gradient, hessian) : undefined;
    if (!split) {
      for (const row of members) margins[row]! += leaf;
      return node;
    }
    const under: number[] = [];
    const over: number[] = [];
    const base = split.feature * count;
    for (const row of members) (bins[base + row]! <= split.bin ? under : over).push(row);
    tree.feature[node] = split.feature;
    tree.value[node] = edges[split.feature]![split.bin]!;
    tree.left[node] = grow(Int32Array.from(under), depth + 1);
    tree.right[node] = grow(Int32Array.from(over), depth + 1);
    return node;
  };
  grow(
    Int32Array.from({ length: count }, (_, row) => row),
    0,
  );
  return tree;
}

interface Split {
  readonly feature: number;
  /** Bins up to this one go left. */
  readonly bin: number;
}

function bestSplit(
  { rows, bins, edges, gradients, hessians, options }: Growth,
  members: Int32Array,
  gradient: number,
  hessian: number,
): Split | undefined {
  const count = rows.labels.length;
  const { lambda, minHessian, without } = options;
  const parent = (gradient * gradient) / (hessian + lambda);
  const sums = new Float64Array(2 * BINS);
  let best: Split | undefined;
  let bestGain = 1e-6;
  for (let feature = 0; feature < rows.features; feature++) {
    if (without?.has(feature)) continue;
    sums.fill(0);
    const base = feature * count;
    for (const row of members) {
      const slot = 2 * bins[base + row]!;
      sums[slot]! += gradients[row]!;
      sums[slot + 1]! += hessians[row]!;
    }
    let leftGradient = 0;
    let leftHessian = 0;
    for (let bin = 0; bin < edges[feature]!.length; bin++) {
      leftGradient += sums[2 * bin]!;
      leftHessian += sums[2 * bin + 1]!;
      const rightHessian = hessian - leftHessian;
      if (leftHessian < minHessian || rightHessian < minHessian) continue;
      const rightGradient = gradient - leftGradient;
      const gain =
        leftGradient ** 2 / (leftHessian + lambda) + rightGradient ** 2 / (rightHessian + lambda) - parent;
      if (gain > bestGain) {
        bestGain = gain;
        best = { feature, bin };
      }
    }
  }
  return best;
}

/** Up to BINS − 1 edges for each feature, at the quantiles of its values; bin `b` holds the values under edge `b`. */
function binEdges({ features, values, labels }: Rows): readonly Float32Array[] {
  const count = labels.length;
  const step = Math.max(1, Math.floor(count / 50_000));
  return Array.from({ length: features }, (_, feature) => {
    const sample: number[] = [];
    for (let row = 0; row < count; row += step) sample.push(values[row * features + feature]!);
    sample.sort((a, b) => a - b);
    const edges = new Set<number>();
    for (let bin = 1; bin < BINS; bin++) {
      const edge = sample[Math.floor((bin * sample.length) / BINS)]!;
      if (edge > sample[0]!) edges.add(edge);
    }
    return Float32Array.from(edges);
  });
}

function binRows({ features, values, labels }: Rows, edges: readonly Float32Array[]): Uint8Array {
  const count = labels.length;
  const bins = new Uint8Array(count * features);
  for (let feature = 0; feature < features; feature++) {
    const own = edges[feature]!;
    for (let row = 0; row < count; row++) {
      const value = values[row * features + feature]!;
      let bin = 0;
      while (bin < own.length && value >= own[bin]!) bin++;
      bins[feature * count + row] = bin;
    }
  }
  return bins;
}
