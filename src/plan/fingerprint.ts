/** Fingerprint: a short digest by which a message is known again. */
import type { Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";

/** FNV-1a over role, kinds, lengths and a sample of each part's text: cheap for megabytes, enough to notice another message. */
export function fingerprint(message: Message): string {
  let hash = 0x811c9dc5;
  let length = 0;
  for (const part of message.parts) {
    const text = keyOf(part);
    const step = Math.max(1, Math.floor(text.length / SAMPLED_CHARS));
    for (let at = 0; at < text.length; at += step) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ part.type.length, 0x01000193);
    length += text.length;
  }
  return `${message.role}:${message.parts.length}:${length}:${(hash >>> 0).toString(16)}`;
}

const SAMPLED_CHARS = 32;

function keyOf(part: Part): string {
  if (part.type === "tool-call") return part.arguments;
  return part.type === "media" ? part.kind : part.text;
}
