/** A wire message with a text behind what it says: in its string, or as one more block. */
import type { WireObject } from "../json/wire-value.ts";

/** The very message where it has neither. */
export function textBehind(message: WireObject, key: string, text: string, type = "text"): WireObject {
  const said = message[key];
  if (typeof said === "string") return { ...message, [key]: `${said}\n\n${text}` };
  return Array.isArray(said) ? { ...message, [key]: [...said, { type, text }] } : message;
}
