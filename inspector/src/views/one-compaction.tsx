/** OneCompaction: a compaction that was carried out, with everything about it; it can be undone from here. */
import { useState } from "preact/hooks";
import type { CompactionView } from "../../../src/inspect/views.ts";
import { useLoaded } from "../loaded.ts";
import { CompactionBody } from "../parts/compaction-body.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StateNote } from "../parts/state-note.tsx";
import { goTo, linkTo } from "../router.ts";
import { canChange } from "../session.ts";
import { source } from "../source.ts";
import { visibleText } from "../visible-text.ts";
import { many, time } from "../words.ts";

export function OneCompaction({ id }: { readonly id: string }) {
  const loaded = useLoaded((signal) => source.compaction(id, signal), [id]);
  const [asks, setAsks] = useState(false);
  const view = loaded.value;
  return (
    <>
      <PageHead title="Compaction" {...(view && { conversation: view.conversation })}>
        {view && canChange() && !view.undone && (
          <button type="button" onClick={() => setAsks(true)}>
            Undo …
          </button>
        )}
      </PageHead>
      <StateNote of={loaded} what="the compaction" />
      {view && (
        <>
          <p class="lead">
            Of{" "}
            <a href={linkTo({ view: "conversation", id: view.conversation })}>
              {visibleText(view.conversation)}
            </a>
            , {time(view.at)}. {view.reason && visibleText(view.reason)}{" "}
            {view.undone && <b>It was undone.</b>}
          </p>
          <CompactionBody view={view} />
          {asks && <UndoQuestion view={view} id={id} onClose={() => setAsks(false)} />}
        </>
      )}
    </>
  );
}

interface UndoQuestionProps {
  readonly view: CompactionView;
  readonly id: string;
  readonly onClose: () => void;
}

function UndoQuestion({ view, id, onClose }: UndoQuestionProps) {
  const others = (view.undoes?.length ?? 1) - 1;
  return (
    <Confirm
      title="Undo this compaction?"
      action="Undo"
      onClose={onClose}
      onConfirm={async () => {
        await source.undo(id);
        goTo({ view: "conversation", id: view.conversation });
      }}
    >
      <p>The conversation goes back to what it was before it. Nothing leaves the archive.</p>
      {others > 0 && (
        <p>The {many(others, "later compaction")} made on top of it will be taken back as well.</p>
      )}
    </Confirm>
  );
}
