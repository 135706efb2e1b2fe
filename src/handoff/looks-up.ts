/** Tells calls that only look something up, by a word of the tool's name; any other may have done what cannot be undone. */

import { argumentsOf } from "../reading/calls/call-reading.ts";
import type { ReadCall } from "../reading/read-turns.ts";

/** Words of the names of tools that look. */
const LOOKS =
  /(?:^|_)(?:get|list|search|find|read|fetch|query|lookup|look|think|calculate|check|view|grep|glob|ls|browse|open|scroll|show|describe|count|web|google|visit|inspect|wikipedia|extract|transcribe|convert|route|resolve|status|output)(?:_|$)/;

/** Whether a tool of this name only looks something up. */
export function looksUp(name: string): boolean {
  return LOOKS.test(
    name
      .replace(/([a-z\d])([A-Z])/g, "$1_$2")
      .replace(/[^A-Za-z\d]+/g, "_")
      .toLowerCase(),
  );
}

/** Whether a call only looked; a tool that calls others says in its arguments which. */
export function callOnlyLooks({ call, actions }: ReadCall): boolean {
  if (looksUp(call.name) || actions[0]?.kind === "web") return true;
  const { tool_name: name, toolName = name } = argumentsOf(call);
  return typeof toolName === "string" && looksUp(toolName);
}
