/** HandOff: the message that stands for what was left out, line by line; the sources of a line light up in the list. */
import type { Signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CompactionRow, HandOffView } from "../../../src/inspect/views.ts";
import { moveFocus } from "../arrow-keys.ts";
import { visibleText } from "../visible-text.ts";
import { MoreButton } from "./more-button.tsx";
import { whoSays } from "./side.tsx";

interface HandOffProps {
  readonly handOff: HandOffView;
  readonly lit: Signal<readonly number[]>;
  readonly rows: readonly CompactionRow[];
  /** Brings a row into sight. */
  readonly onPick: (row: number) => void;
}

const none: readonly number[] = [];
const step = 60;
/** A pointer that only passes over a line moves nothing. */
const restMs = 200;

export function HandOff({ handOff, lit, rows, onPick }: HandOffProps) {
  const [shown, setShown] = useState(step);
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(resting.current), []);
  const light = (sources: readonly number[]) => {
    lit.value = sources;
    clearTimeout(resting.current);
    if (sources.length > 0) resting.current = setTimeout(() => onPick(sources[0]!), restMs);
  };
  const firstStop = handOff.lines.findIndex(({ sources }) => sources.length > 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys only move between the buttons in it
    <div class="hand-off" onKeyDown={(event) => moveFocus(event, "button")} onMouseLeave={() => light(none)}>
      <Hint lit={lit} rows={rows} />
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

/** Apart from the lines, so that they are not drawn anew whenever another one is pointed at. */
function Hint({ lit, rows }: Pick<HandOffProps, "lit" | "rows">) {
  return (
    <p class="note hint" role="status">
      {lit.value.length > 0
        ? `From ${lit.value.map((row) => nameOf(rows[row])).join(", ")}`
        : "Rest on a line, or move to it with the arrow keys: the messages it comes from light up."}
    </p>
  );
}

/** `#12 Tool results read_file` */
function nameOf(row: CompactionRow | undefined): string {
  const side = row?.before ?? row?.after;
  if (!side) return "a message";
  return [side.position >= 0 && `#${side.position}`, whoSays(side), visibleText(side.tools.join(", "))]
    .filter(Boolean)
    .join(" ");
}
