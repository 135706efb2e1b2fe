/** Where everything worth a line is told and room is left: what calls printed, read and wrote, the newest most. */
import { fitText } from "../shapes/fit-text.ts";
import { SHAPE_GAP } from "../shapes/shape-note.ts";
import { shapeToolResult } from "../shapes/shape-tool-result.ts";
import type { TextPiece, TokenCounter } from "../tokens/token-counter.ts";
import { type ChooseOptions, chooseUnits, type KeptUnits } from "./choose-units.ts";
import { slackOf } from "./shares.ts";
import { CUT, type Detail, type Entry, type Story, type Unit, unit, weightsOf } from "./story.ts";
import { storyPieces } from "./write-story.ts";

export interface ChosenStory {
  /** The story, with details under its deeds where there was room for them. */
  readonly story: Story;
  readonly kept: KeptUnits;
  /** What is told, written. */
  readonly pieces: readonly TextPiece[];
}

/** Rooms smaller than this are not worth dividing. */
const LEAST_ROOM = 160;
/**
 * What each kind is worth, and the least of it that tells anything, unless that is all: what was written says what was done, what
 * was printed cannot be had again, a file can.
 */
const KINDS: Readonly<Record<Detail["kind"], { readonly weight: number; readonly least: number }>> = {
  printed: { weight: 1, least: 60 },
  written: { weight: 0.9, least: 40 },
  read: { weight: 0.3, least: 160 },
};

export function chooseStory(story: Story, options: ChooseOptions): ChosenStory {
  const { counter, maxTokens } = options;
  const { kept, left, pieces } = chooseUnits(story, options);
  const isKept = (unit: Unit) => kept.has(unit);
  if (left < Math.max(LEAST_ROOM, slackOf(maxTokens)))
    return { story, kept, pieces: pieces ?? storyPieces(story, isKept) };
  const told = story.flatMap(({ entries }) => entries);
  const hasFacts = ({ units }: Entry) => units.some((unit) => unit.isFact && isKept(unit));
  const details = fittedDetails(shared(told, { room: left, each: EACH, hasFacts, counter }), counter);
  const added = new Set<Unit>();
  for (const [{ units }, unit] of details) added.add(unit).add(units[0]!);
  const detailed = story.map((turn) => ({
    ...turn,
    entries: turn.entries.map((entry) => {
      const unit = details.get(entry);
      // The lines that were chosen one by one give way to the whole.
      return unit ? { ...entry, weigh: undefined, units: unitsWith(entry.units[0]!, unit) } : entry;
    }),
  }));
  const has = (unit: Unit) => added.has(unit) || kept.has(unit);
  return { story: detailed, kept: { has }, pieces: storyPieces(detailed, has) };
}

/** The same list for the same two: what was written of it stays known. */
const unitsBy = new WeakMap<Unit, readonly [Unit, Unit]>();

function unitsWith(lead: Unit, detail: Unit): readonly Unit[] {
  const known = unitsBy.get(detail);
  if (known?.[0] === lead) return known;
  const units = [lead, detail] as const;
  unitsBy.set(detail, units);
  return units;
}

/**
 * What the turn in hand printed and nobody spoke of yet, before older words: the agent would have to ask for it again. What it
 * said of earlier answers tells them.
 */
export function withUnspoken(story: Story, room: number, counter: TokenCounter): Story {
  const turn = story.at(-1);
  if (!turn || turn.standing === "answered" || room < LEAST_UNSPOKEN) return story;
  // What was looked at before a change may read otherwise now.
  const closed = turn.entries.findLastIndex(
    (entry) => saysFindings(entry) || entry.detail?.kind === "written",
  );
  const printed = turn.entries.slice(closed + 1).filter(isToldWhole);
  const details = fittedDetails(
    shared(printed, { room, each: EACH_UNSPOKEN, hasFacts: () => false, counter }),
    counter,
  );
  const entries = turn.entries.map((entry) => {
    const unit = details.get(entry);
    return unit ? { ...entry, weigh: undefined, units: [asMust(entry.units[0]!), asMust(unit)] } : entry;
  });
  return story.with(-1, { ...turn, entries });
}

/** What a call printed, unless lines of it were chosen one by one: records are told by those that matter. */
function isToldWhole({ detail, units }: Entry): boolean {
  return detail?.kind === "printed" && detail.toolName !== undefined && units.length <= 2 && !hasFact(units);
}

function hasFact(units: readonly Unit[]): boolean {
  return units.some(({ isFact }) => isFact);
}

/** Words that say more than what the agent is about to do. */
function saysFindings(entry: Entry): boolean {
  const { voice } = entry;
  return (
    (voice === "agent" || voice === "answer") &&
    weightsOf(entry).some(({ minor, worth }) => !minor && worth >= FINDING)
  );
}

const FINDING = 1.5;

function asMust(unit: Unit): Unit {
  return { ...unit, must: true };
}

