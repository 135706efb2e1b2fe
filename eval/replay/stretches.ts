/** Stretches: recordings as they can be replayed. Where a recorded agent compacted its own context, another conversation begins. */
import type { RecordedMessage } from "../measure/cases.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { readSource, type Source } from "../recordings/sources.ts";

export interface Stretch {
  readonly id: string;
  readonly source: string;
  readonly messages: readonly WireMessage[];
}

export function* stretchesOf(folder: string, source: Source): Generator<Stretch> {
  for (const { id, messages } of readSource(folder, source)) {
    const starts = [0, ...messages.flatMap(({ summary }, position) => (summary ? [position] : []))];
    for (const [order, start] of starts.entries()) {
      const stretch = messages.slice(start, starts[order + 1]).map(withoutFlag);
      const hasRequest = stretch.some(({ role }) => role === "assistant");
      if (hasRequest) yield { id: order > 0 ? `${id}#${order}` : id, source: source.name, messages: stretch };
    }
  }
}

function withoutFlag({ summary: _, ...message }: RecordedMessage): WireMessage {
  return message;
}
