/** CompactionRows: before and after side by side, message by message, each with what was done to it and why. */
import type { Signal } from "@preact/signals";
import { useMemo, useState } from "preact/hooks";
import type { CompactionRow, CompactionView, SideView } from "../../../src/inspect/views.ts";
import { changeWords } from "../change-words.ts";
import { rowHeight } from "../media.ts";
import { count, stageWords } from "../words.ts";
import { RowSheet } from "./row-sheet.tsx";
import { Side } from "./side.tsx";
import { VirtualList } from "./virtual-list.tsx";

/** Lets a person hold messages in a plan that was not carried out yet. */
export interface Pinning {
  readonly isPinned: (position: number) => boolean;
  readonly toggle: (position: number) => void;
}

interface CompactionRowsProps {
  readonly view: CompactionView;
  /** The rows that are lit, as the sources of a line. */
  readonly lit: Signal<readonly number[]>;
  readonly scrollTo: { readonly row: number } | undefined;
  readonly pinning?: Pinning | undefined;
}

export function CompactionRows({ view, lit, scrollTo, pinning }: CompactionRowsProps) {
  const [open, setOpen] = useState<number | undefined>(undefined);
  const [all, setAll] = useState(true);
  const shown = useMemo(
    () => view.rows.flatMap(({ change }, row) => (all || change !== "kept" ? [row] : [])),
    [view, all],
  );
  const target = useMemo(() => {
    const row = scrollTo ? shown.findIndex((each) => each >= scrollTo.row) : -1;
    return row >= 0 ? { row } : undefined;
  }, [scrollTo, shown]);
  return (
    <section class={pinning ? "panel flush with-pins" : "panel flush"} aria-labelledby="rows-head">
      <div class="panel-head">
        <h2 id="rows-head">Before and after</h2>
        <label class="check">
          <input type="checkbox" checked={!all} onChange={() => setAll(!all)} />
          Only what changed
        </label>
      </div>
      <div class="pair-heads" aria-hidden="true">
        <span>Before</span>
        <span>After</span>
        <span>What was done, and why</span>
      </div>
      <VirtualList
        label="Before and after, message by message"
        count={shown.length}
        rowHeight={rowHeight({ narrow: 132, wide: 76 })}
        maxHeight="72vh"
        scrollTo={target}
        renderRow={(at, isActive) => {
          const row = view.rows[shown[at]!]!;
          return (
            <Row
              row={row}
              isLit={lit.value.includes(shown[at]!)}
              isActive={isActive}
              onOpen={() => setOpen(shown[at]!)}
              pinning={pinning}
            />
          );
        }}
      />
      {open !== undefined && view.rows[open] && (
        <RowSheet view={view} at={open} onMove={setOpen} onClose={() => setOpen(undefined)} />
      )}
    </section>
  );
}

interface RowProps {
  readonly row: CompactionRow;
  readonly isLit: boolean;
  readonly isActive: boolean;
  readonly onOpen: () => void;
  readonly pinning?: Pinning | undefined;
}

function Row({ row, isLit, isActive, onOpen, pinning }: RowProps) {
  const { before, after, change } = row;
  const position = before?.position ?? -1;
  const isPinned = row.pinned || pinning?.isPinned(position);
  return (
    <div class={`pair is-${change}${isLit ? " lit" : ""}`}>
      <button type="button" class="pair-open" data-row-button tabIndex={isActive ? 0 : -1} onClick={onOpen}>
        <span class="pair-before">{before ? <Side side={before} /> : <span class="none" />}</span>
        <span class="pair-after">
          {change === "kept" && <span class="none">as it was</span>}
          {change === "removed" && <span class="none">removed</span>}
          {after && change !== "kept" && <Side side={after} />}
        </span>
        <span class="pair-why">
          <b>{whatWasDone(row, Boolean(isPinned))}</b>
          {row.saved !== 0 && <span class="saved">{saved(row.saved)}</span>}
          {row.reason && <span class="reason">{row.reason}</span>}
        </span>
      </button>
      {pinning && before && canBePinned(before) && (
        <button
          type="button"
          class="pin"
          aria-pressed={Boolean(isPinned)}
          aria-label={`Pin message ${position}`}
          title={isPinned ? "Pinned: it stays whole" : "Pin: it must stay whole"}
          tabIndex={isActive ? 0 : -1}
          onClick={() => pinning.toggle(position)}
        >
          {isPinned ? "Pinned" : "Pin"}
        </button>
      )}
    </div>
  );
}

function whatWasDone({ change, stage }: CompactionRow, isPinned: boolean): string {
  if (stage && change !== "added") return stageWords(stage, change);
  return isPinned ? "Pinned" : changeWords[change];
}

/** The system prompt stays anyway, and an earlier hand-off is always folded into the next. */
function canBePinned({ position, role, kind }: SideView): boolean {
  return position >= 0 && role !== "system" && kind !== "handOff";
}

function saved(tokens: number): string {
  return tokens > 0 ? `saved ${count(tokens)}` : `costs ${count(-tokens)}`;
}
