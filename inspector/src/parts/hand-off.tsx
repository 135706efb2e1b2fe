/** HandOff: the message that stands for what was left out, line by line; the sources of a line light up in the list. */
import type { Signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { HandOffView } from "../../../src/inspect/views.ts";
import { moveFocus } from "../arrow-keys.ts";
import { visibleText } from "../visible-text.ts";
import { MoreButton } from "./more-button.tsx";

interface HandOffProps {
  readonly handOff: HandOffView;
  readonly lit: Signal<readonly number[]>;
  /** Leads to a row. */
  readonly onPick: (row: number) => void;
}

const none: readonly number[] = [];
const step = 200;

export function HandOff({ handOff, lit, onPick }: HandOffProps) {
  const [shown, setShown] = useState(step);
  const light = (rows: readonly number[]) => {
    lit.value = rows;
  };
  const firstStop = handOff.lines.findIndex(({ sources }) => sources.length > 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys only move between the buttons in it
    <div class="hand-off" onKeyDown={(event) => moveFocus(event, "button")} onMouseLeave={() => light(none)}>
      <p class="note">
        Rest on a line, or move to it with the arrow keys: its sources light up. Choose it to go there.
      </p>
      {handOff.lines.slice(0, shown).map(({ text, heading, sources }, order) => {
        const words = visibleText(text) || " ";
        if (heading) return <h3 key={order}>{words.replace(/^#+\s*/, "")}</h3>;
        if (sources.length === 0)
          return (
            <p key={order} class="line" dir="auto">
              {words}
            </p>
          );
        return (
          <button
            key={order}
            type="button"
            class="line sourced"
            dir="auto"
            tabIndex={order === firstStop ? 0 : -1}
            onMouseEnter={() => light(sources)}
            onFocus={() => light(sources)}
            onClick={() => onPick(sources[0]!)}
          >
            {words}
          </button>
        );
      })}
      <MoreButton left={handOff.lines.length - shown} onMore={() => setShown(shown + step)} />
    </div>
  );
}
