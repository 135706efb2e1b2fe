/** Finds a hand-off in a message, takes it out of the message it was merged into, and merges one in. */
import { type Message, messageWith, withParts } from "../message.ts";
import type { Part } from "../part.ts";
import { type FoundHandoff, findHandoff, plainSummary } from "./prefixes.ts";

/** The hand-off that a message is or holds; whatever else the message says is in `rest` or in its other parts. */
export function handoffIn(message: Message): FoundHandoff | undefined {
  const at = handoffPart(message);
  return at < 0 ? undefined : (foundIn(message.parts[at]!) ?? leadingSummary(message));
}

/** Nothing but a hand-off, of ours or of another system. */
export function isHandoffMessage(message: Message): boolean {
  return message.parts.length === 1 && handoffIn(message)?.rest === "";
}

/** What the author said, and the hand-off as a message of its own; the message itself where nothing was merged in. */
export interface Separated {
  readonly own: Message | undefined;
  readonly handoff: Message | undefined;
}

/** Whether there is a hand-off in it: hardly any message has one, and need not be separated. */
export function holdsHandoff(message: Message): boolean {
  return handoffPart(message) >= 0;
}

export function separateHandoff(message: Message): Separated {
  const at = handoffPart(message);
  if (at < 0) return { own: message, handoff: undefined };
  const { framed, rest } = handoffIn(message)!;
  const own: readonly Part[] =
    rest === "" ? message.parts.toSpliced(at, 1) : message.parts.with(at, { type: "text", text: rest });
  const handoff = withParts(message, [{ type: "text", text: framed }]);
  return {
    own: own.some(saysSomething) ? withParts(message, own) : undefined,
    handoff: messageWith(handoff, { role: "user", position: -1 }),
  };
}

/** What the author said, and all hand-offs before it: below one the author may have put another. */
export function separateHandoffs(message: Message): {
  readonly own: Message | undefined;
  readonly handoffs: readonly FoundHandoff[];
} {
  const handoffs: FoundHandoff[] = [];
  let own: Message | undefined = message;
  for (let found = handoffIn(message); own && found; found = own && handoffIn(own)) {
    handoffs.push(found);
    own = separateHandoff(own).own;
  }
  return { own, handoffs };
}

/** Thinking alone, or blank text, is nothing to send. */
function saysSomething(part: Part): boolean {
  return part.type === "text" ? part.text.trim() !== "" : part.type !== "reasoning";
}

/**
 * What a tool says is never a hand-off, whatever it starts with, nor is what a program says in its place; and none is ever merged into what an assistant says, so that
 * one is a hand-off as a whole or not at all.
 */
function handoffPart(message: Message): number {
  const { role, parts, placed } = message;
  if (role === "tool" || placed) return -1;
  if (role === "assistant") {
    if (parts.length !== 1 || parts[0]!.type !== "text") return -1;
    const found = foundIn(parts[0]!) ?? leadingSummary(message);
    return found?.rest === "" ? 0 : -1;
  }
  for (let at = 0; at < parts.length; at++) if (foundIn(parts[at]!) !== undefined) return at;
  return -1;
}

/** What an assistant says before anybody asked it: after the system prompt at most (F88). */
function leadingSummary({ role, parts, position }: Message): FoundHandoff | undefined {
  const [part] = parts;
  const isFirst = role === "assistant" && position >= 0 && position <= 1;
  return isFirst && part?.type === "text" ? plainSummary(part.text) : undefined;
}

function foundIn(part: Part): FoundHandoff | undefined {
  return part.type === "text" ? findHandoff(part.text) : undefined;
}

/** The hand-off's text before what the message says. */
export function mergeHandoff(text: string, message: Message): Message {
  return withParts(message, [{ type: "text", text }, ...message.parts]);
}
