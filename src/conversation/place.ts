/** Where a placed message may be: a program's words among the messages. */
import type { Message } from "./message.ts";

/** Whether it may be between these two: right after the user's, or what a server tool answered, and before the assistant's or last. */
export function isPlace(previous: Message | undefined, next: Message | undefined): boolean {
  if (previous === undefined || (next !== undefined && next.role !== "assistant")) return false;
  const last = previous.parts.at(-1);
  return previous.role === "user" || (last?.type === "tool-result" && last.server);
}
