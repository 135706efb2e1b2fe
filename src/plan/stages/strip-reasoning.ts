/** Strips the reasoning of old messages; phrases of doubt and turning are harvested first. */
import { type Message, withParts } from "../../conversation/message.ts";
import type { Part, TextPart } from "../../conversation/part.ts";
import { turnsOf } from "../../conversation/turn.ts";
import { countEpistemicMarkers, markerPhrases } from "../../sources/synthorg/epistemic-markers.ts";
import { splitCode } from "../../text/code-blocks.ts";
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

/** What a message says without its thinking, and that; undefined where it has none. */
export function withoutThoughts(
  message: Message,
  signedToo: boolean,
): { readonly parts: readonly Part[]; readonly thoughts: string | undefined } {
  const removed: string[] = [];
  const parts: Part[] = [];
  for (const part of message.parts) {
    if (part.type === "reasoning" && (signedToo || !part.signed)) removed.push(part.text);
    else if (part.type === "text") parts.push(withoutThinkTags(part, removed));
    else parts.push(part);
  }
  return { parts, thoughts: removed.length === 0 ? undefined : removed.join("\n") };
}

/** `[Uncertainty points preserved: "wait", "actually"]` */
function annotate(phrases: readonly string[]): string {
  return `[Uncertainty points preserved: ${phrases.map((phrase) => `"${phrase}"`).join(", ")}]`;
}

const OPENING = /<(think|thinking)>/g;

/** Removes closed `<think>` blocks that start a line outside code; what they said goes to `removed`. */
function withoutThinkTags(part: TextPart, removed: string[]): TextPart {
  const { text } = part;
  if (!text.includes("<think")) return part;
  const isCode = codeFinder(text);
  let kept = "";
  let from = 0;
  OPENING.lastIndex = 0;
  for (let open = OPENING.exec(text); open; open = OPENING.exec(text)) {
    if (isCode(open.index) || !startsLine(text, open.index, from)) continue;
    const close = `</${open[1]}>`;
    const end = text.indexOf(close, OPENING.lastIndex);
    if (end < 0) break;
    kept += text.slice(from, open.index);
    removed.push(text.slice(OPENING.lastIndex, end));
    from = end + close.length;
    while (/\s/.test(text.charAt(from))) from++;
    OPENING.lastIndex = from;
  }
  return from === 0 ? part : { type: "text", text: kept + text.slice(from) };
}

/** Only white space is before the offset in its line, or after what was removed last. */
function startsLine(text: string, offset: number, from: number): boolean {
  let at = offset;
  while (at > from && (text[at - 1] === " " || text[at - 1] === "\t")) at--;
  return at === from || text[at - 1] === "\n";
}

/** Tells whether an offset lies in code; to be asked in ascending order. */
function codeFinder(text: string): (offset: number) => boolean {
  const segments = splitCode(text);
  let at = 0;
  let end = segments[0]?.text.length ?? 0;
  return (offset) => {
    while (offset >= end && at + 1 < segments.length) end += segments[++at]!.text.length;
    return segments[at]?.kind === "code";
  };
}
