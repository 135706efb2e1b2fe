/** Messages as a person reads them: the role, the text, and each call on a line of its own. */
import type { WireMessage } from "./wire-message.ts";

interface RenderOptions {
  /** A longer message is cut in its middle, to so many characters. @default nothing is cut */
  readonly longest?: number;
  /** The same for what a tool printed and what a call was given; words stay whole. @default nothing is cut */
  readonly longestOutput?: number;
}

/** All messages but the system's, which compaction leaves as they are. */
export function renderMessages(
  messages: readonly WireMessage[],
  { longest = Number.POSITIVE_INFINITY, longestOutput = Number.POSITIVE_INFINITY }: RenderOptions = {},
): string {
  const told = messages
    .filter(({ role }) => role !== "system")
    .map((message) => `${headingOf(message)}\n${clipped(bodyOf(message, longestOutput), longest)}`);
  return `${told.join("\n\n")}\n`;
}

/** What a message says, without its calls. Parts that are no text stand as their type. */
export function saidText({ content }: WireMessage): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: { text?: string; type?: string }) => part.text ?? `[${part.type ?? "part"}]`)
    .join("\n");
}

function headingOf({ role, tool_call_id }: WireMessage): string {
  return tool_call_id ? `### ${role} (result of ${tool_call_id})` : `### ${role}`;
}

function bodyOf(message: WireMessage, longestOutput: number): string {
  const calls = (message.tool_calls ?? []).map(
    (call) => `\n→ call ${call.id}: ${call.function.name} ${clipped(call.function.arguments, longestOutput)}`,
  );
  const said = saidText(message);
  return (message.role === "tool" ? clipped(said, longestOutput) : said) + calls.join("");
}

function clipped(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const half = Math.floor(longest / 2);
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters …]\n${text.slice(-half)}`;
}
