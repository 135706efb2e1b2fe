/** Reads a trajectory of nebius/SWE-agent-trajectories: the role `ai`, and the text under one of two names. */
import type { RecordedMessage } from "../measure/cases.ts";
import type { RecordLine } from "./sources.ts";

export function fromNebius(lines: readonly RecordLine[]): readonly RecordedMessage[] {
  return lines.map(({ role, text, system_prompt }) => ({
    role: role === "ai" ? "assistant" : String(role),
    content: String(text ?? system_prompt ?? ""),
  }));
}
