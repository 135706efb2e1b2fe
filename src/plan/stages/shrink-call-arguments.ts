/** Shortens long values in the arguments of old calls; what is left is valid JSON and imitates nothing (R6, R42). */

import { LONGEST_ID, type Marks } from "../../archive/marks.ts";
import { withParts } from "../../conversation/message.ts";
import { COLON, skipSpace, skipString } from "../../json/scan.ts";
import { parsedJson } from "../../json/wire-value.ts";
import type { Edit } from "../plan.ts";
import type { Stage } from "./stage.ts";

export const shrinkCallArguments: Stage = {
  name: "shrink-call-arguments",
  propose(messages, { policy, counter, editable, tokensToSave, marks }) {
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
        const shrunk = shrinkArguments(part.arguments, rule.leafChars, marks);
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
 * The same JSON with every string value longer than `leafChars` exchanged for a remark about it; undefined when there is
 * none or the text is not JSON. The remark stands for the whole value: half a value could be taken for all of it.
 * All else, keys and 20-digit numbers included, stays character for character.
 */
export function shrinkArguments(json: string, leafChars: number, marks?: Marks): string | undefined {
  if (json.length <= leafChars || parsedJson(json) === undefined) return undefined;
  let shrunk = "";
  let from = 0;
  for (let at = json.indexOf('"'); at >= 0; ) {
    const end = skipString(json, at);
    const isKey = json.charCodeAt(skipSpace(json, end)) === COLON;
    const note =
      isKey || end - at - 2 <= leafChars ? undefined : remarkOn(json.slice(at, end), leafChars, marks);
    if (note !== undefined) {
      shrunk += json.slice(from, at) + note;
      from = end;
    }
    at = json.indexOf('"', end);
  }
  if (from === 0) return undefined;
  return shrunk + json.slice(from);
}

/** What a call's arguments are when not even their keys may stay. */
export function argumentsLeftOut(id: string | undefined): string {
  return `{"pith":"arguments left out${id === undefined ? "" : `: ${id}`}"}`;
}

/** The remark as a JSON string; undefined where it would be no shorter than the string itself. */
function remarkOn(literal: string, leafChars: number, marks: Marks | undefined): string | undefined {
  const leaf: string = JSON.parse(literal);
  const lines = leaf.split("\n").length;
  const size = `${leaf.length} characters${lines > 1 ? ` in ${lines} lines` : ""}`;
  const noteWith = (rest: string) => `"[pith: ${size} left out${rest}]"`;
  if (leaf.length <= leafChars || noteWith(marks ? `: ${LONGEST_ID}` : "").length >= literal.length)
    return undefined;
  return noteWith(marks ? `: ${marks.text(leaf)}` : "");
}
