/** Masked messages: what is cut out of a message, cut up or told again is taken from a copy without secrets (R46). */

import { maskJson, maskText } from "../redact/mask-json.ts";
import { type Message, messageWith } from "./message.ts";
import type { Part } from "./part.ts";

/** The parts and messages that a masked one stands for. */
const originals = new WeakMap<Part | Message, Part | Message>();
/** Every message that was looked through, masked or not. */
const looked = new WeakSet<Message>();

/** Each message with its secrets masked; the very message where it has none. `raw` stays as it came. */
export function maskedMessages(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    if (looked.has(message)) return message;
    const parts = message.parts.map(maskedPart);
    const isSame = parts.every((part, at) => part === message.parts[at]);
    const masked = isSame ? message : messageWith(message, { parts });
    looked.add(masked);
    if (!isSame) originals.set(masked, message);
    return masked;
  });
}

/** Whether it came from `maskedMessages`, and all of it was masked as plain text: as such it needs no other look. */
export function isMasked(message: Message): boolean {
  return looked.has(message) && !message.parts.some(isJson);
}

/** The message as it came, or with every part of it as it came that nobody changed. */
export function unmaskedMessage(message: Message): Message {
  const known = originals.get(message);
  if (known) return known as Message;
  if (!message.parts.some((part) => originals.has(part))) return message;
  const parts = message.parts.map((part) => (originals.get(part) ?? part) as Part);
  const unmasked = messageWith(message, { parts });
  originals.set(message, unmasked);
  return unmasked;
}

function maskedPart(part: Part): Part {
  const masked = withoutSecrets(part);
  if (masked !== part) originals.set(masked, part);
  return masked;
}

/** What is JSON stays JSON. */
function withoutSecrets(part: Part): Part {
  if (part.type === "media") return part;
  if (part.type === "tool-call") {
    const { text, masked } = maskJson(part.arguments);
    return masked.length === 0 ? part : { ...part, arguments: text };
  }
  const { text, masked } = isJson(part) ? maskJson(part.text) : maskText(part.text);
  return masked.length === 0 ? part : { ...part, text };
}

function isJson(part: Part): boolean {
  return part.type === "tool-call" || (part.type === "tool-result" && /^\s*[[{]/.test(part.text));
}
