/** readableText: an original in the lines that a person would read: the texts of its messages instead of their JSON. */
import { textOfMessage } from "../conversation/message.ts";
import type { RawOriginal } from "./raw-original.ts";
import { storedMessages } from "./stored-message.ts";

/** What holds no messages, or messages of a shape that no format knows, comes as it is. */
export function readableText({ kind, text }: Pick<RawOriginal, "kind" | "text">): string {
  if (kind !== "message" && kind !== "span") return text;
  return storedMessages(text).map(textOfMessage).join("\n\n") || text;
}
