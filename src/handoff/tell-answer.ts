/** Tells a call of any tool that is no file's and no command's: its arguments, and of its answer the records and lines that were taken up later. */
import type { ToolResultPart } from "../conversation/part.ts";
import type { ReadCall } from "../reading/read-turns.ts";
import type { UsedLater } from "../reading/used-later.ts";
import type { RecordLine } from "../shapes/record-uses.ts";
import { recordLines, sideBySide } from "../shapes/told-records.ts";
import { rowLines } from "../shapes/told-rows.ts";
import { tableLines } from "../shapes/told-tables.ts";
import { toolLines } from "../shapes/tool-list.ts";
import { answerDetail, plain, recordIn, rowsIn } from "./answer-parts.ts";
import { deedEntry, oneLine, WORTH } from "./deed-parts.ts";
import { givenIn } from "./given.ts";
import { isLasting, lastingUnit, withMadeKeys } from "./lasting-unit.ts";
import { callOnlyLooks } from "./looks-up.ts";
import { printedUnits } from "./printed-units.ts";
import { rowsTogether } from "./same-kind.ts";
import { type Entry, type Unit, unit } from "./story.ts";
import { ASKED_FOR, usesOf } from "./value-use.ts";

export interface AnswerContext {
  /** The message's place, for what was taken up after it. */
  readonly at: number;
  readonly used: UsedLater;
  /** Nobody has said a word since: whatever was answered is still to be used, and most of all what came last. */
  readonly fresh?: "last" | "before" | undefined;
  /** The calls of its kind in the turn, this one the last of them, that are told with it. */
  readonly together?: readonly ReadCall[];
  /** The next call of the same tool: what it repeats of the arguments is told there. */
  readonly next?: ReadCall | undefined;
}

/** Tools are named by others, at any length. */
export const MOST_NAME_CHARS = 120;

export function tellAnswer(read: ReadCall, result: ToolResultPart, context: AnswerContext): Entry {
  const { call } = read;
  const { used, at, fresh, together = [read], next } = context;
  const looks = callOnlyLooks(read);
  const isBare = /^\s*(?:\{\s*\})?\s*$/.test(call.arguments);
  const given = isBare ? "" : oneLine(givenIn(together, looks ? undefined : next), mostGiven(read));
  const lead: Unit = {
    ...unit(
      `→ ${oneLine(call.name, MOST_NAME_CHARS)}(${given})`,
      isBare ? WORTH.looked : looks ? WORTH.asked : WORTH.acted,
    ),
    minor: looks || isBare ? "printed" : undefined,
  };
  const uses = usesOf({
    used,
    at,
    freshUse: fresh === undefined ? 0 : FRESH[fresh],
    given: together.map((each) => each.call.arguments).join(" "),
    isDeed: !looks,
  });
  const text = plain(result);
  const rows = together.length > 1 && rowsIn(read) ? rowsTogether(together) : undefined;
  const records = rows
    ? rowLines("", rows, uses)
    : together.length > 1
      ? sideBySide(together.map(recordIn), uses)
      : (toolLines(text) ?? recordLines(text, uses) ?? tableLines(text, uses));
  const factor = looks ? 1 : 1.6;
  // What was asked for tells as much as what was merely intended, where its line says what came of it.
  const asked = lead.minor === undefined || isBare ? lead : { ...lead, minor: "intended" as const };
  if (records) {
    const told = recordUnits(records, lead.text, factor);
    if (isLasting(read)) return deedEntry([{ ...withMadeKeys(lead, text), lasting: true }, ...told]);
    return deedEntry([told.some(({ isFact }) => isFact) ? asked : lead, ...told]);
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length <= 2 && text.length <= 300) {
    const answer = oneLine(text, 300) || "no output";
    return deedEntry([
      lastingUnit(read, { ...asked, text: `${lead.text} → ${answer}`, worth: lead.worth + 0.5 }),
    ]);
  }
  const units = printedUnits(lines, {
    isUsed: (value) => used(value, at, "anew"),
    isAsked: (word) => used(word, at, "asked"),
    factor,
  });
  return deedEntry([lastingUnit(read, lead), ...units], answerDetail(read, result, "printed"));
}

/** What is told for every turn is told in short. */
function mostGiven(read: ReadCall): number {
  return isLasting(read) ? 160 : 300;
}

/** What nobody has had the time to take up. */
const FRESH = { last: 0.7, before: 0.1 } as const;
/** More than this of one line is not worth more. */
const MOST_USE = 5;
/** From here on it is a fact. */
const FACT = 0.7;

/** Of records, what was taken up later, or came last and is still to be used, are facts; the more of one answer is told, the less the next line of it is worth. */
function recordUnits(records: readonly RecordLine[], lead: string, factor: number): readonly Unit[] {
  let leading = 0;
  const ranks = new Map(
    records
      .toSorted((a, b) => b.used - a.used || (b.interest ?? 1) - (a.interest ?? 1))
      .map((record, rank) => [record, rank]),
  );
  const units: Unit[] = [];
  for (const record of records) {
    if (record.leads) leading = units.length + 1;
    const { used, interest = 1, rest } = record;
    // What was asked by is told in the call.
    const isGiven = lead.includes(record.text.replace(/^[^:|]*: /, ""));
    const again = 1 + ranks.get(record)! / 10;
    const useOf = (use: number) => (Math.min(use, MOST_USE) * 0.9 * factor) / again;
    units.push({
      ...unit(
        `  ${record.text}`,
        record.leads || isGiven ? 0 : useOf(used) + (0.2 * interest * factor) / again,
      ),
      minor: "printed",
      under: record.under ? leading : 0,
      isFact: (used >= FACT || interest >= ASKED_FOR) && !record.leads,
      leads: record.leads,
    });
    if (rest === undefined) continue;
    units.push({
      ...unit(rest.text, useOf(rest.used), ""),
      minor: "printed",
      // The call's own line is the first of all.
      under: units.length,
      isFact: rest.used >= FACT,
    });
  }
  return units;
}
