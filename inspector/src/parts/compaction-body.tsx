/** CompactionBody: everything about one compaction, carried out or only planned. */
import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { CompactionView } from "../../../src/inspect/views.ts";
import { count, many, share, stageWords } from "../words.ts";
import { Audit } from "./audit.tsx";
import { CompactionRows, type Pinning } from "./compaction-rows.tsx";
import { Facts } from "./facts.tsx";
import { HandOff } from "./hand-off.tsx";
import { Ledger } from "./ledger.tsx";
import { RowMap } from "./row-map.tsx";
import { Tabs } from "./tabs.tsx";

interface CompactionBodyProps {
  readonly view: CompactionView;
  readonly pinning?: Pinning;
}

export function CompactionBody({ view, pinning }: CompactionBodyProps) {
  const lit = useSignal<readonly number[]>([]);
  const [scrollTo, setScrollTo] = useState<{ row: number } | undefined>(undefined);
  const { handOff, ledger, audit } = view;
  const pick = (row: number) => setScrollTo({ row });
  return (
    <>
      <Facts facts={factsOf(view)} />
      <RowMap view={view} lit={lit} onPick={pick} />
      <Stages view={view} />
      <div class="two">
        <CompactionRows view={view} lit={lit} scrollTo={scrollTo} pinning={pinning} />
        <Tabs
          label="About this compaction"
          tabs={[
            {
              name: "Hand-off",
              content: () =>
                handOff ? (
                  <HandOff handOff={handOff} lit={lit} rows={view.rows} onPick={pick} />
                ) : (
                  <p class="note">There is no hand-off: nothing was left out whole.</p>
                ),
            },
            { name: "Ledger", content: () => <Ledger sections={ledger} /> },
            { name: "Audit", content: () => <Audit audit={audit} /> },
          ]}
        />
      </div>
    </>
  );
}

function Stages({ view }: { readonly view: CompactionView }) {
  return (
    <ul class="stages" aria-label="What each step saved">
      {view.stages.map(({ stage, tokensSaved, messages }) => (
        <li key={stage}>
          {stageWords(stage)} <b>{count(tokensSaved)}</b>{" "}
          <span class="note">{many(messages, "message")}</span>
        </li>
      ))}
      {(["kept", "changed", "removed", "added"] as const)
        .map((change) => ({ change, rows: view.rows.filter((row) => row.change === change).length }))
        .filter(({ rows }) => rows > 0)
        .map(({ change, rows }) => (
          <li key={change} class="key">
            <i class={`chip is-${change}`} />
            {change} <b>{count(rows)}</b>
          </li>
        ))}
    </ul>
  );
}

function factsOf(view: CompactionView) {
  const { tokensBefore, tokensAfter, mustKeeps, promptTokensBefore, promptTokensAfter, cost } = view;
  return [
    {
      name: "Tokens",
      value: `${count(tokensBefore)} → ${count(tokensAfter)}`,
      more: `${share(tokensBefore > 0 ? (tokensBefore - tokensAfter) / tokensBefore : 0)} saved`,
    },
    view.targetTokens > 0 && {
      name: "Target",
      value: count(view.targetTokens),
      more: `preset ${view.preset}`,
    },
    promptTokensBefore !== undefined &&
      promptTokensAfter !== undefined && {
        name: "Whole request",
        value: `${count(promptTokensBefore)} → ${count(promptTokensAfter)}`,
        more: view.window === undefined ? undefined : `window ${count(view.window)}`,
      },
    mustKeeps && {
      name: "Must-keeps told",
      value: `${count(mustKeeps.told)} of ${count(mustKeeps.total)}`,
    },
    cost && {
      name: "Next request costs",
      value: `${count(Math.round(cost.before))} → ${count(Math.round(cost.after))}`,
      more: "in fresh input tokens",
    },
  ];
}
