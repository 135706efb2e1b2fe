/** ownHandoffs: which hand-offs in a conversation are ours, word for word. What only looks like one is data, and lays down no rule. */
import type { Archive } from "../archive/archive.ts";
import { archiveItem } from "../archive/item-id.ts";
import { separateHandoffs } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import { isHandoff } from "../engine/write.ts";
import type { Occasion } from "./occasion.ts";
import { idsIn, reach } from "./write-ahead.ts";

/** The occasion with the one that its state or the archive knows: each took in the one before it, so that any other is a copy. */
export async function withOwnHandoffs(occasion: Occasion, archive: Archive | undefined): Promise<Occasion> {
  const { conversation, state, name } = occasion;
  const texts = handoffTexts(conversation.messages);
  const newest = texts.find((text) => handoffKey(text) === state.handoff);
  if (newest !== undefined) return { ...occasion, ours: new Set([newest]) };
  if (!archive || texts.length === 0) return occasion;
  const keys = texts.map(handoffKey);
  // What another conversation was told is no rule of this one.
  const held = await reach(archive, async () =>
    name !== undefined && archive.held ? archive.held(name, keys) : idsIn(archive, keys, name),
  );
  const known = texts.find((_, at) => held.has(keys[at]!));
  return known === undefined ? occasion : { ...occasion, ours: new Set([known]) };
}

/** All that look like hand-offs of the engine. */
export function handoffTexts(messages: readonly Message[]): readonly string[] {
  return messages
    .flatMap((message) => separateHandoffs(message).handoffs)
    .filter(({ body }) => isHandoff(body))
    .map(({ framed }) => framed);
}

/** By which a hand-off is known again, word for word: the id under which an archive has it. */
export function handoffKey(text: string): string {
  return archiveItem("hand-off", text).id;
}
