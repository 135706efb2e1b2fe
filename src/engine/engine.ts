/**
 * A context-compaction engine in five ideas: reading, digest, item, allocation, writing that can be read.
 *
 *     messages → Reading[] → ItemDraft[] → Item[] (pieces) → places → one ranking of pieces → its longest prefix that fits → hand-off + places
 */
import type { PrefixName } from "../conversation/handoffs/prefixes.ts";
import { handoffIn, separateHandoff } from "../conversation/handoffs/separate.ts";
import { isUserMessage, type Message, type Role } from "../conversation/message.ts";
import type { Format } from "../providers/format.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { rank } from "./allocate.ts";
import { deedsOf, type Fact, line, rulesOf } from "./facts.ts";
import { bestThatFits, most } from "./fit.ts";
import {
  bindAnnouncements,
  draftsOf,
  draftTold,
  type Item,
  type ItemDraft,
  type ItemOptions,
  isStory,
  itemsWithPieces,
  openItem,
} from "./items.ts";
import { askOf, mustsOf } from "./musts.ts";
import { NUMBERS } from "./numbers.ts";
import { placed } from "./placing.ts";
import { type Reading, readConversation } from "./reading.ts";
import { numbersOf } from "./spans.ts";
import { stateOf } from "./state.ts";
import { tailOf } from "./tail.ts";
import { currentTurnOf, withoutThinking } from "./thinking.ts";
import { Lexicon } from "./words.ts";
import { handoffWriter } from "./write.ts";

export interface EngineRequest {
  readonly messages: readonly Message[];
  /** The hard ceiling: tokens of all messages but system messages. */
  readonly targetTokens: number;
  /** What a hand-off costs elsewhere: a note in the system prompt. */
  readonly noteTokens: number;
  readonly counter: TokenCounter;
  readonly format: Pick<Format, "create" | "handoffRoles" | "leadRoles" | "alternates">;
  /** Positions of messages that stay whole: system messages, pinned ones, what is in view. */
  readonly fixed: ReadonlySet<number>;
  /** Those of them that belong to the live conversation at the end, wherever they are. */
  readonly live: ReadonlySet<number>;
  /** Only these have a place beside them, and may be shown in less: a policy counts what stays. Absent: places are bought. */
  readonly kept?: ReadonlySet<number> | undefined;
  /** From this position on everything stays: calls that are still running. */
  readonly running: number;
  /** The hand-offs in the messages that are ours, word for word. */
  readonly ours: ReadonlySet<string>;
  /** What a model wrote of the messages before a position: it stands in place of the agent's words in them. */
  readonly told?: { readonly text: string; readonly until: number } | undefined;
  /** The hand-off is its prefix and what a model wrote, or the story without what nobody said, and nothing around it. */
  readonly bare?: boolean;
  /** Something has to be handed off, even if all of it had its place. */
  readonly mustHandOff: boolean;
  /** The words of what was recalled count as asked for (F19). */
  readonly learns?: boolean;
  /** What else is told of the messages that leave, in a line of the state. */
  readonly remarkOn?: ((span: readonly Message[]) => Fact | undefined) | undefined;
  readonly prefix: PrefixName;
  readonly role: "auto" | Role;
  /** The ids of what is archived; absent where nothing is. */
  readonly ids:
    | {
        /** Takes as many tokens as any id does. */
        readonly longest: string;
        readonly text: (text: string) => string;
        /** With the number of each message, or of those that it stands for. */
        readonly span: (messages: readonly Message[], numbers: readonly string[]) => string;
      }
    | undefined;
}

export interface EngineResult {
  /** All messages in order: those that stay, at their rendering, and those that were written. */
  readonly messages: readonly Message[];
  /** What came in, as it was read. */
  readonly readings: readonly Reading[];
  readonly handoff?: {
    readonly message: Message;
    readonly id: string | undefined;
    /** The positions of the messages that it stands for, and by which numbers these are opened. */
    readonly span: readonly number[];
    readonly numbers: readonly string[];
    /** Of each line of its text the positions of the messages that it is from. */
    readonly sources: readonly (readonly number[])[];
  };
  /** Whether the target is met, with all of what a model wrote. */
  readonly fits: boolean;
  /** What the same would cost with nothing but what must be there. */
  readonly leastTokens: number;
  /** Where it is not, what it has at the least. */
  readonly tokens: number;
  readonly passes: number;
}

