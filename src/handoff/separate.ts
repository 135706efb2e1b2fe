/** Finds a hand-off in a message, takes it out of the message it was merged into, and merges one in. */
import { type Message, withParts } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { type FoundHandoff, findHandoff } from "./prefixes.ts";

/** The hand-off that a message is or holds; whatever else the message says is in `rest` or in its other parts. */
export function handoffIn(message: Message): FoundHandoff | undefined {
  if (message.role === "tool") return undefined;
  for (const part of message.parts) {
    const found = part.type === "text" ? findHandoff(part.text) : undefined;
    if (found) return found;
  }
  return undefined;
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

export function separateHandoff(message: Message): Separated {
  const at = message.parts.findIndex((part) => part.type === "text" && findHandoff(part.text) !== undefined);
  const part = message.parts[at];
  if (part?.type !== "text") return { own: message, handoff: undefined };
  const { rest } = findHandoff(part.text)!;
  const own: readonly Part[] =
    rest === "" ? message.parts.toSpliced(at, 1) : message.parts.with(at, { type: "text", text: rest });
  return {
    own: own.length > 0 ? withParts(message, own) : undefined,
    handoff: { ...withParts(message, [part]), role: "user", position: -1 },
  };
}

/** The hand-off's text before what the message says. */
export function mergeHandoff(text: string, message: Message): Message {
  return withParts(message, [{ type: "text", text }, ...message.parts]);
}
