/** Quality of values: how many of the specifics that were used later the best ones hold, within a share of the room for all. */
import type { Example } from "./examples.ts";

/** The mean over examples, in per cent. `chanceOf` tells the value of a row. */
export function qualityOf(
  examples: readonly Example[],
  chanceOf: (row: Float32Array) => number,
  share: number,
): number {
  let sum = 0;
  for (const { features, labels } of examples) {
    const width = features.length / labels.length;
    const items = Array.from(labels, (label, at) => {
      const row = features.subarray(at * width, (at + 1) * width);
      const cost = 3 + Math.min(40, row[0]!) / 3.6;
      return { label, cost, worth: chanceOf(row) / cost };
    }).sort((a, b) => b.worth - a.worth);
    let room = share * items.reduce((total, { cost }) => total + cost, 0);
    let held = 0;
    for (const { label, cost } of items) {
      if (cost > room) continue;
      room -= cost;
      held += label;
    }
    sum +=
      held /
      Math.max(
        1,
        labels.reduce((total, label) => total + label, 0),
      );
  }
  return (100 * sum) / Math.max(1, examples.length);
}
