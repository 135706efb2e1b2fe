/** DiffView: what changed between the original of a message and what stands for it now, line by line. */
import type { SideView } from "../../../src/inspect/views.ts";
import { askForDifference } from "../diff/ask-worker.ts";
import { useLoaded } from "../loaded.ts";
import { wholeText } from "../whole-text.ts";
import { many } from "../words.ts";
import { LongText } from "./long-text.tsx";
import { StateNote } from "./state-note.tsx";

const words = { removed: "Left out", added: "Put in" } as const;

interface DiffViewProps {
  readonly originalId: string;
  readonly after: SideView;
}

export function DiffView({ originalId, after }: DiffViewProps) {
  const loaded = useLoaded(
    async (signal) => {
      const [before, now] = await Promise.all([wholeText(originalId, signal), textOf(after, signal)]);
      return askForDifference(before, now);
    },
    [originalId, after.id],
  );
  return (
    <div class="diff">
      <StateNote of={loaded} what="both texts" />
      {loaded.value?.map(({ kind, text, lines }, order) =>
        kind === "left-out" ? (
          <p key={order} class="note">
            {many(lines, "line")} the same
          </p>
        ) : (
          <div key={order} class={`diff-${kind}`}>
            {kind !== "same" && <span class="diff-word">{words[kind]}</span>}
            <LongText text={text} />
          </div>
        ),
      )}
    </div>
  );
}

/** A plan that was not carried out is not in the archive: what the row itself says is then all there is. */
async function textOf(after: SideView, signal: AbortSignal): Promise<string> {
  if (after.text.length >= after.chars) return after.text;
  try {
    return await wholeText(after.id, signal);
  } catch (cause) {
    if (signal.aborted) throw cause;
    return after.text;
  }
}
