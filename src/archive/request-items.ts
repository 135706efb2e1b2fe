/** requestItems: a whole request body as items, from which its text can be put together again byte for byte. */
import type { Message } from "../conversation/message.ts";
import type { ArchiveItem } from "./archive.ts";
import { archiveItem } from "./item-id.ts";
import { type Marks, wireTextOf } from "./marks.ts";

export interface RequestItems {
  /** Names all pieces in order: joined, they are the body. */
  readonly request: ArchiveItem;
  /** The pieces of it that are no messages. */
  readonly glue: readonly ArchiveItem[];
}

/** @param messages of the body, as they were read from it */
export function requestItems(body: unknown, messages: readonly Message[], marks: Marks): RequestItems {
  const text = bodyText(body);
  const glue: ArchiveItem[] = [];
  const ids: string[] = [];
  let from = 0;
  const addGlue = (end: number): void => {
    if (end === from) return;
    const item = archiveItem("glue", text.slice(from, end));
    glue.push(item);
    ids.push(item.id);
  };
  for (const { start, end, message } of slicesOf(text, messages)) {
    if (start < from) continue;
    addGlue(start);
    ids.push(marks.message(message));
    from = end;
  }
  addGlue(text.length);
  return { request: archiveItem("request", ids.join("\n")), glue };
}

/** A body that is a value is kept as the JSON that a client would send. */
function bodyText(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

interface MessageSlice {
  readonly start: number;
  readonly end: number;
  readonly message: Message;
}

/** Where each message is in the text. One that is not found, such as a rewritten system prompt, is glue. */
function slicesOf(text: string, messages: readonly Message[]): readonly MessageSlice[] {
  const slices: MessageSlice[] = [];
  let from = 0;
  for (const message of messages) {
    const wire = wireTextOf(message);
    const start = text.indexOf(wire, from);
    if (start < 0) continue;
    slices.push({ start, end: start + wire.length, message });
    // A system prompt may be beside the list of messages, before or after it.
    if (message.role !== "system") from = start + wire.length;
  }
  return slices.sort((one, other) => one.start - other.start);
}
