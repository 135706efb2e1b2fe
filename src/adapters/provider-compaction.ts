/**
 * Provider compaction: a block by which the provider sums up all before it on its own side. It shows the model nothing
 * that is before, so a hand-off goes behind it, and the block itself stays as it is.
 */
import type { WireObject } from "../json/wire-value.ts";
import { readConversation } from "../providers/detect.ts";
import { isSystemMessage } from "./body-view.ts";
import type { Placed, View } from "./sessions.ts";

/** The index of the newest message that holds such a block; 0 where there is none. */
export function newestCompaction(messages: readonly unknown[]): number {
  return Math.max(0, messages.findLastIndex(isCompaction));
}

function isCompaction(message: unknown): boolean {
  const { type, content, role } = (message ?? {}) as WireObject;
  if (type === "compaction") return true;
  // A compaction that failed says nothing, and hides nothing.
  return (
    role === "assistant" &&
    Array.isArray(content) &&
    content.some((block) => block?.type === "compaction" && block.content !== null)
  );
}

/** The position of a message as the engine counts. */
export function positionOf(message: unknown, body: unknown, format: string): readonly number[] {
  const { messages } = readConversation(body, { format, isPart: true });
  return messages.flatMap(({ raw, position }) =>
    raw?.value === message || (Array.isArray(raw?.value) && raw.value.includes(message)) ? [position] : [],
  );
}

/** Sets what the engine put before the provider's block behind it. */
export function behindCompaction(view: View<unknown>): View<unknown> {
  return {
    ...view,
    // The first message must be the user's; of this one the model sees nothing.
    opening: (first) => ((first as WireObject).role === "assistant" ? OPENING : undefined),
    messages: (result, given) => {
      const placed = view.messages(result, given);
      const at = placed.findLastIndex(({ message }) => isCompaction(message));
      if (at < 0) return placed;
      const before = placed.slice(0, at);
      const told = before.filter(({ message }) => message !== OPENING && !isSystemMessage(message));
      if (told.length === 0) return placed;
      const rest = placed.slice(at + 1);
      const lead = before.filter((each) => !told.includes(each));
      if ((placed[at]!.message as WireObject).type === "compaction")
        return [...lead, placed[at]!, ...told, ...rest];
      return [...lead, { message: OPENING, from: -1 }, placed[at]!, ...joined(told, rest)];
    },
  };
}

const OPENING: WireObject = { role: "user", content: "[The provider has compacted what was here.]" };

/** In the next message of the user, behind the results that it may hold: roles take turns. */
function joined(told: readonly Placed<unknown>[], [next, ...rest]: readonly Placed<unknown>[]) {
  const texts = told.flatMap(({ message }) => blocksOf((message as WireObject).content));
  if (next === undefined) return [{ message: { role: "user", content: texts }, from: -1 }];
  const { content, ...message } = next.message as WireObject;
  const blocks = blocksOf(content);
  const results = blocks.filter((block) => block.type === "tool_result");
  const others = blocks.filter((block) => block.type !== "tool_result");
  return [{ message: { ...message, content: [...results, ...texts, ...others] }, from: next.from }, ...rest];
}

function blocksOf(content: unknown): readonly WireObject[] {
  return Array.isArray(content) ? content : [{ type: "text", text: String(content) }];
}
