/** The text summary of source 3 (F58): assistant messages only, 100 characters each, 500 in all. */
import { type Message, proseOf } from "../conversation/message.ts";
import { isHandoffMessage } from "./separate.ts";

const SNIPPET_CHARS = 100;
const SUMMARY_CHARS = 500;

/** `[Archived 12 messages. Summary of prior work: Read the config; Fixed the parser]`. An earlier summary is not quoted again (R21). */
export function textSummary(messages: readonly Message[]): string {
  const snippets = messages
    .filter((message) => message.role === "assistant" && !isHandoffMessage(message))
    .map((message) => cut(sanitise(proseOf(message)), SNIPPET_CHARS).trim())
    .filter((snippet) => snippet !== "");
  const joined = snippets.join("; ");
  const capped = joined.length > SUMMARY_CHARS ? `${cut(joined, SUMMARY_CHARS)}...` : joined;
  return `[Archived ${messages.length} messages. Summary of prior work: ${capped}]`;
}

/** One line, no control characters. Paths and addresses stay: they are the most useful facts in it. */
function sanitise(text: string): string {
  // Only the start is used: a megabyte of reply is not worth a scan of the whole.
  return text
    .trimStart()
    .slice(0, 4 * SNIPPET_CHARS)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

/** Never between the halves of a surrogate pair. */
function cut(text: string, chars: number): string {
  const last = text.charCodeAt(chars - 1);
  return text.slice(0, text.length > chars && last >= 0xd800 && last < 0xdc00 ? chars - 1 : chars);
}
