/** Sheet: a panel over the right side of the page, or all of it on a narrow screen. Esc and a click beside it close it. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface SheetProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Buttons beside the title. */
  readonly actions?: ComponentChildren;
  /** A small one in the middle, for a question. */
  readonly small?: boolean;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

export function Sheet({ title, onClose, children, actions, small, onKeyDown }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the first paint: a dialog that is not opened yet shows nothing.
  useLayoutEffect(() => {
    const element = dialog.current!;
    const before = document.activeElement as HTMLElement | null;
    element.showModal();
    return () => {
      if (element.open) element.close();
      if (before?.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={small ? "sheet small" : "sheet"}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={onKeyDown}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="sheet-body">
        <header class="sheet-head">
          <h2>{title}</h2>
          <div class="sheet-actions">
            {actions}
            {!small && (
              <button type="button" class="quiet" onClick={onClose} aria-label="Close">
                ✕
              </button>
            )}
          </div>
        </header>
        {children}
      </div>
    </dialog>
  );
}
