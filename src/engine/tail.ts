/**
 * Tail: the messages that stay messages, in their places. A place is bought before anything is ranked, from the newest message
 * back: what was said and asked whole; of what was printed, of old thinking and of huge arguments nothing yet. What was printed
 * and given is ranked like anything else; old thinking comes back whole, after all that, where there is still room. With all of
 * it the message is the one that came in.
 */
import { type Message, withParts } from "../conversation/message.ts";
import type { Part, ToolCallPart, ToolResultPart } from "../conversation/part.ts";
import { turnsOf } from "../conversation/turn.ts";
import { withLongValues } from "./arguments.ts";
import type { Call } from "./calls.ts";
import { type Item, isChosen, isStory, newPiece, type Piece } from "./items.ts";
import { NUMBERS } from "./numbers.ts";
import { linesOf } from "./open.ts";
import type { Reading } from "./reading.ts";
import { join, render, type Stretch } from "./write.ts";

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
  /** Tokens for places, and what the newest group may take if that is more. */
  readonly room: number;
  readonly newest: number;
  /** All tokens that there are, and what is owed to what must be told of the messages before a position. */
  readonly target: number;
  readonly owed: (position: number, isNewest: boolean) => number;
  /** From this position on everything stays. */
  readonly running: number;
  readonly count: (message: Message) => number;
  /** The id under which a text can be opened, where there is an archive. */
  readonly idOf: ((text: string) => string) | undefined;
}

/** A text of a message in its place that can be less than the original. */
interface Text {
  readonly of: ToolCallPart | ToolResultPart | "thinking";
  readonly item: Item | undefined;
  readonly pieces: readonly Piece[];
  /** What the original costs beside the pieces, when it is more than what stands between them. */
  readonly rest: Piece | undefined;
  /** The lines of the long values of a call, found once. */
  readonly values: Map<string, readonly (Stretch & { readonly says: string })[]>;
}

interface Places {
  readonly places: readonly Place[];
  readonly tokens: number;
}

interface Place {
  readonly reading: Reading;
  readonly items: readonly Item[];
  readonly texts: readonly Text[];
  readonly write: (chosen: number) => Message;
}

