/** HandOffEditor: the text of a plan's hand-off, to be written anew. */
import { useState } from "preact/hooks";
import { Sheet } from "./sheet.tsx";

interface HandOffEditorProps {
  readonly text: string;
  /** The text is already the person's own. */
  readonly isOwn: boolean;
  /** Without a text: back to the plan's own. */
  readonly onUse: (text: string | undefined) => void;
  readonly onClose: () => void;
}

export function HandOffEditor({ text, isOwn, onUse, onClose }: HandOffEditorProps) {
  const [draft, setDraft] = useState(text);
  return (
    <Sheet
      title="The hand-off"
      onClose={onClose}
      actions={
        <>
          {isOwn && (
            <button type="button" onClick={() => onUse(undefined)}>
              Back to the plan's own
            </button>
          )}
          <button type="button" class="primary" disabled={draft === text} onClick={() => onUse(draft)}>
            Use this text
          </button>
        </>
      }
    >
      <p class="note">
        This is the message that stands for what was left out. Keep its first and last line: by them it is
        found again at the next compaction.
      </p>
      <textarea
        class="editor"
        aria-label="Text of the hand-off"
        spellcheck={false}
        value={draft}
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
    </Sheet>
  );
}