export function compactMessages(request: EngineRequest): EngineResult {
  const readings = readConversation(request.messages, request.ours);
  const asked = request.bare && request.told ? askIn(readings) : undefined;
  if (asked === undefined) return compactRead(request, readings);
  const [fixed, live] = [request.fixed, request.live].map((positions) => new Set([...positions, asked]));
  const result = compactRead({ ...request, fixed: fixed!, live: live! }, readings);
  return result.fits ? result : compactRead(request, readings);
}

/** Where nothing stands around what a model wrote, the newest ask stays a message. */
function askIn(readings: readonly Reading[]): number | undefined {
  const asked = readings.findLast(({ words }) => words.some(({ speaker }) => speaker === "person"));
  return asked?.answers.length === 0 ? asked.at : undefined;
}

function compactRead(request: EngineRequest, readings: readonly Reading[]): EngineResult {
  const { messages, targetTokens, counter, fixed } = request;
  const count = (message: Message) => counter.message(message);
  const sizes = readings.map(({ source }) => (source.role === "system" ? 0 : count(source)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  // A hand-off that was merged into a message goes, whatever keeps the message.
  const fixedTokens = messages.reduce((sum, message) => {
    const own = fixed.has(message.position) && message.role !== "system" ? ownOf(message) : undefined;
    return own === undefined ? sum : sum + count(own);
  }, 0);
  const target = Math.max(1, targetTokens - request.noteTokens - fixedTokens);
  // As much of the room as the room is of the whole without old thinking, and there must be room for a frame.
  const mustHandOff = request.mustHandOff || request.told !== undefined;
  const mostPlaces = mustHandOff ? NUMBERS.handedOff : 1;
  // Where nothing but a model's text stands for what goes, the room is for what stays.
  const isAlone = request.bare && request.told;
  const rest = Math.max(1, total - fixedTokens - oldThinking(request));
  const share = isAlone ? mostPlaces : Math.min(mostPlaces, target / rest);
  const room = (target - NUMBERS.frame) * share;
  // Where the floor does not fit beside the newest group, it is told like what is older.
  const newest = target * NUMBERS.newestPlace;
  const wishes = [
    ...(request.kept ? [] : [{ room, newest }]),
    ...(request.kept || !mustHandOff ? [] : [{ room: 0, newest }]),
    { room: 0, newest: 0 },
  ];
  let passes = 0;
  let result: EngineResult | undefined;
  for (const wish of wishes) {
    result = attempt(request, { readings, fixedTokens, wish });
    passes += result.passes;
    const isEnough = !mustHandOff || result.handoff !== undefined;
    if (result.fits && isEnough) break;
  }
  return { ...result!, passes };
}

/** What thinking takes that may go: of messages that nothing else is taken from it stays. */
function oldThinking({ messages, counter, fixed }: EngineRequest): number {
  const currentTurn = currentTurnOf(messages);
  return messages.reduce((sum, message) => {
    if (message.position >= currentTurn || fixed.has(message.position)) return sum;
    const words = withoutThinking(message);
    return words === message ? sum : sum + counter.message(message) - counter.message(words);
  }, 0);
}

const NONE: ReadonlySet<number> = new Set();

interface Attempt {
  readonly readings: readonly Reading[];
  /** What the messages cost that stay anyway. */
  readonly fixedTokens: number;
  readonly wish: { readonly room: number; readonly newest: number };
}

function attempt(request: EngineRequest, { readings, fixedTokens, wish }: Attempt): EngineResult {
  const { messages, targetTokens, counter, fixed, kept = NONE, ids, format, prefix, role } = request;
  const target = Math.max(1, targetTokens - request.noteTokens - fixedTokens);
  const lexicon = new Lexicon();
  const options = { lexicon, crowd: crowdIn(target), learns: request.learns === true };
  const items = itemsOf(readings, { ...options, room: target, told: request.told });
  const count = (message: Message) => counter.message(message);
  const { running } = request;
  const ask = askOf(items);
  const askTokens = ask.reduce((sum, { pieces }) => pieces.reduce((all, { tokens }) => all + tokens, sum), 0);
  const owedAsk = askTokens <= target * NUMBERS.share.newestAsk ? askTokens : target * NUMBERS.share.ask;
  // The newest group leaves room for what no result goes without, an older one for all of the ask.
  const leastAsk = Math.min(askTokens, target * NUMBERS.share.leastAsk);
  const toldTokens = request.told ? counter.text(request.told.text) : 0;
  const owed = (position: number, isNewest: boolean) =>
    NUMBERS.frame + toldTokens + ((ask[0]?.at ?? -1) >= position ? 0 : isNewest ? leastAsk : owedAsk);
  const tail = tailOf({
    readings,
    items,
    fixed,
    kept,
    ...wish,
    target,
    owed,
    running,
    count,
    idOf: ids?.text,
  });
  const stays = (position: number) => fixed.has(position) || tail.positions.has(position);
  const span = messages.filter(({ position }) => !stays(position));
  const freed = messages.filter((message) => fixed.has(message.position) && ownOf(message) !== message);
  // When all messages have their places nothing is handed off.
  const isHandedOff = span.length > 0 || freed.length > 0;
  const folded = new Set(readings.flatMap(({ at, earlier }) => (earlier.length > 0 ? [at] : [])));
  // What is pinned whole is there, with any hand-off that it quotes.
  const quoted = new Set(
    messages.flatMap((message) => (message.pinned && ownOf(message) === message ? message.position : [])),
  );
  const isThere = (item: Item) =>
    isStory(item) && item.isFolded && quoted.has(item.at) && !folded.has(item.at);
  const remark = isHandedOff ? request.remarkOn?.(span) : undefined;
  const remarks = remark ? [openItem(line("state", remark), { ...options, number: items.length })] : [];
  const isTold = (item: Item): boolean =>
    request.bare && request.told
      ? item.isWhole || (!item.isFolded && isStory(item) && stays(item.at))
      : isStory(item) || (isHandedOff && !request.bare);
  const told = [...items, ...itemsWithPieces(remarks, lexicon, target)].filter(
    (item) => isTold(item) && !isThere(item),
  );
  const stay = messages.filter(({ position }) => stays(position));
  const next = stay.find(
    ({ position, role }) => role !== "system" && position > (span.at(-1)?.position ?? 0),
  );
  const goesOn = next !== undefined && !isUserMessage(next);
  const begun = goesOn ? askOf(told.filter(({ at }) => at < next.position)) : [];
  const musts = mustsOf(told, { tail, target, begun });
  const ranked = rank(told, {
    held: tail.held,
    musts,
    lexicon,
    room: (target - tail.tokens) * NUMBERS.ranked,
  });
  const ranking = [...ranked.pieces, ...tail.originals];
  ranking.forEach((piece, at) => {
    piece.rank = at;
  });
  for (const piece of tail.held) piece.rank = -1;
  const numbers = numbersOf(readings, stays);
  const writer = handoffWriter(told, {
    stay: new Set(stay.map(({ position }) => position)),
    prefix,
    numberOf: (item) =>
      ids === undefined || request.bare || !isStory(item)
        ? undefined
        : item.isFolded && folded.has(item.at)
          ? item.opens
          : numbers.of.get(item.at),
    last: numbers.last,
    goesOn,
    bare: request.bare === true,
  });
  const anchored = messages
    .filter(({ position }) => fixed.has(position))
    .flatMap((message) => ownOf(message) ?? []);
  const order = placed({
    stay: [...anchored, ...tail.write(-1)],
    tail: new Set([...[...tail.positions].filter((position) => !kept.has(position)), ...request.live]),
    fixed: new Set([...fixed, ...kept]),
    messages,
    format,
    role,
    mayMerge: !request.bare,
  });
  const textOf = (chosen: number, id: string | undefined) =>
    isHandedOff ? writer.text(chosen, id) : undefined;
  const write = (chosen: number, text: string | undefined) =>
    order([...anchored, ...tail.write(chosen)], text);
  const sizeOf = (written: readonly Message[]) =>
    written.reduce(
      (sum, message) =>
        message.role === "system" && message.position >= 0 ? sum : sum + sizeOfMessage(message, counter),
      isHandedOff ? request.noteTokens : 0,
    );
  const size = (at: number) => sizeOf(write(at, textOf(at, ids?.longest)));
  // The floor is the same at every target: what the smallest that is promised has room for, beside what stays anyway.
  const isFloor = wish.newest === 0 && !request.kept && size(ranked.obliged) > targetTokens;
  const floorRoom = request.told ? Number.POSITIVE_INFINITY : fixedTokens + tail.tokens + NUMBERS.least;
  const { chosen, passes, fits, tokens, leastTokens } = bestThatFits({
    estimates: ranking.map((piece) => piece.tokens),
    least: isFloor ? most(ranked.floor, (at) => size(at) <= floorRoom) : ranked.obliged,
    room: target - tail.tokens - NUMBERS.frame,
    target: targetTokens,
    size,
  });
  const id = isHandedOff && ids && span.length > 0 ? ids.span(span, numbers.texts(span)) : undefined;
  const text = textOf(chosen, id);
  const written = write(chosen, text);
  const handoff = written.find((message) => text !== undefined && handoffIn(message)?.framed === text);
  return {
    messages: written,
    readings,
    ...(isHandedOff &&
      handoff && {
        handoff: {
          message: handoff,
          id,
          span: span.map(({ position }) => position),
          numbers: numbers.texts(span),
          sources: writer.sources(chosen, id),
        },
      }),
    fits,
    leastTokens,
    tokens,
    passes,
  };
}

/** Of lines with one shape so many of the first and of the last can be shown: as many as there is room for. */
function crowdIn(target: number): number {
  return Math.max(NUMBERS.sameShape, Math.ceil(target / NUMBERS.sameShapeTokens));
}

interface ItemsOptions extends Pick<ItemOptions, "lexicon" | "crowd" | "learns"> {
  /** Tokens. */
  readonly room: number;
  readonly told: EngineRequest["told"];
}

function itemsOf(
  readings: readonly Reading[],
  { lexicon, crowd, learns, room, told }: ItemsOptions,
): readonly Item[] {
  const isReplaced = ({ kind, at }: ItemDraft) =>
    told !== undefined && at < told.until && (kind === "said" || kind === "told");
  const story = draftsOf(readings).filter((draft) => !isReplaced(draft));
  const drafts = [
    ...(told ? [draftTold(told.text)] : []),
    ...story,
    ...rulesOf(readings),
    ...deedsOf(readings),
    ...stateOf(readings),
  ];
  const open = drafts.map((draft, number) => openItem(draft, { lexicon, number, crowd, learns }));
  const items = itemsWithPieces(open, lexicon, room);
  bindAnnouncements(items, lexicon);
  return items;
}

/** A message that was written is counted line by line: most lines of it were counted in an earlier pass. */
function sizeOfMessage(message: Message, counter: TokenCounter): number {
  const [part] = message.parts;
  const isText = message.position < 0 && message.parts.length === 1 && part?.type === "text";
  return isText ? counter.text(part.text) + NUMBERS.message : counter.message(message);
}

/** What a message that stays says without a hand-off that was merged into it. */
function ownOf(message: Message): Message | undefined {
  if (message.role === "system") return message;
  const { own } = separateHandoff(message);
  return own === undefined && message.pinned ? message : own;
}
