/** Fingerprint: a short digest by which a message is known again. */
import { type Message, textOfMessage } from "../conversation/message.ts";

/** FNV-1a over role, length and a sample of the text: cheap for megabytes, enough to notice another message. */
export function fingerprint(message: Message): string {
  const text = textOfMessage(message);
  const step = Math.max(1, Math.floor(text.length / SAMPLED_CHARS));
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += step) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `${message.role}:${text.length}:${(hash >>> 0).toString(16)}`;
}

const SAMPLED_CHARS = 256;
