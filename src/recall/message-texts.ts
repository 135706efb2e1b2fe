/** messageTexts: messages of an archive by their ids, as the JSON that they were. */
import type { Archive } from "../archive/archive.ts";

export interface MessageText {
  readonly id: string;
  /** `null` where it was erased. */
  readonly text: string;
}

export async function messageTexts(
  archive: Archive,
  ids: readonly string[],
): Promise<readonly MessageText[]> {
  const pieces = archive.getMany ? await archive.getMany(ids) : await Promise.all(ids.map(archive.get));
  return ids.map((id, at) => {
    const piece = pieces[at];
    return { id, text: piece && piece.forgotten === undefined ? piece.content : "null" };
  });
}

/** Messages as one JSON list. */
export function listText(messages: readonly { readonly text: string }[]): string {
  return `[${messages.map(({ text }) => text).join(",\n")}]`;
}
