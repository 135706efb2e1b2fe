/** Strips the reasoning of old messages; phrases of doubt and turning are harvested first. */
import { type Message, withParts } from "../conversation/message.ts";
import type { Part, TextPart } from "../conversation/part.ts";
import { turnsOf } from "../conversation/turn.ts";
import type { Edit } from "../plan/plan.ts";
import { countEpistemicMarkers, markerPhrases } from "../salience/epistemic-markers.ts";
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

function strip(message: Message, signedToo: boolean, { policy, counter }: StageContext): Message | undefined {
  const removed: string[] = [];
  const parts: Part[] = [];
  for (const part of message.parts) {
    if (part.type === "reasoning" && (signedToo || !part.signed)) removed.push(part.text);
    else if (part.type === "text") parts.push(withoutThinkTags(part, removed));
    else parts.push(part);
  }
  const thoughts = removed.join("\n");
  if (removed.length === 0) return undefined;
  const promoteAt = policy.markers.promoteAt;
  if (promoteAt !== undefined && countEpistemicMarkers(thoughts) >= promoteAt) return undefined;
  const phrases = policy.markers.annotate ? markerPhrases(thoughts).slice(0, 8) : [];
  const note: TextPart[] = phrases.length > 0 ? [{ type: "text", text: annotate(phrases) }] : [];
  const kept = parts.filter((part) => part.type !== "text" || part.text !== "");
  const stripped = withParts(message, [...note, ...kept]);
  return counter.message(stripped) < counter.message(message) && stripped.parts.length > 0
    ? stripped
    : undefined;
}

/** `[Uncertainty points preserved: "wait", "actually"]` */
function annotate(phrases: readonly string[]): string {
  return `[Uncertainty points preserved: ${phrases.map((phrase) => `"${phrase}"`).join(", ")}]`;
}

const TAGS = ["think", "thinking"] as const;

/** Removes closed `<think>` blocks; the pieces go to `removed`. An unclosed tag is left alone. */
function withoutThinkTags(part: TextPart, removed: string[]): TextPart {
  let text = part.text;
  if (!text.includes("<think")) return part;
  for (const tag of TAGS) {
    const open = `<${tag}>`;
    const close = `</${tag}>`;
    for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, start)) {
      const end = text.indexOf(close, start);
      if (end < 0) break;
      removed.push(text.slice(start + open.length, end));
      text = text.slice(0, start) + text.slice(end + close.length).trimStart();
    }
  }
  return text === part.text ? part : { type: "text", text };
}
