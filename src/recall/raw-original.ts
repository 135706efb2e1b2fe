/** rawOriginal: exactly what an id stands for, for programs: a text as it is, a message as JSON, a span as a JSON list. */
import type { Archive, StoredItem } from "../archive/archive.ts";
import { parsedJson } from "../formats/wire-value.ts";

export interface RawOriginal {
  readonly kind: StoredItem["kind"];
  readonly text: string;
  /** Of a span, its messages as JSON, each with its id. */
  readonly messages?: readonly { readonly id: string; readonly text: string }[];
  /** When it was erased; milliseconds since the epoch. Then the text is empty. */
  readonly forgotten?: number;
}

/** Undefined when the archive never had it. A piece of a span or a request that was erased is null, or nothing. */
export async function rawOriginal(archive: Archive, id: string): Promise<RawOriginal | undefined> {
  const item = await archive.get(id);
  if (!item) return undefined;
  const { kind, content, forgotten } = item;
  if (forgotten !== undefined) return { kind, text: "", forgotten };
  // A message that takes several elements of its list is stored as these, with commas between them.
  if (kind === "message") return { kind, text: parsedJson(content) === undefined ? `[${content}]` : content };
  if (kind !== "span" && kind !== "request") return { kind, text: content };
  const ids = content.split("\n").filter(Boolean);
  const pieces = archive.getMany ? await archive.getMany(ids) : await Promise.all(ids.map(archive.get));
  const texts = pieces.map((piece) => (piece?.forgotten === undefined ? piece?.content : undefined));
  if (kind === "request") return { kind, text: texts.map((text) => text ?? "").join("") };
  const messages = ids.map((each, at) => ({ id: each, text: texts[at] ?? "null" }));
  return { kind, text: listText(messages), messages };
}

/** Messages as one JSON list. */
export function listText(messages: readonly { readonly text: string }[]): string {
  return `[${messages.map(({ text }) => text).join(",\n")}]`;
}
