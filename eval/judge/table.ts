/** The table of the judge: a line for each row, a column for each package, and what lies between them. */
import { markdownTable } from "../figures/markdown-table.ts";
import { sumOf } from "../said/said.ts";
import { differenceOf, sumsByCase } from "./difference.ts";
import type { Score } from "./judge.ts";

export interface Column {
  readonly name: string;
  readonly scores: readonly Score[];
}

export interface TableOptions {
  /** One figure: all rows whose names begin so, counted as one. */
  readonly row?: string | undefined;
}

/** One row is looked at with 90 %; of sixty rows one in ten would differ by chance. */
const levelOfOne = 0.9;
const levelOfAll = 0.99;

export function judgeTable([ours, theirs]: readonly Column[], { row: only }: TableOptions = {}): string {
  const level = only === undefined ? levelOfAll : levelOfOne;
  const rows = rowsOf(ours!.scores, only);
  const head = ["row", "cases", ours!.name];
  if (theirs) head.push(theirs.name, "difference", `${level * 100} %`, "verdict");
  const others = rowsOf(theirs?.scores ?? [], only);
  const lines = inOrder([...rows.keys()]).map((row) => {
    const own = rows.get(row)!;
    const line = [row, String(sumsByCase(own).size), figure(row, own)];
    const other = others.get(row);
    if (!theirs) return line;
    return other
      ? [...line, figure(row, other), ...between(row, own, other, level)]
      : [...line, "", "", "", ""];
  });
  return markdownTable([head, ...lines]);
}

function rowsOf(scores: readonly Score[], only: string | undefined): ReadonlyMap<string, readonly Score[]> {
  if (only === undefined) return Map.groupBy(scores, ({ row }) => row);
  const own = scores.filter(({ row }) => row === only || row.startsWith(`${only}/`));
  return new Map(own.length > 0 ? [[only, own]] : []);
}

/** Rows of one figure stay together, in the order in which the figures first came; faults and time come last. */
function inOrder(rows: readonly string[]): readonly string[] {
  const figures = [...new Set(rows.map(figureOf))];
  const last = ["faults", "time"];
  const rank = (row: string) => figures.indexOf(figureOf(row)) + 1000 * (last.indexOf(figureOf(row)) + 1);
  return rows.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function figureOf(row: string): string {
  return row.split("/")[0]!;
}

function figure(row: string, scores: readonly Score[]): string {
  const { held, all } = sumOf(scores);
  if (figureOf(row) === "time") return (held / all).toFixed(2);
  if (figureOf(row) === "faults") return String(held);
  return all === 0 ? "–" : ((100 * held) / all).toFixed(1);
}

function between(
  row: string,
  ours: readonly Score[],
  theirs: readonly Score[],
  level: number,
): readonly string[] {
  const fewerIsBetter = ["faults", "time"].includes(figureOf(row));
  const { mean, low, high, verdict } = differenceOf(ours, theirs, { level, fewerIsBetter });
  const scale = { time: 1, faults: sumOf(ours).all }[figureOf(row)] ?? 100;
  const signed = (value: number) => `${value > 0 ? "+" : ""}${(value * scale).toFixed(1)}`;
  // Time is information: two runs on a busy machine differ without a reason.
  return [signed(mean), `${signed(low)} to ${signed(high)}`, figureOf(row) === "time" ? "" : verdict];
}
