/** Bridges: short messages where all that was between two of one role is left out: nobody speaks twice in a row (R5). */
import type { Message } from "../conversation/message.ts";
import type { Format } from "../providers/format.ts";

/** How the text begins that whoever reads it knows it by: nobody said it. */
export const BRIDGE = "[pith: messages left out]";

/** A message that is put before a position. */
export interface Bridge {
  readonly kind: "insert";
  readonly before: number;
  readonly message: Message;
  readonly reason: string;
}

/** Beside a hand-off that no role fits for, in its turn: what is next to it is not touched. */
export function bridge(before: number, { create }: Pick<Format, "create">): Bridge {
  const message = create("assistant", [{ type: "text", text: BRIDGE }]);
  return { kind: "insert", before, message, reason: "speakers take turns" };
}

/** `stay` is all that will be there, in order, the hand-off included. What came in side by side stays so. */
export function bridgesIn(
  stay: readonly Message[],
  originals: readonly Message[],
  { create, alternates = false }: Pick<Format, "create" | "alternates">,
): readonly Bridge[] {
  // Where speakers must take turns, what a tool says travels under the user's role; elsewhere it is between them.
  const spoken = stay.filter(alternates ? isSpoken : isVisible);
  const note = (before: number, role: "user" | "assistant"): Bridge => ({
    kind: "insert",
    before,
    message: create(role, [{ type: "text", text: BRIDGE }]),
    reason: "speakers take turns",
  });
  // What the user said last may have been folded into the hand-off: it is still the assistant's turn.
  const isAnswered = originals.findLast(isSpoken)?.role !== "user" || spoken.at(-1)?.role !== "assistant";
  const between = spoken.flatMap((message, at) => {
    const before = spoken[at - 1];
    if (before?.role !== message.role || !isSpoken(message)) return [];
    if (before.position < 0 || message.position < 0) return [];
    if (!originals.slice(before.position + 1, message.position).some(({ role }) => role !== "system"))
      return [];
    return [note(message.position, message.role === "user" ? "assistant" : "user")];
  });
  return isAnswered || !alternates ? between : [...between, note(originals.length, "user")];
}

function isVisible({ role }: Message): boolean {
  return role !== "system";
}

function isSpoken({ role }: Message): boolean {
  return role === "user" || role === "assistant";
}
