/** CostTable: the strategies side by side, in figures. */
import type { CostView } from "../../../src/inspect/views.ts";
import { count, money, share } from "../words.ts";

export function CostTable({ view, table }: { readonly view: CostView; readonly table: string }) {
  return (
    <section
      class="table-box"
      aria-label="Costs of each strategy"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            {[
              "Strategy",
              "Cost",
              "From the cache",
              "Prompt tokens",
              "Largest prompt",
              "Compactions",
              "Did not fit",
            ].map((words) => (
              <th key={words} scope="col" class={words === "Strategy" ? undefined : "number"}>
                {words}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {view.strategies.map((strategy) => (
            <tr key={strategy.name}>
              <th scope="row">{strategy.name === "nothing" ? "nothing (without Pith)" : strategy.name}</th>
              <td class="number">{money(strategy.cost[table] ?? 0)}</td>
              <td class="number">{share(strategy.cacheHits[table] ?? 0)}</td>
              <td class="number">{count(strategy.promptTokens)}</td>
              <td class="number">{count(strategy.largestPromptTokens)}</td>
              <td class="number">{count(strategy.compactions)}</td>
              <td class="number">
                {strategy.failed > 0 ? <b class="bad">{count(strategy.failed)}</b> : "0"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
