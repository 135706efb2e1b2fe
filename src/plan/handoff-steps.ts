/** stepsOf: a layout with a fitted tail and a hand-off's text, as the Steps of a Plan. */

import { mergeHandoff } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import { applyEdits } from "./apply-edits.ts";
import { countedTokens } from "./counted-tokens.ts";
import type { Layout } from "./layout.ts";
import type { Edit, PlanStep } from "./plan.ts";
import type { PlanRequest } from "./plan-request.ts";

/** The trim of the tail first, then the hand-off in place of the span, each with what it saved. */
export function stepsOf(
  { conversation, counter, format }: PlanRequest,
  { regions, fixed, notes, bridges, recent, freed, place, placeAt }: Layout,
  tail: readonly Message[],
  text: string | undefined,
): readonly PlanStep[] {
  const { messages } = conversation;
  const trims: Edit[] = tail
    .filter((message, at) => message !== recent[at])
    .map((message) => ({
      kind: "replace",
      position: message.position,
      message,
      reason: "recent message fitted to the target",
    }));
  const edits: Edit[] = [...notes];
  if (text !== undefined) {
    const reason = "replaced by the hand-off";
    const stays = new Set([...fixed, ...tail].map((message) => message.position));
    messages.forEach(({ position }) => {
      if (!stays.has(position)) edits.push({ kind: "remove", position, reason });
    });
    const trimmed = new Set(trims.map((edit) => (edit.kind === "replace" ? edit.position : -1)));
    for (const message of freed) {
      if (trimmed.has(message.position)) continue;
      edits.push({
        kind: "replace",
        position: message.position,
        message,
        reason: "earlier hand-off folded into the new one",
      });
    }
    if (place.kind === "insert") {
      const handoff: Edit = {
        kind: "insert",
        before: placeAt,
        message: format.create(place.role, [{ type: "text", text }]),
        reason: `stands for ${regions.archivable.length} messages`,
      };
      edits.push(...(place.bridge === "after" ? [handoff, ...bridges] : [...bridges, handoff]));
    } else {
      edits.push(...bridges);
      const host = [...fixed, ...tail].find((message) => message.position === placeAt)!;
      edits.push({
        kind: "replace",
        position: placeAt,
        message: mergeHandoff(text, host),
        reason: "the hand-off joins this message",
      });
    }
  }
  const steps: PlanStep[] = [];
  let current = messages;
  for (const [stage, changes] of [
    ["trim", trims],
    ["hand-off", edits],
  ] as const) {
    if (changes.length === 0) continue;
    const next = applyEdits(current, changes);
    steps.push({
      stage,
      edits: changes,
      tokensBefore: countedTokens(current, counter, messages),
      tokensAfter: countedTokens(next, counter, messages),
    });
    current = next;
  }
  return steps;
}
