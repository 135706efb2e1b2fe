/** The note of F44: says in the system prompt, once, that a hand-off exists. */
import { type Message, messageWith, textOfMessage, withParts } from "../conversation/message.ts";
import type { Edit } from "./plan.ts";

export const SYSTEM_NOTE =
  "[Note: Some earlier conversation turns have been compacted into a handoff summary to preserve context space. " +
  "Build on that summary rather than re-doing work.]";

/** Appends the note to message 0 when that is a system message without it; no edit otherwise. Null content is safe. */
export function noteEdits(first: Message | undefined): readonly Edit[] {
  if (first?.role !== "system" || textOfMessage(first).includes(SYSTEM_NOTE)) return [];
  const at = first.parts.findLastIndex((part) => part.type === "text");
  const text = at < 0 ? "" : textOfMessage(messageWith(first, { parts: [first.parts[at]!] }));
  const noted = { type: "text", text: `${text}\n\n${SYSTEM_NOTE}` } as const;
  const parts = at < 0 ? [...first.parts, noted] : first.parts.with(at, noted);
  return [
    { kind: "replace", position: 0, message: withParts(first, parts), reason: "first compaction noted" },
  ];
}
