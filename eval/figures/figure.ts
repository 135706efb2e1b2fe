/** Figure: the rows of one source, kind and strategy in one line of numbers. */
import { bootstrapMean, type Interval } from "./bootstrap.ts";
import type { Row } from "./row.ts";
import { seededRandom } from "./seeded-random.ts";

export interface Figure {
  readonly source: string;
  readonly kind: string;
  readonly strategy: string;
  readonly conversations: number;
  readonly cases: number;
  readonly probes: number;
  readonly held: Interval;
  readonly verbatim: number;
  /** Mean share of the target that was used. */
  readonly used: number;
  readonly over: number;
  readonly errors: number;
}

/** The figures in the order in which their rows first came. */
export function figuresOf(rows: readonly Row[], seed: number): readonly Figure[] {
  const cells = Map.groupBy(rows, ({ source, kind, strategy }) => `${source}|${kind}|${strategy}`);
  return [...cells].map(([label, cell]) => {
    const { source, kind, strategy } = cell[0]!;
    const conversations = Map.groupBy(cell, ({ conversation }) => conversation);
    const held = [...conversations.values()].map((group) => group.map((row) => row.held));
    return {
      source,
      kind,
      strategy,
      conversations: conversations.size,
      cases: cell.length,
      probes: sumOf(cell, ({ probes }) => probes),
      held: bootstrapMean(held, seededRandom(seed, label)),
      verbatim: sumOf(cell, ({ verbatim }) => verbatim) / cell.length,
      used: sumOf(cell, ({ tokens, targetTokens }) => tokens / targetTokens) / cell.length,
      over: cell.filter(({ over }) => over).length,
      errors: cell.filter(({ error }) => error !== undefined).length,
    };
  });
}

function sumOf(rows: readonly Row[], value: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + value(row), 0);
}
