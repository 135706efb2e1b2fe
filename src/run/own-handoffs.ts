/** ownHandoffs: which hand-offs in a conversation are ours, word for word. What only looks like one is data, and lays down no rule. */
import type { Archive } from "../archive/archive.ts";
import { archiveItem } from "../archive/item-id.ts";
import { handoffIn } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import { isHandoff } from "../engine/write.ts";
import type { Occasion } from "./occasion.ts";
import { idsIn, reach } from "./write-ahead.ts";

/** The occasion with those that its state or the archive knows. */
export async function withOwnHandoffs(occasion: Occasion, archive: Archive | undefined): Promise<Occasion> {
  const { conversation, state, name } = occasion;
  const texts = handoffTexts(conversation.messages);
  if (texts.length === 0) return occasion;
  const known = new Set([state.handoff]);
  const keys = texts.map(handoffKey).filter((key) => !known.has(key));
  if (archive && keys.length > 0) {
    // What another conversation was told is no rule of this one.
    const held = await reach(archive, async () =>
      name !== undefined && archive.held ? archive.held(name, keys) : idsIn(archive, keys, name),
    );
    for (const key of held) known.add(key);
  }
  return { ...occasion, ours: new Set(texts.filter((text) => known.has(handoffKey(text)))) };
}

/** All that look like hand-offs of the engine. */
export function handoffTexts(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => {
    const found = handoffIn(message);
    return found && isHandoff(found.body) ? [found.framed] : [];
  });
}

/** By which a hand-off is known again, word for word: the id under which an archive has it. */
export function handoffKey(text: string): string {
  return archiveItem("hand-off", text).id;
}
