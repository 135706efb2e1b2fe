/** What the agent said, as units: sentence by sentence, data by its keys. */
import { parseJson } from "../shapes/json.ts";
import { cellOf } from "../shapes/record-cells.ts";
import { isLibraryWarning } from "./noise-lines.ts";
import { splitUnits } from "./split-units.ts";
import { type Unit, unit, type Weight } from "./story.ts";
import { type Circumstance, isIntention, worthOf } from "./unit-worth.ts";

/** What was said, sentence by sentence; data in it by its keys. */
export function saidUnits(said: string): readonly Unit[] {
  const { words, data } = withoutData(said);
  const units = splitUnits(words, { opensWords: true });
  return data.length === 0 ? units : [...units, ...data.map(dataUnit)];
}

function dataUnit(text: string): Unit {
  return { ...unit(text, 0), kind: "data" };
}

/** What each of them weighs; what is there as if printed is told last. */
export function weighSaid(
  units: readonly Unit[],
  circumstance: Circumstance,
  weigh: (text: string) => number,
): readonly Weight[] {
  const scraps = scrapsAmong(units);
  return units.map((each, at): Weight => {
    if (scraps.has(at) && !each.leads) return { worth: SCRAP, minor: "printed" };
    const worth = worthOf(each, circumstance) * weigh(each.text);
    const isIntended = each.kind !== "data" && isIntention(each, circumstance);
    return { worth, minor: isIntended ? "intended" : undefined };
  });
}

const SCRAP = 0.1;

/** `Updated ledger: {…}` → the words, and a line for each key of the data behind them. */
function withoutData(said: string): { readonly words: string; readonly data: readonly string[] } {
  const start = said.search(/\{\s*\n\s*"/);
  const value = start < 0 ? undefined : parseJson(said.slice(start));
  if (value === undefined || Array.isArray(value)) return { words: said, data: [] };
  return {
    words: said.slice(0, start).trimEnd(),
    data: Object.entries(value).map(([key, each]) => `${key}: ${cellOf(each)}`),
  };
}

/** Runs of short lines that are no sentences and no list: what was read off a page. And what a library warned of beside the words. */
function scrapsAmong(units: readonly Unit[]): ReadonlySet<number> {
  const scraps = new Set(warningsAmong(units));
  let run: number[] = [];
  const close = () => {
    if (run.length >= FEWEST_SCRAPS) for (const at of run) scraps.add(at);
    run = [];
  };
  units.forEach((unit, at) => {
    const text = unit.text.trim();
    const isScrap =
      unit.kind === "prose" &&
      (/^[\]{}"[]/.test(text) || (text.length < SCRAP_CHARS && !/[.!?:;,]["')\]]?$|`/.test(text)));
    if (isScrap) run.push(at);
    else if (unit.kind !== "prose" || unit.text.length >= 2 * SCRAP_CHARS) close();
  });
  close();
  return scraps;
}

/** A warning as Python prints it: its line, and the line of code below that. */
function warningsAmong(units: readonly Unit[]): readonly number[] {
  return units.flatMap(({ text }, start) => {
    if (!isLibraryWarning(text)) return [];
    let end = start + 1;
    while (units[end]?.join === " ") end++;
    if (/^\s{2,}\S/.test(units[end]?.text ?? "")) end++;
    return Array.from({ length: end - start }, (_, order) => start + order);
  });
}

const SCRAP_CHARS = 48;
const FEWEST_SCRAPS = 8;
