/** Confirm: asks before something is changed, and says what will happen. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Sheet } from "./sheet.tsx";

export interface ConfirmProps {
  readonly title: string;
  /** The word on the button that does it. */
  readonly action: string;
  readonly children: ComponentChildren;
  /** Rejects with what went wrong, which is then shown. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

export function Confirm({ title, action, children, onConfirm, onClose }: ConfirmProps) {
  const [state, setState] = useState<{ busy: boolean; fault?: string }>({ busy: false });
  const confirm = async () => {
    setState({ busy: true });
    try {
      await onConfirm();
    } catch (cause) {
      setState({ busy: false, fault: (cause as Error).message });
    }
  };
  return (
    <Sheet title={title} onClose={onClose} small>
      <div class="sheet-text">{children}</div>
      {state.fault && (
        <p class="fault" role="alert">
          {state.fault}
        </p>
      )}
      <div class="sheet-buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="primary" disabled={state.busy} onClick={confirm}>
          {action}
        </button>
      </div>
    </Sheet>
  );
}
