/** Labels of a digest: who said a line, or in which file it stands. */
import {
  callsById,
  isUserMessage,
  type Message,
  makesCalls,
  toolResultsOf,
} from "../conversation/message.ts";
import { fileOfCall } from "./file-of-call.ts";
import { handoffIn } from "./separate.ts";
import { isProgramText } from "./user-words.ts";

/**
 * The label before what a message said, by its number: `user: `, `assistant: `, `skill: `, the file that a tool was asked about, the
 * tool's name, or `tool: ` for what a program printed under the user's role. A message's own calls name themselves, and an old hand-off's lines have their labels.
 */
export function labelsOf(messages: readonly Message[]): (at: number) => string {
  const calls = callsById(messages);
  const labelOf = (message: Message): string => {
    if (handoffIn(message)) return "";
    const result = toolResultsOf(message)[0];
    const call = result && calls.get(result.pairId);
    if (result) return `${(call && fileOfCall(call.arguments)) ?? call?.name ?? "tool"}: `;
    if (message.role === "user" && !isUserMessage(message)) return "skill: ";
    if (isProgramText(message)) return "tool: ";
    return message.role === "assistant" && makesCalls(message) ? "" : `${message.role}: `;
  };
  const labels: string[] = [];
  return (at) => (labels[at] ??= labelOf(messages[at]!));
}