const LEAST_UNSPOKEN = 100;
/** One that tells something rather than slivers of two. */
const EACH_UNSPOKEN = 200;

function fittedDetails(shares: readonly Share[], counter: TokenCounter): ReadonlyMap<Entry, Unit> {
  const details = new Map<Entry, Unit>();
  for (const { entry, tokens } of shares) {
    const unit = fittedOnce(entry.detail!, tokens, counter);
    // What was told of it before may be more.
    if (unit.text.length > (entry.units[1]?.must ? entry.units[1].text.length : 0)) details.set(entry, unit);
  }
  return details;
}

interface Sharing {
  readonly room: number;
  /** No more get a share than can have this much on average. */
  readonly each: number;
  /** Whether lines of it that matter are told one by one: only the whole of it says more. */
  readonly hasFacts: (entry: Entry) => boolean;
  readonly counter: TokenCounter;
}

interface Share {
  readonly entry: Entry;
  readonly tokens: number;
}

/** Whether a deed's detail says what its own line does not. */
function saysMore({ detail, units }: Entry): boolean {
  const text = detail?.text.trim() ?? "";
  return text !== "" && !units[0]!.text.includes(text);
}

/** Divides the room by age and kind; what is smaller than its share leaves the rest to the others. */
function shared(
  told: readonly Entry[],
  { room, each: average, hasFacts, counter }: Sharing,
): readonly Share[] {
  const entries = told.filter(saysMore);
  const all = entries.map((entry, at) => {
    const recent = (at + 1) / entries.length;
    const { kind } = entry.detail!;
    const isWhole = entry.detail!.isWhole === true || hasFacts(entry);
    // What is told whole or not at all does not shrink with age.
    const age = isWhole ? 1 : 0.2 + 0.8 * recent * recent;
    return { entry, isWhole, weight: KINDS[kind].weight * age };
  });
  // A few that tell something rather than a sliver of each.
  const most = Math.ceil(room / average);
  const chosen = all.length <= most ? all : all.toSorted((a, b) => b.weight - a.weight).slice(0, most);
  const weighed = chosen.map((each) => ({ ...each, size: sizeOf(each.entry.detail!.text, counter) }));
  const shares: Share[] = [];
  let left = room;
  let weight = weighed.reduce((sum, each) => sum + each.weight, 0);
  // Those that need least of their share first.
  for (const each of weighed.toSorted((a, b) => a.size / a.weight - b.size / b.weight)) {
    const share = (left * each.weight) / Math.max(weight, 1e-9);
    weight -= each.weight;
    const tokens = share >= each.size ? Math.ceil(each.size) : stepped(share);
    const least = each.isWhole ? each.size : Math.min(KINDS[each.entry.detail!.kind].least, each.size);
    if (tokens < Math.floor(least)) continue;
    left -= tokens;
    shares.push({ entry: each.entry, tokens });
  }
  return shares;
}

const EACH = 120;

/** What a text takes at most; of a long one an estimate does. */
function sizeOf(text: string, counter: TokenCounter): number {
  return (text.length <= COUNTED_CHARS ? counter.text(text) : text.length / 3) + 4;
}

const COUNTED_CHARS = 1_000;

/** Rooms in steps of an eighth at most, so that a little more or less room is often the same. */
function stepped(tokens: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, tokens))) - 3);
  return Math.floor(tokens / step) * step;
}

interface Fitted {
  readonly text: string;
  readonly counter: TokenCounter;
  /** By the room, the last few of them. */
  readonly rooms: Map<number, Unit>;
}

/** What was fitted: passes and compactions that follow ask for the same again. */
const known = new WeakMap<object, Fitted>();

function fittedOnce(detail: Detail, tokens: number, counter: TokenCounter): Unit {
  const { of, text } = detail;
  const before = of && known.get(of);
  const isSame = before?.counter === counter && before.text === text;
  const rooms = isSame ? before.rooms : new Map<number, Unit>();
  const found = rooms.get(tokens);
  if (found !== undefined) return found;
  const fit: Unit = { ...unit(fitted(detail, tokens, counter), 0), under: 0 };
  if (rooms.size >= MOST_ROOMS) rooms.delete(rooms.keys().next().value!);
  rooms.set(tokens, fit);
  if (of) known.set(of, { text, counter, rooms });
  return fit;
}

/** Those of all passes, and as many again for a little more or less room the next time. */
const MOST_ROOMS = 8;

function fitted(
  { text, kind, toolName = "", toolArguments = "" }: Detail,
  tokens: number,
  counter: TokenCounter,
): string {
  const context = { counter, isQuoted: true };
  const maxTokens = tokens - 2;
  const output = { text, toolName, toolArguments, isError: false };
  const body =
    kind === "written"
      ? fitText(text, maxTokens, context)
      : (shapeToolResult(output, { ...context, maxTokens })?.text ?? text);
  return body
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => (SHAPE_GAP.test(line) ? CUT : `  ${line}`))
    .join("\n");
}
