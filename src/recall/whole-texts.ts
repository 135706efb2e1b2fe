/** Texts as they were before earlier compactions cut them: what was cut names the whole in its note. */
import type { Archive } from "../archive/archive.ts";
import { MARKER } from "../archive/item-id.ts";
import { noteOf } from "../conversation/shape-note.ts";
import type { MessageText } from "./message-texts.ts";
import { storedMessages } from "./stored-message.ts";

/** The same message, each text in it that was cut as it was before; what the archive does not have stays cut. */
export async function withWholeTexts(
  archive: Archive,
  { id, text: given }: MessageText,
): Promise<MessageText> {
  let text = given;
  // What was cut may have been cut before.
  for (let pass = 0; pass < MOST_CUTS; pass++) {
    let whole = text;
    for (const cut of cutTexts(text)) {
      const original = await originalOf(archive, cut);
      if (original !== undefined) whole = whole.replace(inJson(cut), () => inJson(original));
    }
    if (whole === text) break;
    text = whole;
  }
  return { id, text };
}

const MOST_CUTS = 20;

function cutTexts(json: string): readonly string[] {
  if (!json.includes("[pith shaped: ")) return [];
  return storedMessages(json)
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === "text" || part.type === "tool-result" ? part.text : []))
    .filter((text) => noteOf(text) !== undefined);
}

async function originalOf(archive: Archive, cut: string): Promise<string | undefined> {
  const [, id] = REST.exec(noteOf(cut)!) ?? [];
  if (id === undefined || !id.match(MARKER)) return undefined;
  const item = await archive.get(id);
  return item?.kind === "text" && item.forgotten === undefined ? item.content : undefined;
}

const REST = /; rest: (\S+)\]$/;

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
