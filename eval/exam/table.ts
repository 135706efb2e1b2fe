/** The tables of an exam: marks by group, kind and case, ratings, and how readers would go on; a column for each strategy. */
import { bootstrapMean } from "../figures/bootstrap.ts";
import { markdownTable } from "../figures/markdown-table.ts";
import { seededRandom } from "../figures/seeded-random.ts";
import type { Reading } from "./answers.ts";
import type { GoingMark, Marks } from "./marks.ts";

/** Something that was measured on one reader's work on one case. */
interface Measured {
  readonly strategy: string;
  readonly case: string;
  readonly value: number;
}

type Cell = (values: readonly Measured[]) => string;

export function examTables(readings: readonly Reading[], marks: Marks): string {
  const strategies = [...new Set(readings.map(({ strategy }) => strategy))].sort();
  const groups = [...new Set(readings.map(({ group }) => group))];
  const kinds = [...new Set(readings.flatMap((each) => each.answers.map(({ question }) => question.kind)))];
  const cases = [...new Set(readings.map((each) => each.case))];
  const marked = (keep: (reading: Reading, kind: string) => boolean): readonly Measured[] =>
    readings.flatMap((reading) =>
      reading.answers.flatMap(({ item, question }) =>
        typeof marks[item] === "number" && keep(reading, question.kind)
          ? [{ strategy: reading.strategy, case: reading.case, value: marks[item] }]
          : [],
      ),
    );
  const rated = (group: string): readonly Measured[] =>
    readings.flatMap(({ rating, ...reading }) =>
      rating !== undefined && reading.group === group ? [{ ...reading, value: rating }] : [],
    );
  const went = (group: string, count: (mark: GoingMark) => number): readonly Measured[] =>
    readings.flatMap((reading) => {
      const mark = reading.going && marks[reading.going.item];
      return typeof mark === "object" && reading.group === group ? [{ ...reading, value: count(mark) }] : [];
    });
  const table = (title: string, cell: Cell, rows: readonly (readonly [string, readonly Measured[]])[]) =>
    markdownTable([
      [title, ...strategies],
      ...rows.map(([label, values]) => [
        label,
        ...strategies.map((name) =>
          cellOf(
            values.filter(({ strategy }) => strategy === name),
            cell,
          ),
        ),
      ]),
    ]);
  return [
    table(
      "right, %",
      interval,
      groups.map((name) => [name, marked(({ group }) => group === name)]),
    ),
    table(
      "answers",
      counted,
      groups.map((name) => [name, marked(({ group }) => group === name)]),
    ),
    table(
      "could go on, 1 to 5",
      mean,
      groups.map((name) => [name, rated(name)]),
    ),
    table("going on, per case (all)", perCase, [
      ...groups.map((name) => [`${name}: done again`, went(name, ({ again }) => again)] as const),
      ...groups.map(
        (name) => [`${name}: against the record`, went(name, (mark) => mark.contradicts)] as const,
      ),
    ]),
    table(
      "right by kind, %",
      percent,
      kinds.map((name) => [name, marked((_, kind) => kind === name)]),
    ),
    table(
      "right by case, %",
      percent,
      cases.map((id) => [id, marked((reading) => reading.case === id)]),
    ),
    ...missing(readings, marks),
  ].join("\n\n");
}

function cellOf(values: readonly Measured[], cell: Cell): string {
  return values.length === 0 ? "–" : cell(values);
}

/** With the bounds of 95 % of the means of resampled cases. */
function interval(values: readonly Measured[]): string {
  const byCase = [...Map.groupBy(values, (each) => each.case).values()];
  const groups = byCase.map((own) => own.map(({ value }) => value * 100));
  const found = bootstrapMean(groups, seededRandom(1, values[0]!.strategy));
  return `${found.mean.toFixed(1)} (${found.low.toFixed(0)}–${found.high.toFixed(0)})`;
}

function counted(values: readonly Measured[]): string {
  return String(values.length);
}

function mean(values: readonly Measured[]): string {
  return (sumOf(values) / values.length).toFixed(2);
}

function percent(values: readonly Measured[]): string {
  return ((sumOf(values) / values.length) * 100).toFixed(1);
}

function perCase(values: readonly Measured[]): string {
  return `${mean(values)} (${sumOf(values)})`;
}

function sumOf(values: readonly Measured[]): number {
  return values.reduce((sum, { value }) => sum + value, 0);
}

function missing(readings: readonly Reading[], marks: Marks): readonly string[] {
  const items = readings.flatMap(({ answers, going }) => [...answers, ...(going ? [going] : [])]);
  const unmarked = items.filter(({ item }) => marks[item] === undefined).length;
  return unmarked > 0 ? [`${unmarked} of ${items.length} items are not marked.`] : [];
}
