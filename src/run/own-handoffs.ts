/** ownHandoffs: which hand-offs in a conversation are ours. What only looks like one is data, and lays down no rule. */
import type { Archive } from "../archive/archive.ts";
import { handoffIn } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import { handoffKey, isHandoff } from "../engine/write.ts";
import type { Occasion } from "./occasion.ts";
import { idsIn, reach } from "./write-ahead.ts";

/** The occasion with the keys that its state or the archive knows. */
export async function withOwnHandoffs(occasion: Occasion, archive: Archive | undefined): Promise<Occasion> {
  const keys = handoffKeys(occasion.conversation.messages);
  if (keys.length === 0) return occasion;
  const ours = new Set(keys.filter((key) => key === occasion.state.handoff));
  const ids = keys.filter((key) => key.startsWith("pith:") && !ours.has(key));
  if (archive && ids.length > 0) {
    const known = await reach(archive, () => idsIn(archive, ids, occasion.name));
    for (const id of known) ours.add(id);
  }
  return { ...occasion, ours };
}

/** The keys of all that look like hand-offs of the engine. */
export function handoffKeys(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => {
    const found = handoffIn(message);
    return found && isHandoff(found.body) ? [handoffKey(found.body)] : [];
  });
}
