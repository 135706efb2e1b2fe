/** What is asked about: everything that a model sees of a result, but for the system messages that it was given. */
import { textOf, type WireMessage } from "../measure/wire-message.ts";

export function resultText(past: readonly WireMessage[], result: readonly WireMessage[] = []): string {
  const given = new Set(past.filter(({ role }) => role === "system").map(textOf));
  return result
    .map((message) => (message.role === "system" && given.has(textOf(message)) ? "" : textOf(message)))
    .join("\n");
}
