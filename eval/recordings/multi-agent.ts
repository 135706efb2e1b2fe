/** Reads a shared conversation of several named agents: what any agent says is the assistant's, with its name before it. */
import type { RecordedMessage } from "../measure/cases.ts";
import type { RecordLine } from "./sources.ts";

const people = ["human", "user"];

export function fromMultiAgent(lines: readonly RecordLine[]): readonly RecordedMessage[] {
  return lines.map(({ role, name, content }) => {
    const speaker = String(name ?? role);
    const said = typeof content === "string" ? content : JSON.stringify(content ?? "");
    const isPerson = people.includes(String(role));
    return {
      role: isPerson ? "user" : "assistant",
      content: speaker === "human" ? said : `${speaker}: ${said}`,
    };
  });
}
