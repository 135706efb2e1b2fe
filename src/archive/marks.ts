/** Marks: an id for everything that leaves the context, a function of what it stands for. */
import type { Message } from "../conversation/message.ts";
import { noteOf, SHAPE_NOTE } from "../conversation/shape-note.ts";
import type { ArchiveItem } from "./archive.ts";
import { archiveItem } from "./item-id.ts";
import { spanText } from "./span-pieces.ts";

export interface Marks {
  /** The id under which a piece of text can be asked for. */
  readonly text: (text: string) => string;
  /** The id of a message as it came in. */
  readonly message: (message: Message) => string;
  /** The id of several of them, in order, each with the turns that it is of where these are numbered. */
  readonly span: (messages: readonly Message[], turns?: readonly string[]) => string;
  /** What the ids that were given stand for. More than what is in the result: a plan weighs what it does not do. */
  readonly items: ReadonlyMap<string, ArchiveItem>;
}

export function createMarks(): Marks {
  const items = new Map<string, ArchiveItem>();
  const texts = new Map<string, string>();
  const messages = new WeakMap<object, string>();
  const wires = new Map<string, string>();
  const add = (item: ArchiveItem): string => {
    items.set(item.id, item);
    return item.id;
  };
  const marks: Marks = {
    items,
    text: (text) => {
      const id = texts.get(text) ?? add(archiveItem("text", text));
      texts.set(text, id);
      return id;
    },
    message: (message) => {
      const key = message.raw ?? message;
      const known = messages.get(key);
      if (known !== undefined) return known;
      const wire = wireTextOf(message);
      const id = wires.get(wire) ?? add(archiveItem("message", wire));
      wires.set(wire, id);
      messages.set(key, id);
      return id;
    },
    span: (span, turns = []) => add(archiveItem("span", spanText(span.map(marks.message), turns))),
  };
  return marks;
}

/** The same where texts were shaped of these originals before: such a text names the whole already, and so does its id. */
export function marksAfter(marks: Marks, originals: readonly ArchiveItem[]): Marks {
  const ids: ReadonlySet<string | undefined> = new Set(originals.map(({ id }) => id));
  const shapedFrom = (text: string): string | undefined => {
    const id = SHAPE_NOTE.exec(noteOf(text) ?? "")?.[4];
    return ids.has(id) ? id : undefined;
  };
  return ids.size === 0 ? marks : { ...marks, text: (text) => shapedFrom(text) ?? marks.text(text) };
}

/** Takes as many tokens as any id does: what is laid out with it has room for the real one. */
export const LONGEST_ID = "pith:0g1q2v3j4x5z";

/**
 * The message as the wire had it: the very characters where the input was text. A message that is several elements of
 * its list is those elements, with commas between them.
 */
export function wireTextOf({ raw, role, parts }: Message): string {
  if (raw?.source !== undefined) return raw.source;
  const json = JSON.stringify(raw === undefined ? { role, parts } : raw.value);
  return Array.isArray(raw?.value) && role !== "system" ? json.slice(1, -1) : json;
}
