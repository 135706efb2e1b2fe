/** rawOriginal: exactly what an id stands for, for programs: a text as it is, a message as JSON, a span as a JSON list. */
import type { Archive, StoredItem } from "../archive/archive.ts";
import { idsOfItem } from "../archive/named-ids.ts";
import { parsedJson } from "../json/wire-value.ts";
import { listText, type MessageText, messageTexts } from "./message-texts.ts";
import { type NotOpened, openPart } from "./open-part.ts";
import { readPartName } from "./part-name.ts";

export interface RawOriginal {
  readonly kind: StoredItem["kind"];
  readonly text: string;
  /** Of a span, its messages as JSON, each with its id. */
  readonly messages?: readonly MessageText[];
  /** When it was erased; milliseconds since the epoch. Then the text is empty. */
  readonly forgotten?: number;
}

/**
 * `pith:…#12` is turn 12 of what a hand-off stands for, see `readPartName`. Undefined when the archive never had it. A piece of a
 * span or a request that was erased is null, or nothing.
 */
export async function rawOriginal(archive: Archive, id: string): Promise<RawOriginal | undefined> {
  const original = await openOriginal(archive, id);
  return "problem" in original ? undefined : original;
}

/** The same; where there is none, the sentence that says why. */
export async function openOriginal(archive: Archive, name: string): Promise<RawOriginal | NotOpened> {
  const part = readPartName(name);
  if (part) {
    const opened = await openPart(archive, part);
    if ("problem" in opened) return opened;
    const messages = opened.turns.flatMap((turn) => turn.messages);
    return { kind: "span", text: listText(messages), messages };
  }
  const item = await archive.get(name);
  if (!item) return { problem: `Nothing is archived under ${name}.` };
  const { kind, content, forgotten } = item;
  if (forgotten !== undefined) return { kind, text: "", forgotten };
  // A message that takes several elements of its list is stored as these, with commas between them.
  if (kind === "message") return { kind, text: parsedJson(content) === undefined ? `[${content}]` : content };
  if (kind !== "span" && kind !== "request") return { kind, text: content };
  const messages = await messageTexts(archive, idsOfItem(item));
  if (kind === "span") return { kind, text: listText(messages), messages };
  return { kind, text: messages.map(({ text }) => (text === "null" ? "" : text)).join("") };
}
