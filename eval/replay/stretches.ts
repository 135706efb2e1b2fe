/** Stretches: recordings as they can be replayed. Where a recorded agent compacted its own context, another conversation begins. */
import type { RecordedMessage } from "../measure/cases.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { type Recording, readSource, type Source } from "../recordings/sources.ts";

export interface Stretch {
  readonly id: string;
  readonly source: string;
  readonly messages: readonly WireMessage[];
}

export function readStretches(folder: string, source: Source): readonly Stretch[] {
  return readSource(folder, source).flatMap((recording) =>
    stretchesOf(recording).map((stretch) => ({ ...stretch, source: source.name })),
  );
}

/** Those in which the assistant says something at all. */
export function stretchesOf({ id, messages }: Recording): readonly Omit<Stretch, "source">[] {
  const starts = [0, ...messages.flatMap(({ summary }, position) => (summary ? [position] : []))];
  return starts
    .map((start, order) => ({
      id: order > 0 ? `${id}#${order}` : id,
      messages: messages.slice(start, starts[order + 1]).map(withoutFlag),
    }))
    .filter((stretch) => stretch.messages.some(({ role }) => role === "assistant"));
}

function withoutFlag({ summary: _, ...message }: RecordedMessage): WireMessage {
  return message;
}
