/** Thinking: what an agent thought before it spoke, in a part of its own or between tags at the start of its words. */
import { type Message, withParts } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { turnsOf } from "../conversation/turn.ts";

const OPENS = /^\s*<(think|thinking)>/;

/** Where the words begin; 0 where there is no thinking before them. */
export function thinkingEnd(text: string): number {
  const tag = OPENS.exec(text.slice(0, LOOKED_AT))?.[1];
  if (tag === undefined) return 0;
  const close = `</${tag}>`;
  const at = text.indexOf(close);
  if (at < 0) return 0;
  const end = at + close.length;
  return end + (text.slice(end).length - text.slice(end).trimStart().length);
}

const LOOKED_AT = 100;

/** A message without its thinking; one that is nothing else stays as it is: nothing would be left to send. */
export function withoutThinking(message: Message): Message {
  if (message.role !== "assistant") return message;
  const parts = message.parts.flatMap(spokenIn);
  const isSame =
    parts.length === message.parts.length && parts.every((part, at) => part === message.parts[at]);
  return isSame || parts.length === 0 ? message : withParts(message, parts);
}

/** What is left of a part without thinking: nothing, the words after it, or the part itself. */
export function spokenIn(part: Part): readonly Part[] {
  if (part.type === "reasoning") return [];
  if (part.type !== "text") return [part];
  const end = thinkingEnd(part.text);
  if (end === 0) return [part];
  return end === part.text.length ? [] : [{ ...part, text: part.text.slice(end) }];
}

/** From this position on thinking stays: a provider demands what was signed in the turn that it is working on. */
export function currentTurnOf(messages: readonly Message[]): number {
  return messages[turnsOf(messages).at(-1)?.start ?? 0]?.position ?? 0;
}
