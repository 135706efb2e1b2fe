/** The messages that a stored text holds: one, or a list of them. */

import { separateHandoff } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import { InputError } from "../errors/input-error.ts";
import { parsedJson } from "../json/wire-value.ts";
import { readConversation } from "../providers/detect.ts";

/** None where it is of a shape that no format knows. What was erased from a list is left out. */
export function storedMessages(text: string): readonly Message[] {
  // A message that takes several elements of its list is stored as these, with commas between them.
  const parsed = parsedJson(text) ?? parsedJson(`[${text}]`);
  const messages = (Array.isArray(parsed) ? parsed : [parsed]).filter((each) => each != null);
  try {
    return messages.length === 0 ? [] : readConversation(messages, { isPart: true }).messages;
  } catch (problem) {
    if (problem instanceof InputError) return [];
    throw problem;
  }
}

/** What their authors said, without the hand-offs that were merged in. */
export function ownMessages(text: string): readonly Message[] {
  return storedMessages(text).flatMap((message) => separateHandoff(message).own ?? []);
}
