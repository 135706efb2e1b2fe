/** Reads a tau2 simulation: its calls have a name and arguments of their own, its tool messages the id of the call. */
import type { RecordedMessage } from "../measure/cases.ts";
import type { RecordLine } from "./sources.ts";

interface Tau2Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

export function fromTau2(lines: readonly RecordLine[]): readonly RecordedMessage[] {
  return lines.map(({ role, content, tool_calls, id }) => {
    if (role === "tool") return { role, tool_call_id: String(id), content };
    const calls = ((tool_calls as Tau2Call[]) ?? []).map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }));
    return { role: String(role), content, ...(calls.length > 0 && { tool_calls: calls }) };
  });
}
