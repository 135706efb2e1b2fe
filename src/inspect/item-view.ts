/** itemView: an original as people read it: a message as its parts, everything else as its text; a page of lines at a time. */
import type { Archive, StoredItem } from "../archive/archive.ts";
import { idsOfItem } from "../archive/named-ids.ts";
import type { Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { textOfPart } from "../conversation/part.ts";
import { parsedJson } from "../json/wire-value.ts";
import { rawOriginal } from "../recall/raw-original.ts";
import { messagesUnder } from "./message-facts.ts";
import { kindOfPart } from "./token-kinds.ts";
import type { ItemView } from "./views.ts";

export interface ItemPage {
  readonly from: number;
  readonly count: number;
  /** As it is stored. */
  readonly raw: boolean;
}

export const MOST_LINES = 2_000;
const LONGEST_LINE = 10_000;

/** Undefined where the archive never had it. */
export async function itemView(archive: Archive, id: string, page: ItemPage): Promise<ItemView | undefined> {
  const item = await archive.get(id);
  if (!item) return undefined;
  const { kind, masked, forgotten } = item;
  const erased = forgotten === undefined ? {} : { forgotten };
  const readable = page.raw ? undefined : await readableItem(archive, item);
  const text = readable ?? plain((await rawOriginal(archive, id))?.text ?? "");
  return { id, kind, masked, ...pageOf(text, page), ...erased };
}

/** A message that is in no archive. */
export function draftView(id: string, message: Message, page: ItemPage): ItemView {
  return { id, kind: "message", masked: [], ...pageOf(readable([message]), page) };
}

interface Readable {
  readonly lines: readonly string[];
  readonly pieces: ItemView["pieces"];
}

async function readableItem(archive: Archive, item: StoredItem): Promise<Readable | undefined> {
  const { id, kind } = item;
  if (kind !== "message" && kind !== "span") return undefined;
  const ids = kind === "span" ? idsOfItem(item) : [id];
  const messages = await messagesUnder(archive, ids, undefined);
  return messages.size === 0 ? undefined : readable(ids.flatMap((each) => messages.get(each) ?? []));
}

function readable(messages: readonly Message[]): Readable {
  const lines: string[] = [];
  const pieces: ItemView["pieces"][number][] = [];
  for (const message of messages) {
    for (const part of message.parts) {
      const tool = part.type === "tool-call" ? { tool: part.name } : {};
      pieces.push({ line: lines.length, kind: kindOfPart(message, part), ...tool });
      for (const line of readableText(part).split("\n")) lines.push(line);
    }
  }
  return { lines, pieces };
}

/** A call's arguments over several lines; what cannot be shown, by its kind. */
function readableText(part: Part): string {
  if (part.type === "media") return `[${part.kind}]`;
  if (part.type === "opaque" && part.text === "") return `[${part.kind}]`;
  if (part.type !== "tool-call") return textOfPart(part);
  const value = parsedJson(part.arguments);
  return value === undefined ? part.arguments : JSON.stringify(value, undefined, 2);
}

function plain(text: string): Readable {
  return { lines: text === "" ? [] : text.split("\n"), pieces: [] };
}

function pageOf(
  { lines, pieces }: Readable,
  { from, count }: ItemPage,
): Omit<ItemView, "id" | "kind" | "masked"> {
  return {
    total: lines.length,
    from,
    lines: lines
      .slice(from, from + Math.min(count, MOST_LINES))
      .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line)),
    pieces,
  };
}
