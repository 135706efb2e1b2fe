/** Plot: a uPlot that follows the size of its place and the theme. To a screen reader it is a picture with a label. */
import { useLayoutEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { theme } from "../theme.ts";

export interface PlotProps {
  readonly label: string;
  readonly height: number;
  readonly data: uPlot.AlignedData;
  /** `colour` gives the value of a variable of the style sheet, such as `--ink`. */
  readonly options: (colour: (name: string) => string) => Omit<uPlot.Options, "width" | "height">;
  /** Drawn anew when one of them changes. */
  readonly keys: readonly unknown[];
}

export function Plot({ label, height, data, options, keys }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const shade = theme.value;
  // In the same frame as what stands around it.
  useLayoutEffect(() => {
    const element = place.current!;
    const style = getComputedStyle(element);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const size = () => ({ width: Math.max(120, element.clientWidth), height });
    const plot = new uPlot({ ...options(colour), ...size() }, data, element);
    const resized = new ResizeObserver(() => {
      if (plot.width !== size().width) plot.setSize(size());
    });
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [shade, height, ...keys]);
  return <div class="plot" ref={place} role="img" aria-label={label} style={{ minHeight: `${height}px` }} />;
}

/** An axis in the page's colours, its numbers short. */
export function axis(
  colour: (name: string) => string,
  more: Omit<uPlot.Axis, "stroke" | "grid" | "ticks"> = {},
): uPlot.Axis {
  const grid = { stroke: colour("--line"), width: 1 };
  return {
    stroke: colour("--muted"),
    grid,
    ticks: { ...grid, size: 4 },
    font: "12px system-ui",
    gap: 4,
    ...more,
  };
}
