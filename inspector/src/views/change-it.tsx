/** ChangeIt: tries a plan at another preset or target, with messages pinned or the hand-off rewritten; then applies it. */
import { useState } from "preact/hooks";
import type { CompactionView, ConversationView, PlanBody } from "../../../src/inspect/views.ts";
import { useLoaded } from "../loaded.ts";
import { CompactionBody } from "../parts/compaction-body.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { HandOffEditor } from "../parts/hand-off-editor.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { PlanControls, type PlanWishes } from "../parts/plan-controls.tsx";
import { StateNote } from "../parts/state-note.tsx";
import { usePreview } from "../preview.ts";
import { goTo } from "../router.ts";
import { canChange, session } from "../session.ts";
import { source } from "../source.ts";
import { count, many } from "../words.ts";

export function ChangeIt({ id }: { readonly id: string }) {
  const loaded = useLoaded((signal) => source.conversation(id, signal), [id]);
  return (
    <>
      <PageHead title={id} conversation={id} />
      <StateNote of={loaded} what="the conversation" />
      {loaded.value && <Planned conversation={loaded.value} />}
    </>
  );
}

function Planned({ conversation }: { readonly conversation: ConversationView }) {
  const [wishes, setWishes] = useState<PlanWishes>(() => firstWishes(conversation));
  const [edits, setEdits] = useState(false);
  const [asks, setAsks] = useState(false);
  const body = bodyOf(conversation, wishes);
  const preview = usePreview(body);
  const view = preview.value;
  const pins = new Set(wishes.pins);
  const toggle = (position: number) => {
    if (!pins.delete(position)) pins.add(position);
    setWishes({ ...wishes, pins: [...pins].toSorted((a, b) => a - b) });
  };
  return (
    <>
      {!canChange() && (
        <p class="note">
          {session.value?.readOnlyReason ?? "This is read-only."} A plan can be tried here, but not applied.
        </p>
      )}
      <PlanControls wishes={wishes} tokens={view?.tokensBefore ?? conversation.tokens} onChange={setWishes}>
        {view?.handOff && (
          <button type="button" onClick={() => setEdits(true)}>
            Edit the hand-off …
          </button>
        )}
        {canChange() && (
          <button
            type="button"
            class="primary"
            disabled={preview.state !== "ready" || view?.rows.every(({ change }) => change === "kept")}
            onClick={() => setAsks(true)}
          >
            Apply …
          </button>
        )}
      </PlanControls>
      <p class="note preview-state" role="status">
        {preview.state === "loading"
          ? "Planning …"
          : preview.state === "ready" && outcome(preview.value, wishes)}
      </p>
      {preview.state === "failed" && <StateNote of={preview} what="" />}
      {view && (
        <div class={preview.state === "ready" ? undefined : "stale"}>
          <CompactionBody view={view} pinning={{ isPinned: (position) => pins.has(position), toggle }} />
        </div>
      )}
      {edits && view?.handOff && (
        <HandOffEditor
          text={wishes.handOff ?? view.handOff.text}
          isOwn={wishes.handOff !== undefined}
          onUse={(handOff) => {
            const { handOff: _, ...rest } = wishes;
            setWishes(handOff === undefined ? rest : { ...rest, handOff });
            setEdits(false);
          }}
          onClose={() => setEdits(false)}
        />
      )}
      {asks && view && <ApplyQuestion view={view} body={body} onClose={() => setAsks(false)} />}
    </>
  );
}

interface ApplyQuestionProps {
  readonly view: CompactionView;
  readonly body: PlanBody;
  readonly onClose: () => void;
}

function ApplyQuestion({ view, body, onClose }: ApplyQuestionProps) {
  const touched = view.rows.filter(({ change }) => change === "changed" || change === "removed").length;
  return (
    <Confirm
      title="Apply this plan?"
      action="Apply"
      onClose={onClose}
      onConfirm={async () => {
        const { compaction } = await source.apply({ ...body, expects: view.tokensBefore });
        goTo({ view: "compaction", id: compaction });
      }}
    >
      <p>
        {count(view.tokensBefore)} tokens become {count(view.tokensAfter)}; {many(touched, "message")} changed
        or left out. The originals stay in the archive, and it can be undone.
      </p>
    </Confirm>
  );
}

/** A target in the middle of what is usual; the person moves it from there. */
function firstWishes({ preset, pins }: ConversationView): PlanWishes {
  const known = session.value?.presets.some(({ name }) => name === preset);
  return { preset: known ? preset : (session.value?.presets[0]?.name ?? preset), percent: 30, pins };
}

function bodyOf({ id }: ConversationView, { preset, percent, pins, handOff }: PlanWishes): PlanBody {
  return {
    conversation: id,
    preset,
    target: `${percent}%`,
    ...(pins.length > 0 && { pins }),
    ...(handOff !== undefined && { handOff }),
  };
}

function outcome(view: CompactionView, { pins, handOff }: PlanWishes): string {
  const sizes = `${count(view.tokensBefore)} → ${count(view.tokensAfter)} tokens`;
  const own = [
    pins.length > 0 && many(pins.length, "pinned message"),
    handOff !== undefined && "your own hand-off",
  ].filter(Boolean);
  return own.length > 0 ? `Planned: ${sizes}, with ${own.join(" and ")}.` : `Planned: ${sizes}.`;
}
