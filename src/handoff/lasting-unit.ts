/** What a tool did to the world outside, or did not manage to, is told for every turn, by what it was given and the keys of what it made. */
import { actsForGood } from "../reading/calls/lasting.ts";
import type { ReadCall } from "../reading/read-turns.ts";
import { parseJson } from "../shapes/json.ts";
import { callOnlyLooks } from "./looks-up.ts";
import type { Unit } from "./story.ts";

export function lastingUnit(read: ReadCall, line: Unit): Unit {
  return isLasting(read) ? { ...line, lasting: true } : line;
}

export function isLasting(read: ReadCall): boolean {
  const { call, actions } = read;
  return (actions[0]?.kind ?? "other") === "other" && !callOnlyLooks(read) && actsForGood(call.name);
}

/** The keys by which what was made is known: `→ create_issue(title x) → ENT-140 https://…/ENT-140`. */
export function withMadeKeys(lead: Unit, answer: string): Unit {
  const value = lead.minor ? undefined : parseJson(answer);
  if (value === undefined || Array.isArray(value)) return lead;
  const keys = KEYS.map((key) => (value as Record<string, unknown>)[key]).filter(
    (each) => typeof each === "number" || (typeof each === "string" && each !== "" && each.length <= 120),
  );
  return keys.length === 0 ? lead : { ...lead, text: `${lead.text} → ${keys.slice(0, 2).join(" ")}` };
}

const KEYS = ["identifier", "number", "key", "url", "html_url", "id", "status"];
