/** Strips the reasoning of old messages; phrases of doubt and turning are harvested first. */
import { type Message, withParts } from "../../conversation/message.ts";
import type { TextPart } from "../../conversation/part.ts";
import { withoutThoughts } from "../../conversation/thoughts.ts";
import { turnsOf } from "../../conversation/turn.ts";
import { countEpistemicMarkers, markerPhrases } from "../../sources/synthorg/epistemic-markers.ts";
import type { Edit } from "../plan.ts";
import type { Stage, StageContext } from "./stage.ts";

export const stripReasoning: Stage = {
  name: "strip-reasoning",
  propose(messages, context) {
    const distance = context.policy.stripReasoning?.distance;
    if (distance === undefined) return [];
    const currentTurn = turnsOf(messages).at(-1)?.start ?? 0;
    const edits: Edit[] = [];
    let saved = 0;
    for (const message of messages) {
      if (saved >= context.tokensToSave) break;
      if (!context.editable.has(message.position) || message.role !== "assistant") continue;
      if (messages.length - message.position - 1 < distance) continue;
      // A provider demands the signed thinking of the turn it is still working on.
      const stripped = strip(message, message.position < currentTurn, context);
      if (!stripped) continue;
      saved += context.counter.message(message) - context.counter.message(stripped);
      edits.push({
        kind: "replace",
        position: message.position,
        message: stripped,
        reason: "old reasoning stripped",
      });
    }
    return edits;
  },
};

function strip(
  message: Message,
  signedToo: boolean,
  { policy, counter, marks }: StageContext,
): Message | undefined {
  const { parts, thoughts } = withoutThoughts(message, signedToo);
  if (thoughts === undefined) return undefined;
  const promoteAt = policy.markers.promoteAt;
  if (promoteAt !== undefined && countEpistemicMarkers(thoughts) >= promoteAt) return undefined;
  const phrases = policy.markers.annotate ? markerPhrases(thoughts).slice(0, 8) : [];
  const said = [
    ...(phrases.length > 0 ? [annotate(phrases)] : []),
    ...(marks && thoughts !== "" ? [`[pith: thinking left out: ${marks.text(thoughts)}]`] : []),
  ].join("\n");
  const note: TextPart[] = said === "" ? [] : [{ type: "text", text: said }];
  const kept = parts.filter((part) => part.type !== "text" || part.text.trim() !== "");
  // subtle: signed thinking that stays must remain what the message starts with.
  const noteAt = kept.findLastIndex((part) => part.type === "reasoning") + 1;
  const stripped = withParts(message, kept.toSpliced(noteAt, 0, ...note));
  // A message that was all thinking stays: there would be nothing left to send.
  const saysSomething = stripped.parts.some((part) => part.type !== "reasoning");
  return saysSomething && counter.message(stripped) < counter.message(message) ? stripped : undefined;
}

/** `[Uncertainty points preserved: "wait", "actually"]` */
function annotate(phrases: readonly string[]): string {
  return `[Uncertainty points preserved: ${phrases.map((phrase) => `"${phrase}"`).join(", ")}]`;
}
