/** elementPlaces: which elements of the body's list each message of a conversation is, as it was read and as it is written. */
import type { Conversation } from "../conversation/conversation.ts";
import type { Message } from "../conversation/message.ts";
import type { Envelope } from "./body.ts";
import { formatNamed } from "./detect.ts";

type Indices = readonly number[];

export interface ElementPlaces {
  /** By the positions of the messages that were read. */
  readonly read: readonly Indices[];
  /** By the order of the messages as they are now. */
  readonly written: readonly Indices[];
}

/** A system prompt beside the list is none of its elements. */
export function elementPlaces({ format, messages, envelope }: Conversation): ElementPlaces {
  const { messages: listed, system } = envelope as Envelope;
  const { elements = () => 1 } = formatNamed(format);
  const shift = system === undefined ? 0 : 1;
  const read = consecutive(listed.map(elements));
  const isBeside = ({ raw }: Message): boolean => raw !== undefined && raw === system;
  return {
    read: [...Array<Indices>(shift).fill([]), ...read],
    written: consecutive(messages.map((message) => (isBeside(message) ? 0 : elements(message)))),
  };
}

function consecutive(counts: readonly number[]): readonly Indices[] {
  let next = 0;
  return counts.map((count) => Array.from({ length: count }, () => next++));
}