/** The places that so many tokens buy. */
export function tailOf(request: TailRequest): Tail {
  const { readings, items, fixed, room, newest, target, owed, running, count } = request;
  const own = new Map<number, Item[]>();
  const itemOf = new Map<Call, Item>();
  for (const item of items) {
    if (!isStory(item) || item.isFolded) continue;
    const there = own.get(item.at);
    if (there) there.push(item);
    else own.set(item.at, [item]);
    if (item.call) itemOf.set(item.call, item);
  }
  const currentTurn = readings[turnsOf(readings.map(({ source }) => source)).at(-1)?.start ?? 0]?.at ?? 0;
  const groups = groupsOf(readings).filter((group) => !group.every(({ at }) => fixed.has(at)));
  const placesOf = (group: readonly Reading[]): Places => {
    const places = group
      .filter(({ at, source }) => !fixed.has(at) && source.role !== "system")
      .map((reading) => placeOf(reading, own.get(reading.at) ?? [], itemOf, currentTurn, request.idOf));
    return { places, tokens: places.reduce((sum, place) => sum + count(place.write(-1)), 0) };
  };
  const bought: Places[] = [];
  let tokens = 0;
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
  if (step && ask && step[0]!.at < running && isAsk(ask) && step[0]!.source.role === "assistant") {
    const more = placesOf(ask);
    if (tokens + more.tokens <= target - owed(ask[0]!.at, true)) bought.unshift(more);
    else if (bought.length > 1) bought.shift();
    tokens = bought.reduce((sum, each) => sum + each.tokens, 0);
  }
  const places = bought.flatMap((each) => each.places);
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
    group[0]!.earlier.length === 0
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

function placeOf(
  reading: Reading,
  items: readonly Item[],
  itemOf: ReadonlyMap<Call, Item>,
  currentTurn: number,
  idOf: TailRequest["idOf"],
): Place {
  const { source, calls, answers } = reading;
  let made = 0;
  const texts = source.parts.flatMap((part): Text[] => {
    if (part.type === "tool-call") {
      const item = itemOf.get(calls[made++]!);
      const canShrink = !part.server && !item?.call?.broken && part.arguments.length > NUMBERS.huge;
      return item && canShrink ? [textIn(part, item, "<")] : [];
    }
    if (part.type === "tool-result") {
      const answer = answers.find((each) => each.part === part);
      const item = answer && !answer.isTyped && itemOf.get(answer.call);
      return item && !part.server && !part.shaped ? [textIn(part, item, "|")] : [];
    }
    // A provider demands the signed thinking of the turn that it is working on.
    return part.type === "reasoning" && source.position < currentTurn ? [thinkingIn(part, items[0])] : [];
  });
  const ranks = new Map<Text, Piece[]>(
    texts.map((text) => [text, [...text.pieces, ...(text.rest ? [text.rest] : [])]]),
  );
  const all = [...ranks.values()].flat();
  const known = new Map<number, Message>();
  return {
    reading,
    items,
    texts,
    write: (chosen) => {
      const count = all.reduce((sum, piece) => (isChosen(piece, chosen) ? sum + 1 : sum), 0);
      let message = known.get(count);
      if (message === undefined) {
        message = count === all.length ? source : shortened(source, texts, chosen, idOf);
        known.set(count, message);
      }
      return message;
    },
  };
}

function textIn(part: ToolCallPart | ToolResultPart, item: Item, mark: "<" | "|"): Text {
  const original = part.type === "tool-call" ? part.arguments : part.text;
  const section = item.sections.findIndex((one) => one.mark === mark);
  const pieces = section < 0 ? [] : item.pieces.filter((one) => one.section === section);
  const missing = original.length - pieces.reduce((sum, { from, to }) => sum + to - from + 2, 0);
  const isShort = original.length <= NUMBERS.answer;
  const rest = isShort || missing <= NUMBERS.answer ? undefined : restOf(item, missing / 4);
  return { of: part, item, pieces, rest, values: new Map() };
}

function thinkingIn(part: Extract<Part, { type: "reasoning" }>, item: Item | undefined): Text {
  const tokens = Math.max(part.text.length, part.sealed ?? 0) / 4;
  return { of: "thinking", item, pieces: [], rest: item && restOf(item, tokens), values: new Map() };
}

/** What comes with an original beside its pieces; last of all. */
function restOf(item: Item, tokens: number): Piece {
  return { ...newPiece(item, -1), tokens, worth: 0 };
}

// ---- a message at its rendering ----

function shortened(
  source: Message,
  texts: readonly Text[],
  chosen: number,
  idOf: TailRequest["idOf"],
): Message {
  let at = 0;
  const thoughts = texts.filter(({ of }) => of === "thinking");
  const parts = source.parts.flatMap((part): Part[] => {
    const text = texts.find(({ of }) => of === part);
    if (part.type === "reasoning") {
      const thought = thoughts[at++];
      return thought && !isAll(thought, chosen) ? [] : [part];
    }
    if (!text || isAll(text, chosen)) return [part];
    if (part.type === "tool-call")
      return [{ ...part, arguments: shortenArguments(part.arguments, text, chosen, idOf) }];
    if (part.type !== "tool-result") return [part];
    return [shortenResult(part, text, chosen, idOf)];
  });
  const isSame = parts.length === source.parts.length && parts.every((part, i) => part === source.parts[i]);
  // A message that was all thinking stays: nothing would be left to send.
  return isSame || parts.length === 0 ? source : withParts(source, parts);
}

function isAll({ pieces, rest }: Text, chosen: number): boolean {
  return pieces.every((piece) => isChosen(piece, chosen)) && (rest === undefined || isChosen(rest, chosen));
}

/** What is shown of a result, with the id of the whole; a text that would not be shorter stays. */
function shortenResult(
  part: ToolResultPart,
  { item }: Text,
  chosen: number,
  idOf: TailRequest["idOf"],
): ToolResultPart {
  const section = item!.sections.findIndex((one) => one.mark === "|");
  const shown = section < 0 ? "" : render(item!, section, chosen);
  // Of what nothing is shown, at least how it ended.
  const body = shown === "" ? `…${ENDED.exec(item!.head)?.[0] ?? ""}` : shown;
  const of = `${countLines(shown)} of ${countLines(part.text)} lines shown`;
  const text = `${body}\n[pith shaped: digest, ${of}; ${restOfText(part.text, idOf)}]`;
  return text.length < part.text.length ? { ...part, text } : part;
}

const ENDED = / → (?:ok|failed|refused) \([\s\S]*$/;

function restOfText(text: string, idOf: TailRequest["idOf"]): string {
  return idOf
    ? `rest: ${NAMED.exec(text.slice(-400))?.[1] ?? idOf(text)}`
    : "rest not kept: run the tool again";
}

/** The id that a text names which was shortened before: the whole is there. */
const NAMED = /\[pith shaped: [^\n\]]*; rest: (pith:[0-9a-z]{8,})\]\s*$/;

function countLines(text: string): number {
  return text === "" ? 0 : text.split("\n").length;
}

/** A line of an argument as it is, however its call is told. */
function plain(line: string): string {
  return line.replace(/^[+-] |^[\w.-]+: /, "").trim();
}

/** The same arguments; of a long text in them the lines that are shown. */
function shortenArguments(
  args: string,
  { pieces, values }: Text,
  chosen: number,
  idOf: TailRequest["idOf"],
): string {
  const shown = new Set(
    pieces
      .filter((piece) => isChosen(piece, chosen))
      .map(({ item, section, from, to }) => plain(item.sections[section]!.text.slice(from, to))),
  );
  const digest = (text: string): string => {
    const all =
      values.get(text) ??
      linesOf(text).map((line) => ({ ...line, says: plain(text.slice(line.from, line.to)) }));
    values.set(text, all);
    const lines = all.filter(({ says }) => shown.has(says));
    const body = join(text, lines);
    const of = `${lines.length} of ${countLines(text)} lines shown`;
    return `[pith: ${of}; ${restOfText(text, idOf)}]${body === "" ? "" : `\n${body}`}`;
  };
  return withLongValues(args, NUMBERS.huge, digest);
}
