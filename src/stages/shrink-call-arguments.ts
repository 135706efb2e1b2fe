/** Shortens long values in the arguments of old calls; what is left is valid JSON and imitates nothing (R6, R42). */
import { withParts } from "../conversation/message.ts";
import type { Edit } from "../plan/plan.ts";
import type { Stage } from "./stage.ts";

export const shrinkCallArguments: Stage = {
  name: "shrink-call-arguments",
  propose(messages, { policy, counter, editable, tokensToSave }) {
    const rule = policy.shrinkArguments;
    if (!rule) return [];
    const edits: Edit[] = [];
    let saved = 0;
    for (const message of messages) {
      if (saved >= tokensToSave) break;
      if (!editable.has(message.position)) continue;
      let shrunkAny = false;
      const parts = message.parts.map((part) => {
        if (part.type !== "tool-call" || part.server || part.arguments.length < rule.minChars) return part;
        const shrunk = shrinkArguments(part.arguments, rule.leafChars);
        if (shrunk === undefined) return part;
        shrunkAny = true;
        return { ...part, arguments: shrunk };
      });
      if (!shrunkAny) continue;
      const replaced = withParts(message, parts);
      saved += counter.message(message) - counter.message(replaced);
      edits.push({
        kind: "replace",
        position: message.position,
        message: replaced,
        reason: "long values of old call arguments left out",
      });
    }
    return edits;
  },
};

/**
 * The same JSON with every string longer than `leafChars` exchanged for a remark about it; undefined when nothing
 * would get shorter or the text is not JSON. The remark stands for the whole value: half a value could be taken for all of it.
 */
export function shrinkArguments(json: string, leafChars: number): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const shrunk = JSON.stringify(value, (_key, leaf: unknown) =>
    typeof leaf === "string" && leaf.length > leafChars ? remark(leaf) : leaf,
  );
  return shrunk !== undefined && shrunk.length < json.length ? shrunk : undefined;
}

/** What a call's arguments are when not even their keys may stay. */
export const ARGUMENTS_LEFT_OUT = '{"pith":"arguments left out"}';

function remark(leaf: string): string {
  const lines = leaf.split("\n").length;
  return `[pith: ${leaf.length} characters${lines > 1 ? ` in ${lines} lines` : ""} left out]`;
}
