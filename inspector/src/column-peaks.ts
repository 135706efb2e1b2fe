/** columnPeaks: of the points of a series that fall into one column of pixels, the highest, so that no peak is lost. */
export interface Points {
  /** It grows: the points of a column stand together. */
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** The first and the last that are looked at. */
  readonly from: number;
  readonly to: number;
  readonly columnOf: (x: number) => number;
}

export function columnPeaks({ x, y, from, to, columnOf }: Points): {
  readonly columns: readonly number[];
  readonly peaks: readonly number[];
} {
  const columns: number[] = [];
  const peaks: number[] = [];
  let column = Number.NaN;
  for (let at = from; at <= to; at++) {
    const value = y[at]!;
    const next = columnOf(x[at]!);
    if (next !== column) {
      columns.push(next);
      peaks.push(value);
      column = next;
    } else if (value > peaks[peaks.length - 1]!) peaks[peaks.length - 1] = value;
  }
  return { columns, peaks };
}
