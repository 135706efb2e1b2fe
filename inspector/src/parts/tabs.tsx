/** Tabs: several panels in one place. Left and right move between them. */
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";

export interface Tab {
  readonly name: string;
  readonly content: () => ComponentChildren;
}

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const at = Math.min(chosen, tabs.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const next = (at + step + tabs.length) % tabs.length;
    setChosen(next);
    (event.currentTarget as HTMLElement).querySelectorAll("button")[next]?.focus();
  };
  return (
    <section class="panel side-panel">
      <div class="tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ name }, order) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${order}`}
            aria-selected={order === at}
            aria-controls={`${id}-panel`}
            tabIndex={order === at ? 0 : -1}
            onClick={() => setChosen(order)}
          >
            {name}
          </button>
        ))}
      </div>
      <div
        class="tab-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${at}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
        tabIndex={0}
      >
        {tabs[at]?.content()}
      </div>
    </section>
  );
}
