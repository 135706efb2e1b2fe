/** elementPlaces: which elements of the body's list each message of a conversation is, as it was read and as it is written. */
import type { Conversation } from "../conversation/conversation.ts";
import type { Message } from "../conversation/message.ts";
import type { Slice } from "../json/scan.ts";
import type { Envelope } from "./body.ts";
import { formatNamed } from "./detect.ts";

export interface ElementPlaces {
  /** By the positions of the messages that were read. */
  readonly read: readonly Slice[];
  /** By the order of the messages as they are now. */
  readonly written: readonly Slice[];
}

/** A system prompt beside the list is none of its elements. */
export function elementPlaces({ format, messages, envelope }: Conversation): ElementPlaces {
  const { messages: listed, system } = envelope as Envelope;
  const { elements = () => 1 } = formatNamed(format);
  const shift = system === undefined ? 0 : 1;
  const read = slices(listed.map(elements));
  const isBeside = ({ raw }: Message): boolean => raw !== undefined && raw === system;
  return {
    read: [...Array<Slice>(shift).fill({ start: 0, end: 0 }), ...read],
    written: slices(messages.map((message) => (isBeside(message) ? 0 : elements(message)))),
  };
}

function slices(counts: readonly number[]): readonly Slice[] {
  let end = 0;
  return counts.map((count) => {
    const start = end;
    end += count;
    return { start, end };
  });
}
