/**
 * Tail: the messages that stay messages, in their places. A place is bought before anything is ranked, from the newest message
 * back: what was said and asked whole; of what was printed, of old thinking and of huge arguments nothing yet. What was printed
 * and given is ranked like anything else; old thinking comes back after all that, where there is still room.
 */
import type { Message } from "../conversation/message.ts";
import type { Call } from "./calls.ts";
import { type Item, isStory, type Piece } from "./items.ts";
import type { Reading } from "./reading.ts";
import { type IdOf, type Place, placeOf } from "./rendering.ts";
import { currentTurnOf } from "./thinking.ts";

export interface Tail {
  /** The positions of the messages that stay. */
  readonly positions: ReadonlySet<number>;
  /** What the places cost at the least. */
  readonly tokens: number;
  /** What the places hold: paid for, not to be ranked. */
  readonly held: ReadonlySet<Piece>;
  /** What originals cost beside their pieces, the smallest first. */
  readonly originals: readonly Piece[];
  /** The messages in their places when the first `chosen` of the ranking are chosen. */
  readonly write: (chosen: number) => readonly Message[];
}

export interface TailRequest {
  readonly readings: readonly Reading[];
  readonly items: readonly Item[];
  /** Messages that stay whole whatever they cost: nobody buys a place for them. */
  readonly fixed: ReadonlySet<number>;
  /** Messages that have a place, whatever it costs. */
  readonly kept: ReadonlySet<number>;
  /** Tokens for places, and what the newest group may take if that is more. */
  readonly room: number;
  readonly newest: number;
  /** All tokens that there are, and what is owed to what must be told of the messages before a position. */
  readonly target: number;
  readonly owed: (position: number, isNewest: boolean) => number;
  /** From this position on everything stays. */
  readonly running: number;
  readonly count: (message: Message) => number;
  readonly idOf: IdOf;
}

interface Places {
  readonly places: readonly Place[];
  readonly tokens: number;
}
/** The places that so many tokens buy. */
export function tailOf(request: TailRequest): Tail {
  const { readings, items, fixed, kept, room, newest, target, owed, running, count } = request;
  const own = new Map<number, Item[]>();
  const itemOf = new Map<Call, Item>();
  for (const item of items) {
    if (!isStory(item) || item.isFolded) continue;
    const there = own.get(item.at);
    if (there) there.push(item);
    else own.set(item.at, [item]);
    if (item.call) itemOf.set(item.call, item);
  }
  const currentTurn = currentTurnOf(readings.map(({ source }) => source));
  const shown = groupsOf(readings).filter((group) => !group.every(({ at }) => fixed.has(at)));
  const isKept = (group: readonly Reading[]) => group.some(({ at }) => kept.has(at));
  const groups = shown.filter((group) => !isKept(group));
  const placesOf = (group: readonly Reading[]): Places => {
    const places = group
      .filter(({ at, source }) => !fixed.has(at) && source.role !== "system")
      .map((reading) => placeOf(reading, own.get(reading.at) ?? [], itemOf, currentTurn, request.idOf));
    return { places, tokens: places.reduce((sum, place) => sum + count(place.write(-1)), 0) };
  };
  const promised = shown.filter(isKept).map(placesOf);
  const promisedTokens = promised.reduce((sum, each) => sum + each.tokens, 0);
  const bought: Places[] = [];
  let tokens = promisedTokens;
  let at = groups.length;
  for (; at > 0; at--) {
    const group = groups[at - 1]!;
    if (group.some(({ earlier, words }) => earlier.length > 0 || words.some(isHandoffWords))) break;
    const next = placesOf(group);
    const first = group[0]!.at;
    const isNewest = bought.length === 0;
    const most = isNewest ? Math.max(room, newest) : room;
    const isTooMuch = tokens + next.tokens > Math.min(most, target - owed(first, isNewest));
    if (first < running && (isTooMuch || !isWhole(group))) break;
    bought.unshift(next);
    tokens += next.tokens;
  }
  // An ask and the first that is done about it are on one side: apart from it, an ask reads as open (R12).
  const [ask, step] = [groups[at - 1], groups[at]];
  if (
    newest > 0 &&
    step &&
    ask &&
    step[0]!.at < running &&
    isAsk(ask) &&
    step[0]!.source.role === "assistant"
  ) {
    const more = placesOf(ask);
    if (tokens + more.tokens <= target - owed(ask[0]!.at, true)) bought.unshift(more);
    else if (bought.length > 1) bought.shift();
    tokens = bought.reduce((sum, each) => sum + each.tokens, promisedTokens);
  }
  const places = [...promised, ...bought].flatMap((each) => each.places);
  const texts = places.flatMap((place) => place.texts);
  const open = new Set(texts.flatMap((text) => text.pieces));
  const whole = [...places.flatMap((place) => place.items), ...[...fixed].flatMap((at) => own.get(at) ?? [])];
  return {
    positions: new Set(places.map(({ reading }) => reading.at)),
    tokens,
    held: new Set(whole.flatMap((item) => item.pieces).filter((piece) => !open.has(piece))),
    originals: texts.flatMap((text) => text.rest ?? []).toSorted((a, b) => a.tokens - b.tokens),
    write: (chosen) => places.map((place) => place.write(chosen)),
  };
}

function isHandoffWords({ speaker }: Reading["words"][number]): boolean {
  return speaker === "handoff";
}

/** A message that is only somebody's words: no results are in it. */
function isAsk(group: readonly Reading[]): boolean {
  return (
    group.length === 1 &&
    group[0]!.source.role === "user" &&
    group[0]!.answers.length === 0 &&
    group[0]!.earlier.length === 0 &&
    !group[0]!.words.some(isHandoffWords)
  );
}

/** A message with what answers its calls: they stay or go as one. */
export function groupsOf(readings: readonly Reading[]): readonly Reading[][] {
  const groups: Reading[][] = [];
  const asked = new Set<Call>();
  for (const reading of readings) {
    const isAnswer = reading.answers.some(({ call }) => asked.has(call)) || reading.source.role === "tool";
    const isLoaded = reading.source.loaded !== undefined;
    for (const call of reading.calls) asked.add(call);
    if (groups.length > 0 && (isAnswer || isLoaded)) groups.at(-1)!.push(reading);
    else groups.push([reading]);
  }
  return groups;
}

/** Every call can go out again, and calls and answers are those of each other; a result that nobody asked for cannot. */
function isWhole(group: readonly Reading[]): boolean {
  const made = new Set(group.flatMap(({ calls }) => calls));
  const answered = new Set(group.flatMap(({ answers }) => answers.map(({ call }) => call)));
  const isPaired = group.every(({ answers, source }) => {
    return (
      source.role !== "tool" ||
      (answers.length > 0 && answers.every(({ call }) => made.has(call) && call.verb !== ""))
    );
  });
  return isPaired && [...made].every((call) => !call.broken && (answered.has(call) || call.verb === ""));
}
