/** toolNamesOf: for each message, the names of the tools that it calls or answers for. */
import { callsById, type Message, toolCallsOf, toolResultsOf } from "./message.ts";

export function toolNamesOf(messages: readonly Message[]): readonly (readonly string[])[] {
  const calls = callsById(messages);
  return messages.map((message) => {
    const called = toolCallsOf(message).map(({ name }) => name);
    const answered = toolResultsOf(message).flatMap(({ pairId }) => calls.get(pairId)?.name ?? []);
    return [...new Set([...called, ...answered])];
  });
}
