/** What an earlier compaction put in place of what it left out: it says where that is, and is nobody's words or answer. */
import type { ToolCallPart } from "../../conversation/part.ts";

/** Of a text that only says that it is not shown, the id of what it replaces. */
export function leftOutOf(text: string): string | undefined {
  return idIn(text, NOT_SHOWN);
}

/** The same of a call's arguments, where all of them are left out. */
export function argumentsLeftOutOf({ call }: { readonly call: ToolCallPart }): string | undefined {
  return idIn(call.arguments, ARGUMENTS);
}

function idIn(text: string, pattern: RegExp): string | undefined {
  const found = text.length < MOST_CHARS ? pattern.exec(text) : null;
  return found ? (found[1] ?? "not shown") : undefined;
}

const MOST_CHARS = 200;
const NOT_SHOWN = /^\s*\[not shown(?:: ([^\s\]]+))?\]\s*$/;
const ARGUMENTS = /^\{"pith":"arguments left out(?:: ([^\s"]+))?"\}$/;
