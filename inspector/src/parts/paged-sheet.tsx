/** PagedSheet: a sheet that shows one of many; its buttons and the arrow keys lead to the one before and the one after. */
import { Sheet, type SheetProps } from "./sheet.tsx";

export interface PagedSheetProps extends Pick<SheetProps, "title" | "onClose" | "children"> {
  /** Which one is shown, from 0. */
  readonly at: number;
  readonly total: number;
  readonly onMove: (to: number) => void;
}

export function PagedSheet({ at, total, onMove, ...sheet }: PagedSheetProps) {
  const move = (to: number) => {
    if (to >= 0 && to < total) onMove(to);
  };
  return (
    <Sheet
      {...sheet}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") move(at - 1);
        if (event.key === "ArrowRight") move(at + 1);
      }}
      actions={
        <>
          <button type="button" disabled={at === 0} onClick={() => move(at - 1)}>
            Previous
          </button>
          <button type="button" disabled={at === total - 1} onClick={() => move(at + 1)}>
            Next
          </button>
        </>
      }
    />
  );
}
