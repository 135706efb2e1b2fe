/** rangeText: messages by place, each under a heading with its number, role and id. */
import type { ArchivedMessage } from "../archive/archive.ts";

export function rangeText(messages: readonly ArchivedMessage[]): string {
  return messages
    .map(({ position, role, id, text }) => `[message ${position}, ${role}, ${id}]\n${text}`)
    .join("\n\n");
}
