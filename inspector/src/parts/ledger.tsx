/** Ledger: the facts that were read from what was left out, by section, and whether the hand-off tells them. */
import { useState } from "preact/hooks";
import type { LedgerLine, LedgerSectionView } from "../../../src/inspect/views.ts";
import { visibleText } from "../visible-text.ts";
import { count } from "../words.ts";
import { MoreButton } from "./more-button.tsx";

const step = 200;

export function Ledger({ sections }: { readonly sections: readonly LedgerSectionView[] }) {
  if (sections.length === 0) return <p class="note">The ledger is empty.</p>;
  return (
    <div class="ledger">
      {sections.map(({ name, lines }) => (
        <details key={name} open={lines.length <= 40}>
          <summary>
            {name} <span class="note">{count(lines.length)}</span>
          </summary>
          <Lines lines={lines} />
        </details>
      ))}
    </div>
  );
}

function Lines({ lines }: { readonly lines: readonly LedgerLine[] }) {
  const [shown, setShown] = useState(step);
  return (
    <>
      <ul>
        {lines.slice(0, shown).map(({ text, told, mustKeep }, order) => (
          <li key={order} class={told ? "told" : "untold"}>
            <span dir="auto">{visibleText(text)}</span>
            {mustKeep && <span class="badge">must keep</span>}
            {!told && <span class="badge faint">not in the hand-off</span>}
          </li>
        ))}
      </ul>
      <MoreButton left={lines.length - shown} onMore={() => setShown(shown + step)} />
    </>
  );
}
