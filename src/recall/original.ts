/** originalOf: what an id stands for, as text that a model can read. */
import type { Archive, ArchivedMessage, StoredItem } from "../archive/archive.ts";
import { textOfMessage } from "../conversation/message.ts";
import { readConversation } from "../formats/detect.ts";

export interface Original {
  readonly kind: StoredItem["kind"];
  /** A message as its text, a span as its messages with a heading each, a request as its body, anything else as it is stored. */
  readonly text: string;
  /** When it was erased; then the text is empty. Milliseconds since the epoch. */
  readonly forgotten?: number;
}

/** Undefined when the archive never had it. */
export async function originalOf(archive: Archive, id: string): Promise<Original | undefined> {
  const item = await archive.get(id);
  if (item === undefined) return undefined;
  const { kind, forgotten } = item;
  if (forgotten !== undefined) return { kind, text: "", forgotten };
  if (kind === "message") return { kind, text: readMessage(item.content).text };
  if (kind === "span" || kind === "request") {
    const pieces = await itemsOf(archive, item.content.split("\n").filter(Boolean));
    return { kind, text: kind === "span" ? spanText(pieces) : pieces.map(contentOf).join("") };
  }
  return { kind, text: item.content };
}

/** Messages by place, each under a heading with its number, role and id. */
export function rangeText(messages: readonly ArchivedMessage[]): string {
  return messages
    .map(({ position, role, id, text }) => `[message ${position}, ${role}, ${id}]\n${text}`)
    .join("\n\n");
}

interface Piece {
  readonly id: string;
  readonly item: StoredItem | undefined;
}

async function itemsOf(archive: Archive, ids: readonly string[]): Promise<readonly Piece[]> {
  const items = archive.getMany
    ? await archive.getMany(ids)
    : await Promise.all(ids.map((id) => archive.get(id)));
  return ids.map((id, index) => ({ id, item: items[index] }));
}

function spanText(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      const { item } = piece;
      if (item?.kind !== "message" || item.forgotten !== undefined) return contentOf(piece);
      const { role, text } = readMessage(item.content);
      return `[${role}, ${piece.id}]\n${text}`;
    })
    .join("\n\n");
}

function contentOf({ id, item }: Piece): string {
  if (item === undefined) return `[${id} is not in the archive]`;
  return item.forgotten === undefined ? item.content : `[${id} was erased]`;
}

/** A message is stored as its wire JSON; what is no JSON of a known format is its own text. */
function readMessage(json: string): { readonly role: string; readonly text: string } {
  try {
    const [message] = readConversation([JSON.parse(json)]).messages;
    if (message) return { role: message.role, text: textOfMessage(message) };
  } catch {
    // Falls through: the stored characters are the best that can be shown.
  }
  return { role: "message", text: json };
}
