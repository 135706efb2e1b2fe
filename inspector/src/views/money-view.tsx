/** MoneyView: what the conversation costs with and without Pith, by price table, and how that grows request by request. */
import { useEffect, useState } from "preact/hooks";
import type { CostView } from "../../../src/inspect/views.ts";
import { useLoaded } from "../loaded.ts";
import { CostPlot } from "../parts/cost-plot.tsx";
import { CostTable } from "../parts/cost-table.tsx";
import { Facts } from "../parts/facts.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StateNote } from "../parts/state-note.tsx";
import { canPreview, session } from "../session.ts";
import { source } from "../source.ts";
import { count, money, share } from "../words.ts";

const askAgainMs = 700;

export function MoneyView({ id }: { readonly id: string }) {
  const [window, setWindow] = useState<number | undefined>(undefined);
  const loaded = useLoaded((signal) => source.cost(id, window, signal), [id, window]);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const view = loaded.value;
  useEffect(() => {
    if (loaded.state !== "ready" || loaded.value.state !== "running") return;
    const timer = setTimeout(loaded.reload, askAgainMs);
    return () => clearTimeout(timer);
  }, [loaded.state, loaded.value]);
  const table = chosen ?? view?.tables[0];
  return (
    <>
      <PageHead title={id} conversation={id} />
      <StateNote of={loaded} what="the costs" />
      {view && (
        <>
          <p class="lead">
            The conversation held again, request by request, under each strategy: {count(view.requests)}{" "}
            requests, a window of {count(view.window)} tokens. Costs are in the currency of the price table.{" "}
            {view.state === "running" && <b>Still running …</b>}
          </p>
          {view.note && <p class={view.state === "failed" ? "fault" : "note"}>{view.note}</p>}
          {table !== undefined && view.strategies.length > 0 && (
            <>
              <Facts facts={headline(view, table)} />
              <div class="tools">
                <label>
                  Price table
                  <select value={table} onChange={(event) => setChosen(event.currentTarget.value)}>
                    {view.tables.map((name) => (
                      <option key={name}>{name}</option>
                    ))}
                  </select>
                </label>
                {canPreview() && (
                  <label>
                    Window
                    <input
                      type="number"
                      min="1000"
                      step="1000"
                      value={window ?? view.window}
                      onChange={({ currentTarget }) =>
                        currentTarget.checkValidity() && setWindow(currentTarget.valueAsNumber)
                      }
                    />
                  </label>
                )}
              </div>
              <CostTable view={view} table={table} />
              <CostPlot view={view} table={table} />
            </>
          )}
        </>
      )}
    </>
  );
}

/** Without Pith, and with the preset that costs least of those whose requests all fitted. */
function headline({ strategies, requests }: CostView, table: string) {
  const without = strategies.find(({ name }) => name === "nothing");
  const presets = new Set(session.value?.presets.map(({ name }) => name));
  const others = strategies.filter(({ name, failed }) => presets.has(name) && failed === 0);
  const best = others.toSorted((a, b) => a.cost[table]! - b.cost[table]!)[0];
  return [
    without && {
      name: "Without Pith",
      value: without.failed > 0 ? "Does not fit" : money(without.cost[table]!),
      more:
        without.failed > 0
          ? `${count(without.failed)} of ${count(requests)} requests are over the window`
          : `${share(without.cacheHits[table]!)} from the cache`,
    },
    best && {
      name: `With ${best.name}`,
      value: money(best.cost[table]!),
      more: `${share(best.cacheHits[table]!)} from the cache`,
    },
    without &&
      best &&
      without.failed === 0 && {
        name: "Saved",
        value: share(1 - best.cost[table]! / Math.max(without.cost[table]!, 1e-12)),
      },
  ];
}
