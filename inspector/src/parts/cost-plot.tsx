/** CostPlot: the cost so far and the size of the prompt, request by request, a line for each strategy. */
import type uPlot from "uplot";
import type { CostView, StrategyCost } from "../../../src/inspect/views.ts";
import { brief } from "../words.ts";
import { axis, Plot } from "./plot.tsx";

interface CostPlotProps {
  readonly view: CostView;
  readonly table: string;
}

/** As many as the style sheet has colours for. */
const colours = 9;

export function CostPlot({ view, table }: CostPlotProps) {
  const { strategies } = view;
  return (
    <div class="plots">
      <Lines
        title="Cost so far"
        strategies={strategies}
        keys={[view, table]}
        values={({ points }) => points.cost[table] ?? []}
        words={(value) => String(Number(value.toFixed(4)))}
      />
      <Lines
        title="Tokens in the prompt"
        strategies={strategies}
        keys={[view]}
        values={({ points }) => points.promptTokens}
        words={brief}
      />
      <ul class="legend">
        {strategies.map(({ name }, order) => (
          <li key={name} class="legend-kind">
            <i class="chip" style={{ background: `var(--line-${order % colours})` }} />
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface LinesProps {
  readonly title: string;
  readonly strategies: readonly StrategyCost[];
  readonly values: (strategy: StrategyCost) => readonly number[];
  readonly words: (value: number) => string;
  readonly keys: readonly unknown[];
}

function Lines({ title, strategies, values, words, keys }: LinesProps) {
  const x = [...new Set(strategies.flatMap(({ points }) => points.request))].toSorted((a, b) => a - b);
  const data = strategies.map((strategy) => {
    const known = new Map(
      strategy.points.request.map((request, at) => [request, values(strategy)[at] ?? null]),
    );
    return x.map((request) => known.get(request));
  });
  return (
    <figure class="panel">
      <h2>{title}</h2>
      <Plot
        label={`${title}, request by request. The table tells the sums.`}
        height={240}
        data={[x, ...data]}
        keys={keys}
        options={(colour): Omit<uPlot.Options, "width" | "height"> => ({
          legend: { show: false },
          cursor: { show: false },
          scales: { x: { time: false }, y: { range: (_, __, most) => [0, most * 1.05 || 1] } },
          axes: [
            axis(colour, { size: 30 }),
            axis(colour, { size: 54, values: (_, marks) => marks.map(words) }),
          ],
          series: [
            {},
            ...strategies.map((_, order) => ({
              stroke: colour(`--line-${order % colours}`),
              width: order === 0 ? 2.5 : 1.5,
              spanGaps: true,
              points: { show: false },
            })),
          ],
        })}
      />
    </figure>
  );
}
