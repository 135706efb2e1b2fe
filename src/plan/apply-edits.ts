/** Carries out edits on a list of messages. */
import type { Message } from "../conversation/message.ts";
import type { Edit } from "./plan.ts";

/** Edits name positions of the original conversation; messages that Pith wrote have none and stay where they are. */
export function applyEdits(messages: readonly Message[], edits: readonly Edit[]): readonly Message[] {
  const replaced = new Map<number, Message>();
  const removed = new Set<number>();
  const inserted = new Map<number, Message[]>();
  const sort = (edit: Edit): void => {
    // Most edits remove a message.
    if (edit.kind === "remove") removed.add(edit.position);
    else if (edit.kind === "replace") replaced.set(edit.position, edit.message);
    else inserted.set(edit.before, [...(inserted.get(edit.before) ?? []), edit.message]);
  };
  const result: Message[] = [];
  const place = (message: Message): void => {
    const before = inserted.get(message.position);
    if (before) {
      result.push(...before);
      inserted.delete(message.position);
    }
    if (!removed.has(message.position)) result.push(replaced.get(message.position) ?? message);
  };
  // Not in loops that are passed once: what is called often is compiled well.
  edits.forEach(sort);
  messages.forEach(place);
  // What was to be before a position past the end is last.
  for (const rest of inserted.values()) result.push(...rest);
  return result;
}
