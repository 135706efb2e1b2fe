/** Reads the history of a SWE-agent trajectory; a tool message names the call that it answers in a list. */
import type { RecordedMessage } from "../measure/cases.ts";
import type { WireToolCall } from "../measure/wire-message.ts";
import type { RecordLine } from "./sources.ts";

export function fromSweAgent(lines: readonly RecordLine[]): readonly RecordedMessage[] {
  const answered = new Set(lines.flatMap(({ tool_call_ids }) => (tool_call_ids as string[]) ?? []));
  const called = new Set<string>();
  return lines.map(({ role, content, tool_calls, tool_call_ids }) => {
    const calls = ((tool_calls as WireToolCall[]) ?? []).filter(({ id }) => answered.has(id));
    for (const { id } of calls) called.add(id);
    const answers = ((tool_call_ids as string[]) ?? [])[0];
    if (role === "tool" && answers !== undefined && called.has(answers)) {
      return { role: "tool", tool_call_id: answers, content };
    }
    return {
      role: role === "tool" ? "user" : String(role),
      content,
      ...(calls.length > 0 && { tool_calls: calls }),
    };
  });
}
