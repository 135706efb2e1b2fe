/** RowSheet: one row of a compaction in full: which Stage touched it, why, what that saved, and the original. */
import type { CompactionRow, CompactionView } from "../../../src/inspect/views.ts";
import { changeWords } from "../change-words.ts";
import { tokensAfter } from "../tokens-after.ts";
import { count, stageWords } from "../words.ts";
import { DiffView } from "./diff-view.tsx";
import { Facts } from "./facts.tsx";
import { LongText } from "./long-text.tsx";
import { Original } from "./original.tsx";
import { PagedSheet } from "./paged-sheet.tsx";
import { whoSays } from "./side.tsx";

interface RowSheetProps {
  readonly view: CompactionView;
  readonly at: number;
  readonly onMove: (to: number) => void;
  readonly onClose: () => void;
}

export function RowSheet({ view, at, onMove, onClose }: RowSheetProps) {
  const row = view.rows[at]!;
  const side = (row.before ?? row.after)!;
  return (
    <PagedSheet
      title={side.position >= 0 ? `Message ${count(side.position)}` : whoSays(side)}
      onClose={onClose}
      at={at}
      total={view.rows.length}
      onMove={onMove}
    >
      <Facts
        facts={[
          {
            name: "What became of it",
            value: changeWords[row.change],
            more: row.pinned ? "pinned" : undefined,
          },
          row.stage !== undefined && {
            name: "Step",
            value: stageWords(row.stage, row.change),
            more: row.stage,
          },
          { name: "Tokens", value: `${count(row.before?.tokens ?? 0)} → ${count(tokensAfter(row))}` },
          { name: "Saved", value: count(row.saved) },
        ]}
      />
      {row.reason && <p class="why">Why: {row.reason}</p>}
      <RowText key={at} view={view} row={row} isHandOff={view.handOff?.row === at} />
    </PagedSheet>
  );
}

interface RowTextProps {
  readonly view: CompactionView;
  readonly row: CompactionRow;
  readonly isHandOff: boolean;
}

function RowText({ view, row, isHandOff }: RowTextProps) {
  const originalId = row.originalId ?? row.before?.id;
  if (isHandOff && !row.before) return <LongText text={view.handOff!.text} />;
  if (!originalId) return row.after ? <LongText text={row.after.text} /> : null;
  if (row.change !== "changed" || !row.after) return <Original id={originalId} />;
  return (
    <>
      <h3>What changed</h3>
      <DiffView originalId={originalId} after={row.after} />
      <details>
        <summary>The original, from the archive</summary>
        <Original id={originalId} />
      </details>
    </>
  );
}
