// Facts: what was done and what is to hold, asked of the readings. There is no second store.

import { type Call, commandOf } from "./calls.ts";
import type { ItemDraft } from "./items.ts";
import { hasFailed } from "./outcome.ts";
import type { Reading } from "./reading.ts";

/** Calls that change the outside world and must not be done twice. */
export const DEED =
  /^(?:cancel|book|update|modify|exchange|return|send|create|delete|remove|transfer|pay|post|submit|publish|deploy|merge)_/i;
const DEED_COMMAND =
  /\b(?:git push|gh (?:pr|issue|release) (?:create|merge|close|comment|ready)|npm publish|kubectl (?:apply|delete)|docker push)\b/;

export function deedsOf(readings: readonly Reading[]): ItemDraft[] {
  const done = new Map<string, Set<string>>();
  const add = (name: string, id: string) => {
    const ids = done.get(name);
    if (ids) ids.add(id);
    else done.set(name, new Set([id]));
  };
  for (const line of earlier(readings, "deed")) {
    const space = line.indexOf(": ");
    for (const id of line.slice(space + 2).split(", ")) add(line.slice(0, space), id);
  }
  for (const call of callsOf(readings)) {
    const name = deedName(call);
    if (name === undefined) continue;
    const failed = hasFailed(call.outcome) ? ` (${call.outcome.end})` : "";
    const ids =
      idsOf(call).join(" → ") || (failed === "" ? call.subject.slice(0, 80) : commandOf(call).slice(0, 80));
    if (ids !== "" || failed === "") add(name, ids.replace(/, /g, " ") + failed);
  }
  return [...done].map(([name, ids]) => line("deed", `${name}: ${[...ids].join(", ")}`));
}

/** A fact is an item of one line. */
export function line(kind: "deed" | "state" | "rule", text: string): ItemDraft {
  return { kind, at: Infinity, sections: [{ mark: "", text, voice: 1 }] };
}

export function callsOf(readings: readonly Reading[]): Call[] {
  return readings.flatMap((reading) => reading.calls);
}

/** The lines of one kind in earlier hand-offs. */
export function earlier(readings: readonly Reading[], kind: "deed" | "state" | "rule"): string[] {
  return readings
    .flatMap((reading) => reading.earlier)
    .filter((item) => item.kind === kind)
    .map((item) => item.sections[0]!.text);
}

export function deedName(call: Call): string | undefined {
  const command = commandOf(call);
  if (command === "")
    return DEED.test(call.verb) && call.values.content === undefined ? call.verb : undefined;
  return DEED_COMMAND.exec(command.slice(0, 4000))?.[0];
}

/** The ids of a deed: what it was done to, and what it made. */
function idsOf(call: Call): string[] {
  const asked = Object.entries(call.values).filter(
    ([key, value]) => /(?:^|_)id$/i.test(key) && typeof value === "string",
  );
  const named = asked.find(([key]) => key !== "user_id") ?? [];
  const made = /"(?!user_|payment_)\w*_?id":\s*"([^"]{2,60})"|(https?:\/\/\S{8,120})/.exec(
    (call.output ?? "").slice(0, 2000),
  );
  return [...new Set([named[1] as string | undefined, made?.[1] ?? made?.[2]])].filter(
    (id): id is string => id !== undefined,
  );
}

// ---- rules ----

/** How people lay down what is to hold from now on: a standing word where an order begins. A language is a line. */
const STANDING = new RegExp(
  [
    "(?:^|[,;:] |\\b(?:please|and|but) )(?:always|never|from now on)\\b",
    "(?:^|[,;:] |\\b(?:bitte|und|aber) )(?:immer|niemals|nie|ab jetzt)\\b",
    "(?:^|[，；：]|请)(?:总是|永远|从现在|以后|绝不|不要再|必须)",
  ].join("|"),
  "i",
);

/** Rules: only sentences that a person typed, and those of earlier hand-offs. */
export function rulesIn(readings: readonly Reading[]): readonly string[] {
  const rules = new Set(earlier(readings, "rule"));
  for (const { words } of readings) {
    for (const { speaker, text, isThrough } of words) {
      if (speaker !== "person" || isThrough || text.length > 4000) continue;
      for (const sentence of text.split(/(?<=[.!?])\s+|(?<=[。！？])|\n/)) {
        if (sentence.length <= 300 && STANDING.test(sentence)) rules.add(sentence.trim());
      }
    }
  }
  return [...rules];
}

export function rulesOf(readings: readonly Reading[]): ItemDraft[] {
  return rulesIn(readings).map((rule) => line("rule", rule));
}
