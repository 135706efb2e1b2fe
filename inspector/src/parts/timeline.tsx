/**
 * Timeline: how full the context was, message by message, stacked by kind, with thresholds, compactions and the sizes that
 * a provider reported. A compaction is a button on it; a click elsewhere leads to the message.
 */
import { useMemo, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";
import type { CompactionMark, ConversationView } from "../../../src/inspect/views.ts";
import { type Fill, fillOf, kindWords } from "../fill.ts";
import { brief, count } from "../words.ts";
import { drawThresholds } from "./draw-thresholds.ts";
import { axis, Plot } from "./plot.tsx";

interface TimelineProps {
  readonly view: ConversationView;
  readonly onOpen: (compaction: string) => void;
  readonly onPick: (position: number) => void;
}

const height = 260;
/** What stands at the left and at the right of the area that is drawn on. */
const axisWidth = 46;
const rightPadding = 20;

export function Timeline({ view, onOpen, onPick }: TimelineProps) {
  const fill = useMemo(() => fillOf(view), [view]);
  const data = useMemo(() => dataOf(fill, view), [fill]);
  const [at, setAt] = useState<number | undefined>(undefined);
  const top = highest(view, fill);
  const latest = useRef({ onPick });
  latest.current = { onPick };

  const options = (colour: (name: string) => string): Omit<uPlot.Options, "width" | "height"> => ({
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { time: false }, y: { range: [0, top] } },
    padding: [18, rightPadding, 0, 0],
    axes: [
      axis(colour, {
        size: 30,
        values: (_, marks) => marks.map((mark) => (mark % 1 === 0 ? count(mark) : "")),
      }),
      axis(colour, { size: axisWidth, values: (_, marks) => marks.map(brief) }),
    ],
    series: [
      {},
      ...fill.layers.toReversed().map(({ kind }) => ({
        stroke: colour(`--kind-${kind}`),
        fill: colour(`--kind-${kind}`),
        width: 0,
        points: { show: false },
      })),
      ...(view.usage.length > 0 ? [reportedSizes(colour)] : []),
    ],
    hooks: {
      draw: [(plot) => drawThresholds(plot, view, colour)],
      setCursor: [(plot) => setAt(plot.cursor.idx ?? undefined)],
      ready: [
        (plot) =>
          plot.over.addEventListener("click", () => {
            const position = fill.x[plot.cursor.idx ?? -1];
            if (position !== undefined) latest.current.onPick(Math.max(0, Math.ceil(position)));
          }),
      ],
    },
  });

  return (
    <figure class="timeline">
      <div class="timeline-plot">
        <Plot label={described(view, fill)} height={height} data={data} options={options} keys={[view]} />
        {view.compactions.map((mark, order) => (
          <button
            key={mark.id}
            type="button"
            class={mark.undone ? "mark undone" : "mark"}
            style={{ left: placeOf(mark, fill) }}
            onClick={() => onOpen(mark.id)}
            title={markWords(mark)}
            aria-label={`Open compaction ${order + 1}: ${markWords(mark)}`}
          >
            {order + 1}
          </button>
        ))}
      </div>
      <Legend fill={fill} at={at ?? fill.x.length - 1} hasUsage={view.usage.length > 0} />
    </figure>
  );
}

function Legend({ fill, at, hasUsage }: { fill: Fill; at: number; hasUsage: boolean }) {
  return (
    <figcaption class="legend">
      <span class="legend-at">
        After message {count(Math.floor(fill.x[at] ?? 0))}: <b>{count(fill.layers.at(-1)?.top[at] ?? 0)}</b>
      </span>
      {fill.layers.map(({ kind, tokens }) => (
        <span key={kind} class="legend-kind">
          <i class="chip" style={{ background: `var(--kind-${kind})` }} />
          {kindWords[kind]} <b>{count(tokens[at] ?? 0)}</b>
        </span>
      ))}
      {hasUsage && (
        <span class="legend-kind">
          <i class="chip dot" /> reported by the provider
        </span>
      )}
    </figcaption>
  );
}

/** uPlot draws the first series first: the whole stack, then what is left of it without its top, and so on. */
function dataOf({ x, layers }: Fill, view: ConversationView): uPlot.AlignedData {
  const tops = layers.map(({ top }) => top as number[]).toReversed();
  if (view.usage.length === 0) return [x as number[], ...tops];
  const reported = new Map(view.usage.map(({ position, tokens }) => [position, tokens]));
  return [x as number[], ...tops, x.map((position) => reported.get(position) ?? null)];
}

/** Points without a line. */
function reportedSizes(colour: (name: string) => string): uPlot.Series {
  const ink = colour("--ink");
  return { stroke: ink, width: 0, paths: () => null, points: { show: true, size: 4, fill: ink, width: 0 } };
}

/** Where a compaction stands, for the style sheet: it stays right whatever the width. */
function placeOf({ position }: CompactionMark, { x }: Fill): string {
  const [first = 0, last = 0] = [x[0], x.at(-1)];
  const share = last > first ? Math.min(1, (position - 0.5 - first) / (last - first)) : 1;
  return `calc(${axisWidth}px + (100% - ${axisWidth + rightPadding}px) * ${share})`;
}

/** The window is in the picture unless the conversation is small beside it. */
function highest(view: ConversationView, fill: Fill): number {
  const reported = view.usage.reduce((most, { tokens }) => Math.max(most, tokens), 1);
  const most = Math.max(reported, fill.most) * 1.06;
  return view.window !== undefined && most > view.window / 4 ? Math.max(most, view.window * 1.04) : most;
}

function markWords({ tokensBefore, tokensAfter, position, undone }: CompactionMark): string {
  const sizes = `${count(tokensBefore)} to ${count(tokensAfter)} tokens before message ${count(position)}`;
  return undone ? `${sizes}, undone` : sizes;
}

function described(view: ConversationView, fill: Fill): string {
  return `Fill over ${count(view.messages)} messages: at most ${count(fill.most)} tokens, ${count(view.tokens)} now, ${count(view.compactions.length)} compactions.`;
}
