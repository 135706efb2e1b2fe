/** Pairs: whether roles and calls are as a provider requires, found without the judged package. */
import type { WireMessage } from "../measure/wire-message.ts";

const roles = new Set(["system", "developer", "user", "assistant", "tool"]);

/** What is wrong, without its place: a fault that the past has already is not the result's. */
export function pairFaults(messages: readonly WireMessage[]): ReadonlySet<string> {
  const faults = new Set<string>();
  const open = new Set<string>();
  for (const { role, content, tool_calls, tool_call_id } of messages) {
    if (!roles.has(role)) faults.add("unknown role");
    if (role === "tool") {
      if (!open.delete(tool_call_id ?? "")) faults.add("result without its call");
      continue;
    }
    if (open.size > 0) faults.add("call without its result");
    open.clear();
    for (const { id } of tool_calls ?? []) {
      if (open.has(id)) faults.add("two calls of one id");
      open.add(id);
    }
    if ((tool_calls ?? []).length > 0 && role !== "assistant") faults.add("call of another role");
    if (open.size === 0 && (content ?? "") === "") faults.add("empty message");
  }
  if (open.size > 0) faults.add("call without its result");
  const first = messages.find(({ role }) => role !== "system" && role !== "developer");
  if (first?.role !== "user") faults.add("no user message first");
  return faults;
}
