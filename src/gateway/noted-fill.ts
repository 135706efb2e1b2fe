/** notedFill: a request's body with how full the context is behind its last message. */
import { type ContextFill, fillNote } from "../agent-control/fill-note.ts";
import { readJsonSource } from "../json/source.ts";
import { formatNamed } from "../providers/detect.ts";

/** Not where the provider caches up to whatever comes last: a note that is gone with the next request would be in the way. */
export function notedFill(text: string, format: string, fill: ContextFill): string {
  const { elements, rest = {} } = readJsonSource(text);
  const last = elements.at(-1);
  if (!last || rest.cache_control) return text;
  const message: unknown = JSON.parse(text.slice(last.start, last.end));
  const noted = formatNamed(format).noted(message, fillNote(fill));
  if (noted === message) return text;
  return `${text.slice(0, last.start)}${JSON.stringify(noted)}${text.slice(last.end)}`;
}
