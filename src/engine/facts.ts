// Facts: what was done and what is to hold, asked of the readings. There is no second store.

import { type Call, isRehearsal } from "./calls.ts";
import type { ItemDraft } from "./items.ts";
import { NUMBERS } from "./numbers.ts";
import { hasFailed } from "./outcome.ts";
import type { Reading } from "./reading.ts";

/** Calls that change the outside world and must not be done twice. */
export const DEED =
  /^(?:cancel|book|update|modify|exchange|return|send|create|delete|remove|transfer|pay|post|submit|publish|deploy|merge)_/i;
const DEED_COMMAND =
  /^(?:\w+=\S+ +|(?:sudo|time|timeout \S+|rtk) +)*(git(?: -C \S+)? push|gh (?:pr|issue|release) (?:create|merge|close|comment|ready)|npm publish|kubectl (?:apply|delete)|docker push)\b/;

export function deedsOf(readings: readonly Reading[]): ItemDraft[] {
  return [...deedsIn(readings)].map(([name, { ids, sources }]) =>
    line("deed", { text: `${name}: ${inLines([...ids])}`, sources: [...sources] }),
  );
}

/** In lines of which each is told or not: no id is cut. */
function inLines(ids: readonly string[]): string {
  const lines: string[] = [];
  for (const id of ids) {
    const last = lines.at(-1);
    if (last === undefined || last.length + id.length > NUMBERS.record) lines.push(id);
    else lines[lines.length - 1] = `${last}, ${id}`;
  }
  return lines.join(",\n");
}

/** What was done by each name: to what, by its ids, and where. */
export function deedsIn(
  readings: readonly Reading[],
): ReadonlyMap<string, { readonly ids: ReadonlySet<string>; readonly sources: ReadonlySet<number> }> {
  const done = new Map<string, { readonly ids: Set<string>; readonly sources: Set<number> }>();
  const add = (name: string, id: string, sources: readonly number[]) => {
    const known = done.get(name) ?? { ids: new Set(), sources: new Set() };
    known.ids.add(id);
    for (const at of sources) known.sources.add(at);
    done.set(name, known);
  };
  for (const { text, sources } of earlier(readings, "deed")) {
    const space = text.indexOf(": ");
    for (const each of text.slice(space + 2).split(/,\s/)) {
      const id = each.replaceAll("…", "").trim();
      if (id !== "") add(text.slice(0, space), id, sources);
    }
  }
  const whereIs = positionsOf(readings);
  for (const call of callsOf(readings)) {
    const name = deedName(call);
    if (name === undefined) continue;
    const failed = hasFailed(call.outcome) ? ` (${call.outcome.end})` : "";
    const ids =
      idsOf(call).join(" → ") || (failed === "" ? call.subject.slice(0, 80) : call.command.slice(0, 80));
    const id = ids.replaceAll(", ", " ");
    // What went well at last did not fail.
    if (failed === "") for (const end of ["failed", "refused"]) done.get(name)?.ids.delete(`${id} (${end})`);
    if (id !== "" || failed === "") add(name, id + failed, whereIs(call));
  }
  return done;
}

/** One line that is true now, and the positions of the messages that say so. */
export interface Fact {
  readonly text: string;
  readonly sources: readonly number[];
}

/** A fact is an item of one line. */
export function line(kind: "deed" | "state" | "rule", { text, sources }: Fact): ItemDraft {
  return { kind, at: Infinity, sources, sections: [{ mark: "", text, voice: 1 }] };
}

/** The messages that a call stands in: where it was made and where it was answered. */
export function positionsOf(readings: readonly Reading[]): (call: Call) => readonly number[] {
  const madeAt = new Map(readings.flatMap(({ at, calls }) => calls.map((call) => [call, at] as const)));
  return (call) => {
    const made = madeAt.get(call)!;
    return call.answeredAt < 0 || call.answeredAt === made ? [made] : [made, call.answeredAt];
  };
}

export function callsOf(readings: readonly Reading[]): Call[] {
  return readings.flatMap((reading) => reading.calls);
}

/** The lines of one kind in earlier hand-offs. */
export function earlier(readings: readonly Reading[], kind: "deed" | "state" | "rule"): Fact[] {
  return readings.flatMap((reading) =>
    reading.earlier
      .filter((item) => item.kind === kind)
      .map((item) => ({ text: item.sections[0]!.text, sources: [reading.at] })),
  );
}

export function deedName(call: Call): string | undefined {
  if (isRehearsal(call)) return undefined;
  const { command } = call;
  if (call.output === undefined) return undefined;
  if (command === "")
    return DEED.test(call.verb) && call.values.content === undefined ? call.verb : undefined;
  // What a program is given to read is no command.
  const programs = command
    .slice(0, 4000)
    .split("<<")[0]!
    .split(/&&|\|\||[;|\n]/);
  return programs.map((each) => DEED_COMMAND.exec(each.trim())?.[1]).find((name) => name !== undefined);
}

/** The ids of a deed: what it was done to, and what it made. */
function idsOf(call: Call): string[] {
  const asked = Object.entries(call.values).filter(
    ([key, value]) => /(?:^|_)id$/i.test(key) && typeof value === "string",
  );
  const named = asked.find(([key]) => key !== "user_id") ?? [];
  const made = /"(?!user_|payment_)\w*_?id":\s*"([^"\n]{2,60})"|(https?:\/\/\S{8,120})/.exec(
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
    "(?:^|[,;:] |\\b(?:please|and|but) )(?:always|never(?! (?:got|had|was|were|did|saw|heard|came)\\b)|from now on)\\b",
    "(?:^|[,;:] |\\b(?:bitte|und|aber) )(?:immer(?! noch)|niemals|nie|ab jetzt)\\b",
    "(?:^|[，；：]|请)(?:总是|永远|从现在|以后|绝不|不要再|必须)",
  ].join("|"),
  "i",
);

/** Rules: only sentences that a person typed, and those of earlier hand-offs. */
export function rulesIn(readings: readonly Reading[]): readonly string[] {
  return [...sourcesOfRules(readings).keys()];
}

export function rulesOf(readings: readonly Reading[]): ItemDraft[] {
  return [...sourcesOfRules(readings)].map(([text, sources]) =>
    line("rule", { text, sources: [...sources] }),
  );
}

function sourcesOfRules(readings: readonly Reading[]): ReadonlyMap<string, ReadonlySet<number>> {
  const rules = new Map<string, Set<number>>();
  const add = (rule: string, at: number) => rules.set(rule, (rules.get(rule) ?? new Set()).add(at));
  for (const { text, sources } of earlier(readings, "rule")) add(text, sources[0]!);
  for (const { at, words } of readings) {
    for (const { speaker, text } of words) {
      if (speaker !== "person" || text.length > 4000) continue;
      for (const sentence of ownWords(text).split(/(?<=[.!?])\s+|(?<=[。！？])|\n/)) {
        if (sentence.length <= 300 && STANDING.test(sentence)) add(sentence.trim(), at);
      }
    }
  }
  return rules;
}

/** What is handed over: code between fences, a text between tags, lines that are quoted. */
const HANDED = /^(?:```[\s\S]*?^```|<([a-z][\w-]*)(?:\s[^>\n]*)?>[\s\S]*?<\/\1>|>[^\n]*)/gim;

/** What somebody says beside what they hand over; where there is nothing beside it, all of it. */
function ownWords(text: string): string {
  const own = text.replace(HANDED, "");
  return own.trim() === "" ? text : own;
}
