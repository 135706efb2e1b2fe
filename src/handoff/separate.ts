/** Takes a hand-off out of the message it was merged into, and merges one in. */
import { type Message, withParts } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { findHandoff } from "./prefixes.ts";

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
  const others: Part[] = message.parts.filter((each) => each !== part);
  const own: readonly Part[] =
    rest === "" ? others : message.parts.toSpliced(at, 1, { type: "text", text: rest });
  return {
    own: own.length > 0 ? withParts(message, own) : undefined,
    handoff: { ...withParts(message, [part]), role: "user" },
  };
}

/** The hand-off's text before what the message says. */
export function mergeHandoff(text: string, message: Message): Message {
  return withParts(message, [{ type: "text", text }, ...message.parts]);
}
