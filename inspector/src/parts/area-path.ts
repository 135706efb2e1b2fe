/** areaPath: the area below a series of a plot, with at most one point in each column of pixels. */
import type uPlot from "uplot";
import { columnPeaks } from "../column-peaks.ts";

export const areaPath: uPlot.Series.PathBuilder = (plot, series, from, to) => {
  const { left, top, width, height } = plot.bbox;
  const { min, max } = plot.scales.x as { min: number; max: number };
  const { columns, peaks } = columnPeaks({
    x: plot.data[0],
    y: plot.data[series] as readonly number[],
    from,
    to,
    columnOf: (value) => Math.round(left + ((value - min) * width) / (max - min)),
  });
  const fill = new Path2D();
  fill.moveTo(columns[0]!, top + height);
  for (let order = 0; order < columns.length; order++)
    fill.lineTo(columns[order]!, plot.valToPos(peaks[order]!, "y", true));
  fill.lineTo(columns.at(-1)!, top + height);
  return { fill };
};
