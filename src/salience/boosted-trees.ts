/** BoostedTrees: a sum of small decision trees, read from plain JSON and asked many thousand times. */

/** A tree as lists, node 0 its root: `feature[n] < 0` marks a leaf that adds `value[n]`; else what is under `value[n]` goes `left[n]`. */
export interface Tree {
  readonly feature: readonly number[];
  readonly value: readonly number[];
  readonly left: readonly number[];
  readonly right: readonly number[];
}

export interface BoostedTrees {
  readonly bias: number;
  readonly trees: readonly Tree[];
}

/**
 * The chance, by the trees, of a row of features, as a function. All trees are laid out as complete ones of one depth:
 * the children of node n are 2n + 1 and 2n + 2, so that no step asks whether it has come to a leaf.
 */
export function compileTrees({ bias, trees }: BoostedTrees): (row: Float32Array) => number {
  const depth = Math.max(0, ...trees.map((tree) => depthOf(tree, 0)));
  const inner = 2 ** depth - 1;
  const features = new Uint8Array(trees.length * inner);
  const bounds = new Float32Array(trees.length * inner);
  const leaves = new Float32Array(trees.length * (inner + 1));
  trees.forEach((tree, order) => {
    const lay = (node: number, place: number): void => {
      const isLeaf = tree.feature[node]! < 0;
      if (place >= inner) {
        leaves[order * (inner + 1) + place - inner] = tree.value[node]!;
        return;
      }
      features[order * inner + place] = isLeaf ? 0 : tree.feature[node]!;
      bounds[order * inner + place] = isLeaf ? 0 : tree.value[node]!;
      lay(isLeaf ? node : tree.left[node]!, 2 * place + 1);
      lay(isLeaf ? node : tree.right[node]!, 2 * place + 2);
    };
    lay(0, 0);
  });
  const count = trees.length;
  return (row) => {
    let margin = bias;
    for (let tree = 0; tree < count; tree++) {
      const base = tree * inner;
      let place = 0;
      while (place < inner)
        place = 2 * place + (row[features[base + place]!]! < bounds[base + place]! ? 1 : 2);
      margin += leaves[base + tree + place - inner]!;
    }
    return 1 / (1 + Math.exp(-margin));
  };
}

function depthOf(tree: Tree, node: number): number {
  if (tree.feature[node]! < 0) return 0;
  return 1 + Math.max(depthOf(tree, tree.left[node]!), depthOf(tree, tree.right[node]!));
}
