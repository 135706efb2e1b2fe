/** Tells what no edit takes back: a line a turn, however old the turn is; beyond its share the oldest by their number and the last of them. */
import { type Lasting, lastingFrom } from "../reading/calls/lasting.ts";
import { shortLine } from "../reading/calls/said.ts";
import type { ReadStep } from "../reading/read-turns.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { deedEntry, WORTH } from "./deed-parts.ts";
import { type Entry, type Story, type Unit, unit, unitsIn } from "./story.ts";

/** `Done: commit 1a2b3c4 fix: x; push main`, for a turn; for all turns until one of them where there is no room for a line each. */
const DONE = "Done: ";
const DONE_UNTIL = "Done until here: ";

/** A deed, or several of a kind by the last of them. */
interface Item extends Lasting {
  readonly times: number;
}

/** What a turn did for good by its commands; calls of tools are told where they are. */
export function doneOf(steps: readonly ReadStep[]): Entry | undefined {
  const items = steps
    .flatMap(({ calls }) => calls.flatMap(({ deed }) => deed?.lasting ?? []))
    .map((each): Item => ({ ...each, times: 1 }));
  return items.length === 0 ? undefined : deedEntry([doneUnit(DONE, withoutRows(items))]);
}

export function isDoneLine(line: string): boolean {
  return line.startsWith(DONE) || line.startsWith(DONE_UNTIL);
}

function doneUnit(label: string, items: readonly Item[]): Unit {
  return { ...unit(label + items.map(written).join("; "), WORTH.did), lasting: true };
}

function written({ name, what, times }: Item): string {
  return `${name}${times > 1 ? ` ×${times}, last` : ""}${what && ` ${what}`}`;
}

/** Answers to ten comments are ten of the same: told by their number. */
function withoutRows(items: readonly Item[]): readonly Item[] {
  const keyOf = ({ name, what }: Item) => `${name} ${what.replace(/\d+/g, "0")}`;
  const rows = Map.groupBy(items, keyOf);
  return items
    .filter((item) => rows.get(keyOf(item))!.at(-1) === item)
    .map((item) => merged(rows.get(keyOf(item))!));
}

function merged(items: readonly Item[]): Item {
  return { ...items.at(-1)!, times: items.reduce((sum, { times }) => sum + times, 0) };
}

/** The story with its lasting deeds as what must be told, in that room: the newest one by one, the others in one line. */
export function withLasting(story: Story, room: number, counter: TokenCounter): Story {
  const all = unitsIn(story, isLasting);
  if (all.length === 0) return story;
  const { kept, left } = keptOf(all, room, counter);
  const items = all.flatMap((each) => (kept.has(each) ? [] : itemsIn(each.text)));
  const line = lineUntil(items, left, counter);
  const isOther = (each: Unit) => each.lasting && !kept.has(each) && itemsIn(each.text).length > 0;
  const last = line
    ? story.findLastIndex(({ entries }) => entries.some(({ units }) => units.some(isOther)))
    : -1;
  return story.map((turn, at) => {
    const isTouched = (line && at === last) || turn.entries.some(({ units }) => units.some(isLasting));
    if (!isTouched) return turn;
    const entries: Entry[] = [];
    for (const entry of turn.entries) addWithMusts(entries, entry, kept);
    if (line && at === last) entries.push(deedEntry([line]));
    return { ...turn, entries };
  });
}

function isLasting({ lasting }: Unit): boolean {
  return lasting === true;
}

/** What was done before what failed, the newest first. */
function keptOf(all: readonly Unit[], room: number, counter: TokenCounter) {
  const costs = new Map(all.map((each) => [each, costOf(each, counter)]));
  const isAll = [...costs.values()].reduce((sum, cost) => sum + cost, 0) <= room;
  // Where a line for the others is needed, it has the rest.
  const most = isAll ? room : room * ONE_BY_ONE;
  const kept = new Set<Unit>();
  let taken = 0;
  const isFailure = ({ text }: Unit) => text.startsWith("✗ ");
  for (const each of all.toReversed().sort((a, b) => Number(isFailure(a)) - Number(isFailure(b)))) {
    if (taken + costs.get(each)! > most) continue;
    taken += costs.get(each)!;
    kept.add(each);
  }
  return { kept: kept as ReadonlySet<Unit>, left: room - taken };
}

/** A line of its own that is not kept is told with the others; a call is where it was, as one of many. */
function addWithMusts(entries: Entry[], entry: Entry, kept: ReadonlySet<Unit>): void {
  const { units } = entry;
  if (!units.some(isLasting)) entries.push(entry);
  else if (units.some((each) => kept.has(each) || !isDoneLine(each.text))) {
    entries.push({ ...entry, units: units.map((each) => (kept.has(each) ? { ...each, must: true } : each)) });
  }
}

/** Of the room, what the newest may take. */
const ONE_BY_ONE = 0.7;
/** What is around a line: a turn's number, a mark, an end. */
const LINE_TOKENS = 8;

function costOf({ text }: Unit, counter: TokenCounter): number {
  return counter.text(text) + LINE_TOKENS;
}

/** By kind; where not all find room, commits outlive what was made, and that what was done besides, the newest first. */
function lineUntil(items: readonly Item[], room: number, counter: TokenCounter): Unit | undefined {
  const kinds = [...Map.groupBy(items.toReversed(), ({ name }) => name).values()]
    .map((own) => merged(own.toReversed()))
    .sort((a, b) => rankOf(a) - rankOf(b));
  for (let count = kinds.length; count > 0; count--) {
    const line = doneUnit(DONE_UNTIL, kinds.slice(0, count));
    if (costOf(line, counter) <= room) return { ...line, must: true };
  }
  return undefined;
}

function rankOf({ name }: Item): number {
  return name === "commit" || name === "amend" ? 0 : /create|publish|deploy|merge|release/.test(name) ? 1 : 2;
}

/** Of a call whose line goes, so much of its arguments says which it was. */
const MOST_CALL_CHARS = 48;

/** Reads a line that was written here, or a call of a tool: `→ cancel_order(id 7) → ok`. */
function itemsIn(line: string): readonly Item[] {
  const label = [DONE, DONE_UNTIL].find((each) => line.startsWith(each));
  if (label === undefined) {
    // What failed or was not answered competes with everything else.
    const [, name, what] = /^→ ([^\s(]+)\((.*?)\) → /.exec(line) ?? [];
    return name === undefined
      ? []
      : [{ name, what: shortLine(what!.replaceAll(";", ","), MOST_CALL_CHARS), times: 1 }];
  }
  return line
    .slice(label.length)
    .split("; ")
    .map((told) => {
      const [whole, words, times] = /^(.*?)(?: ×(\d+), last\b|$)/.exec(told)!;
      const item = lastingFrom(times === undefined ? told : `${words}${told.slice(whole.length)}`);
      return { ...item, times: Number(times ?? 1) };
    });
}
