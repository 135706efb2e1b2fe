/** readableText: an original in the lines that a person would read: the texts of its messages instead of their JSON. */
import { textOfMessage } from "../conversation/message.ts";
import { InputError } from "../errors/input-error.ts";
import { readConversation } from "../formats/detect.ts";
import { parsedJson } from "../formats/wire-value.ts";
import type { RawOriginal } from "./raw-original.ts";

/** What holds no messages, or messages of a shape that no format knows, comes as it is. */
export function readableText({ kind, text }: RawOriginal): string {
  if (kind !== "message" && kind !== "span") return text;
  const parsed = parsedJson(text);
  const messages = (Array.isArray(parsed) ? parsed : [parsed]).filter((each) => each !== null);
  try {
    return readConversation(messages).messages.map(textOfMessage).join("\n\n") || text;
  } catch (problem) {
    if (problem instanceof InputError) return text;
    throw problem;
  }
}
