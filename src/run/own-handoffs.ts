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
  const ours = await ownHandoffs(conversation.messages, { archive, name, known: state.handoff });
  return ours.size > 0 ? { ...occasion, ours } : occasion;
}

export interface KnownHandoffs {
  readonly archive: Archive | undefined;
  /** Whose hand-offs count. */
  readonly name: string | undefined;
  /** The key of the one that is known without the archive. */
  readonly known?: string | undefined;
}

/** The text of the one that is ours, if one is. */
export async function ownHandoffs(
  messages: readonly Message[],
  { archive, name, known }: KnownHandoffs,
): Promise<ReadonlySet<string>> {
  const texts = handoffTexts(messages);
  // In bare form nothing in the text says whose it is.
  const newest = allTexts(messages).find((text) => handoffKey(text) === known);
  if (newest !== undefined) return new Set([newest]);
  if (!archive || texts.length === 0) return new Set();
  const keys = texts.map(handoffKey);
  // What another conversation was told is no rule of this one.
  const held = await reach(archive, async () =>
    name !== undefined && archive.held ? archive.held(name, keys) : idsIn(archive, keys, name),
  );
  const archived = texts.find((_, at) => held.has(keys[at]!));
  return new Set(archived === undefined ? [] : [archived]);
}

function allTexts(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => separateHandoffs(message).handoffs.map(({ framed }) => framed));
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
