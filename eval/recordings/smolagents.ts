/** Reads a smolagents run. Its calls and answers are texts, and go to a model as the assistant's and the user's words. */
import type { RecordedMessage } from "../measure/cases.ts";
import type { RecordLine } from "./sources.ts";

const roles: Readonly<Record<string, string>> = { "tool-call": "assistant", "tool-response": "user" };

export function fromSmolagents(lines: readonly RecordLine[]): readonly RecordedMessage[] {
  return lines.map(({ role, content }) => ({ role: roles[String(role)] ?? String(role), content }));
}
