/**
 * RowMap: all messages of a compaction in two bars, before and after, each message as wide as its tokens; where a lit row is
 * shows at a glance.
 */
import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { CompactionView } from "../../../src/inspect/views.ts";
import { theme } from "../theme.ts";
import { tokensAfter } from "../tokens-after.ts";

interface RowMapProps {
  readonly view: CompactionView;
  readonly lit: Signal<readonly number[]>;
  readonly onPick: (row: number) => void;
}

const [height, lightHeight, barHeight] = [50, 5, 18];

export function RowMap({ view, lit, onPick }: RowMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const starts = useRef<readonly number[]>([]);
  const shade = theme.value;
  const sources = lit.value;
  useEffect(() => {
    const element = canvas.current!;
    const draw = () => {
      starts.current = paint(element, view, sources);
    };
    draw();
    const resized = new ResizeObserver(draw);
    resized.observe(element);
    return () => resized.disconnect();
  }, [view, shade, sources]);
  const pick = (event: MouseEvent) => {
    const x = event.offsetX / canvas.current!.clientWidth;
    const after = starts.current.findIndex((start) => start > x);
    onPick((after < 0 ? view.rows.length : after) - 1);
  };
  return (
    <canvas
      class="row-map"
      ref={canvas}
      role="img"
      aria-label="All messages before and after: what was kept, changed and removed. The list below tells the same."
      title="Above: before. Below: after. Click to go to a message."
      onClick={pick}
    />
  );
}

/** Where each row starts in the upper bar, from 0 to 1. */
function paint(canvas: HTMLCanvasElement, view: CompactionView, lit: readonly number[]): readonly number[] {
  const width = canvas.clientWidth;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  const context = canvas.getContext("2d")!;
  context.scale(devicePixelRatio, devicePixelRatio);
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const colours = {
    kept: colour("--kept"),
    changed: colour("--changed"),
    removed: colour("--removed"),
    added: colour("--accent"),
  };
  const before = view.rows.map((row) => row.before?.tokens ?? 0);
  const after = view.rows.map(tokensAfter);
  const scale = width / Math.max(1, sum(before), sum(after));
  const colourOf = (row: number) =>
    row === view.handOff?.row ? colours.added : colours[view.rows[row]!.change];
  const bar = (sizes: readonly number[], top: number): readonly number[] => {
    let x = 0;
    return sizes.map((size, row) => {
      const start = x;
      x += size * scale;
      context.fillStyle = colourOf(row);
      if (size > 0) context.fillRect(start, top, Math.max(0.5, size * scale), barHeight);
      return start;
    });
  };
  const starts = bar(before, lightHeight + 3);
  bar(after, lightHeight + barHeight + 6);
  context.fillStyle = colour("--ink");
  for (const row of lit) {
    context.fillRect(starts[row] ?? 0, 0, Math.max(3, (before[row] ?? 0) * scale), lightHeight);
  }
  return starts.map((start) => start / Math.max(1, width));
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all + size, 0);
}
