/** Titles: what people call conversations that have names for programs, kept beside them. */
import { isObject, parsedJson } from "../json/wire-value.ts";
import type { Archive } from "./archive.ts";
import { archiveItem } from "./item-id.ts";
import { writeTo } from "./ready-write.ts";
import { unlisted } from "./unlisted.ts";

export interface TitleToKeep {
  readonly conversation: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export async function keepTitle(archive: Archive, { conversation, title, at }: TitleToKeep): Promise<void> {
  if ((await titlesOf(archive, [conversation])).get(conversation) === title) return;
  const items = [archiveItem("state", JSON.stringify({ at, title }))];
  await writeTo(archive, { conversation: titlePlace(conversation), about: conversation, at, items });
}

/** Of those that have one. */
export async function titlesOf(
  archive: Archive,
  conversations: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const kept = (await archive.checkpoints?.(conversations.map(titlePlace))) ?? [];
  const states = new Map(kept.map(({ conversation, state }) => [conversation, parsedJson(state)]));
  return new Map(
    conversations.flatMap((conversation) => {
      const state = states.get(titlePlace(conversation));
      return isObject(state) && typeof state.title === "string" ? [[conversation, state.title]] : [];
    }),
  );
}

function titlePlace(conversation: string): string {
  return unlisted(`${conversation}/title`);
}
