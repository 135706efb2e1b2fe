/** Thoughts: what a model thought in a message, in parts of its own or between `<think>` tags, and the message without it. */
import { splitCode } from "../text/code-blocks.ts";
import type { Message } from "./message.ts";
import type { Part, TextPart } from "./part.ts";

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
