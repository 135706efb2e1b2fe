/** RowMap: all rows of a compaction in one strip, each as wide as its tokens were; where a lit row is shows at a glance. */
import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { CompactionView } from "../../../src/inspect/views.ts";
import { theme } from "../theme.ts";

interface RowMapProps {
  readonly view: CompactionView;
  readonly lit: Signal<readonly number[]>;
  readonly onPick: (row: number) => void;
}

const height = 34;

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
      aria-label="All messages in order: what was kept, changed and removed. The list below tells the same."
      onClick={pick}
    />
  );
}

/** Where each row starts, from 0 to 1. */
function paint(canvas: HTMLCanvasElement, view: CompactionView, lit: readonly number[]): readonly number[] {
  const scale = devicePixelRatio;
  const width = canvas.clientWidth;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d")!;
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const colours = {
    kept: colour("--kept"),
    changed: colour("--changed"),
    removed: colour("--removed"),
    added: colour("--accent"),
  };
  const sizes = view.rows.map(({ before, after }) => (before ?? after)?.tokens ?? 0);
  const total = Math.max(
    1,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  const starts: number[] = [];
  let x = 0;
  for (const [row, { change }] of view.rows.entries()) {
    starts.push(x / total);
    context.fillStyle = colours[change];
    context.fillRect((x / total) * width, 8, Math.max(0.5, (sizes[row]! / total) * width), height - 8);
    x += sizes[row]!;
  }
  context.fillStyle = colour("--ink");
  for (const row of lit) {
    const from = (starts[row] ?? 0) * width;
    const to = (starts[row + 1] ?? 1) * width;
    context.fillRect(from, 0, Math.max(3, to - from), 5);
  }
  return starts;
}
