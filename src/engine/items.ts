/**
 * Items: whatever can be in a result. An item has a source, an age and pieces in order; a rendering is a choice of its
 * pieces, and every piece is a span of the item's own text.
 */
import { type Call, writesFile } from "./calls.ts";
import { type Digest, digestOf } from "./digest.ts";
import { deedName } from "./facts.ts";
import { NUMBERS } from "./numbers.ts";
import { once } from "./once.ts";
import { opened } from "./open.ts";
import { hasFailed, howItEnded } from "./outcome.ts";
import type { Reading, Utterance } from "./reading.ts";
import { folderOf, loadsInstructions } from "./state.ts";
import type { Lexicon } from "./words.ts";
import type { WrittenItem } from "./write.ts";

/** `told`: a summary, a model's or an earlier one that is not ours. */
export type Kind = "ask" | "said" | "told" | "call" | "note" | "rule" | "deed" | "state";

/** A text of an item. Its mark says what it is: spoken (""), what was asked of a tool ("<"), what it printed ("|"). */
export interface Section {
  readonly mark: "" | "<" | "|";
  readonly text: string;
}

export interface Item {
  readonly kind: Kind;
  readonly number: number;
  /** The message that it comes from; what is true now is younger than all. */
  readonly at: number;
  /** It is shown whole or not at all: what a model wrote for this hand-off. */
  readonly isWhole: boolean;
  /** It comes from a hand-off, which goes even where the message that it is in stays. */
  readonly isFolded: boolean;
  /** The message without which it is true: it is told only where that has left. */
  readonly from: number | undefined;
  /** The messages that say what is true now. */
  readonly sources: readonly number[];
  /** The number by which that hand-off opens it. */
  readonly opens: number | undefined;
  /** The call that it tells. */
  readonly call: Call | undefined;
  readonly head: string;
  readonly sections: readonly Section[];
  readonly pieces: Piece[];
  /** Words that announce a call, a call that changed the world. */
  readonly is: ItemDraft["is"];
}

export interface Piece {
  readonly item: Item;
  readonly index: number;
  /** Its number among all pieces that are ranked. */
  id: number;
  /** Which section it is a span of; -1 is the item's head. */
  readonly section: number;
  readonly from: number;
  readonly to: number;
  /** Where its words begin and end among those of all pieces. */
  readonly first: number;
  end: number;
  /** The same text has the same number wherever it stands; -1 for short ones. */
  readonly line: number;
  readonly tokens: number;
  /** Who says it, where, and against its neighbours. */
  worth: number;
  /** How many lines like this one the text has. */
  readonly alike: number;
  /** Its place in the ranking; what is not in it is never chosen. */
  rank: number;
  /** What has to come with it, and what it comes with: an entry with the line that leads its list, and that line with it. */
  lead: Piece | undefined;
  led: readonly Piece[];
}

/** Is this piece among the first so many of the ranking? */
export function isChosen({ rank }: Piece, chosen: number): boolean {
  return rank < chosen;
}

/** A piece that says nothing by itself. */
export function newPiece(item: Item, index: number): Piece {
  return {
    item,
    index,
    id: -1,
    section: -1,
    from: 0,
    to: 0,
    first: 0,
    end: 0,
    line: -1,
    tokens: 0,
    worth: 1,
    alike: 1,
    rank: Number.POSITIVE_INFINITY,
    lead: undefined,
    led: NONE,
  };
}

const NONE: readonly Piece[] = [];

/** What an item is made from, before its words are known. */
export interface ItemDraft {
  readonly kind: Kind;
  readonly at: number;
  readonly isFolded?: boolean;
  readonly from?: number | undefined;
  readonly sources?: readonly number[];
  /** It is shown whole or not at all. */
  readonly isWhole?: boolean;
  readonly opens?: number | undefined;
  readonly call?: Call;
  readonly head?: { readonly text: string; readonly voice: number };
  readonly sections: readonly DraftSection[];
  readonly is?: "announcing" | "deed" | undefined;
}

interface DraftSection extends Section {
  readonly voice: number;
  /** What never changes and has this text. */
  readonly of?: object | undefined;
}

export interface ItemOptions {
  readonly lexicon: Lexicon;
  readonly number: number;
  /** Of lines with one shape only so many of the first and of the last can be shown. */
  readonly crowd: number;
  /** The words of what was recalled count as asked for (F19). */
  readonly learns: boolean;
}

/** A call by which what left the view was opened again. */
const RECALLED = /^(?:\w+__)?recall_(?:expand|search)\b/;

/** Opens the texts of a draft and learns their words. */
export function openItem(
  {
    kind,
    at,
    isFolded = false,
    from,
    sources = [],
    isWhole = false,
    opens,
    call,
    head,
    sections,
    is,
  }: ItemDraft,
  { lexicon, number, crowd, learns }: ItemOptions,
): OpenItem {
  const isPrinted = kind === "note" || kind === "call";
  const isFact = kind === "rule" || kind === "deed" || kind === "state";
  const manner = isWhole
    ? "whole"
    : isFact
      ? "fact"
      : isPrinted
        ? "printed"
        : kind === "said"
          ? "said"
          : "spoken";
  const digests = sections.map(({ text, of }) => digestOf({ text, manner, crowd, of }));
  const item: Item = {
    kind,
    number,
    at,
    isWhole,
    isFolded,
    from,
    sources,
    opens,
    call,
    head: head?.text ?? "",
    sections,
    pieces: [],
    is,
  };
  const top = head && digestOf({ text: head.text, manner: "whole", crowd: 1, of: undefined });
  const isRecalled = learns && RECALLED.test(item.head);
  const voice = kind === "ask" || isRecalled ? "typed" : kind === "said" ? "said" : undefined;
  if (top) lexicon.learn(top.numbers, top.words, number, voice ?? "asked");
  for (const [section, { numbers, words }] of digests.entries()) {
    const isAsked = sections[section]!.mark === "<";
    lexicon.learn(numbers, words, number, voice ?? (isAsked ? "asked" : "printed"));
  }
  return {
    item,
    head: top && { digest: top, section: -1, voice: head.voice, isOutput: false },
    texts: sections.map(({ mark, voice }, section) => ({
      digest: digests[section]!,
      section,
      voice,
      isOutput: mark === "|",
    })),
  };
}

/** An item before it has pieces. */
export interface OpenItem {
  readonly item: Item;
  readonly head: OpenText | undefined;
  readonly texts: readonly OpenText[];
}

interface OpenText {
  readonly digest: Digest;
  readonly section: number;
  readonly voice: number;
  readonly isOutput: boolean;
}

/** The items with their pieces: what is printed becomes a piece where it may be among what is shown. */
export function itemsWithPieces(open: readonly OpenItem[], lexicon: Lexicon, room: number): readonly Item[] {
  const weighed = weighPrinted(open, lexicon, room * NUMBERS.candidates);
  let first = lexicon.length;
  let at = 0;
  for (const { item, head, texts } of open) {
    const add = ({ digest, section, voice, isOutput }: OpenText): (Piece | undefined)[] => {
      const asPrinted = Math.min(voice, NUMBERS.voice.printed);
      const isIn = isOutput && weighed ? candidates(digest, weighed, at) : undefined;
      const pieces: (Piece | undefined)[] = [];
      digest.forEach(({ from, to, tokens, line, alike, worth, isPasted, words }) => {
        if (isIn && !isIn[pieces.length]) {
          pieces.push(undefined);
          return;
        }
        const end = lexicon.add(digest.numbers, words.from, words.to);
        const piece: Piece = {
          item,
          index: item.pieces.length,
          id: -1,
          section,
          from,
          to,
          first,
          end,
          line,
          tokens: tokens + NUMBERS.overhead,
          worth: worth * (isPasted ? asPrinted : voice),
          alike,
          rank: Number.POSITIVE_INFINITY,
          lead: undefined,
          led: NONE,
        };
        first = end;
        pieces.push(piece);
        item.pieces.push(piece);
      });
      if (isOutput) at += pieces.length;
      return pieces;
    };
    const top = head && add(head)[0];
    for (const text of texts) {
      const pieces = add(text);
      pieces.forEach((piece, i) => {
        const lead = text.digest.leadOf(i);
        if (piece) bind(piece, lead < 0 ? top : pieces[lead]);
      });
      if (item.kind === "said")
        for (const piece of item.pieces)
          if (piece.led.length > 0) piece.lead = piece.led.find((led) => led.end - led.first > 1) ?? top;
    }
  }
  return open.map(({ item }) => item);
}

interface Weighed {
  /** What each span that was printed says per token, before anything is shown. */
  readonly gains: Float32Array;
  readonly least: number;
}

/** Weighs what was printed, where that is more than so many tokens: with less than the least it is no candidate. */
function weighPrinted(open: readonly OpenItem[], lexicon: Lexicon, room: number): Weighed | undefined {
  const printed = open.flatMap(({ item, texts }) =>
    texts.flatMap((text) => (text.isOutput ? { ...text, item } : [])),
  );
  const spans = printed.reduce((sum, { digest }) => sum + digest.length, 0);
  const tokens = printed.reduce((sum, { digest }) => sum + digest.tokens, NUMBERS.overhead * spans);
  if (tokens <= room) return undefined;
  const rarities = lexicon.rarities(open.length);
  const gains = new Float32Array(spans);
  let at = 0;
  for (const { item, digest, voice } of printed) {
    digest.forEach(({ words, worth, tokens }) => {
      let sum = 0;
      let topical = 0;
      let isChosen = false;
      for (let i = words.from; i < words.to; i += 1) {
        const word = lexicon.placeOf(digest.numbers[i]!);
        const isTyped = lexicon.typed[word]!;
        const said = lexicon.said[word]!;
        sum += rarities[word]!;
        if (isTyped || said >= NUMBERS.cameBack) topical += 1;
        isChosen ||= lexicon.isKey[word]! && (lexicon.used[word]! > item.number || isTyped || said > 0);
      }
      const share = topical / Math.max(1, words.to - words.from);
      const times = (1 + NUMBERS.topical * share) * (isChosen ? NUMBERS.chosen : 1);
      gains[at] = (sum * worth * voice * times) / (tokens + NUMBERS.overhead);
      at += 1;
    });
  }
  const sorted = gains.toSorted();
  return { gains, least: sorted[Math.max(0, spans - Math.ceil((spans * room) / tokens))]! };
}

/** Which spans of an output are candidates, with what they come with. */
function candidates(digest: Digest, { gains, least }: Weighed, from: number): Uint8Array {
  const isIn = new Uint8Array(digest.length);
  for (let i = 0; i < isIn.length; i += 1) {
    if (gains[from + i]! < least) continue;
    for (let one = i; one >= 0 && isIn[one] === 0; one = digest.leadOf(one)) isIn[one] = 1;
  }
  return isIn;
}

function bind(piece: Piece, lead: Piece | undefined): void {
  piece.lead = lead;
  if (lead === undefined) return;
  if (lead.led === NONE) lead.led = [piece];
  else (lead.led as Piece[]).push(piece);
}

/** An announcement says what the head of its call does not; one that ends in a colon comes with that head. */
export function bindAnnouncements(items: readonly Item[], { words }: Pick<Lexicon, "words">): void {
  items.forEach((item, i) => {
    const next = items[i + 1];
    const last = item.pieces.at(-1);
    if (!last || item.kind !== "said" || next?.kind !== "call" || next.at !== item.at) return;
    const head = next.pieces[0]!;
    const told = words.subarray(head.first, head.end);
    for (const piece of item.pieces) {
      const own = words.subarray(piece.first, piece.end).filter((word) => !told.includes(word));
      words.set(own, piece.first);
      piece.end = piece.first + own.length;
    }
    if (/[:：]$/.test(item.sections[last.section]!.text.slice(0, last.to))) bind(last, next.pieces[0]);
  });
}

/** What the conversation says, in order. */
export function draftsOf(readings: readonly Reading[]): ItemDraft[] {
  const { oldest, newestCalls, newestWorth } = NUMBERS;
  const newest = new Set(readings.flatMap((reading) => reading.calls).slice(-newestCalls));
  const last = Math.max(1, readings.length - 1);
  const folder = folderOf(readings);
  return readings.flatMap(({ at, words, calls, earlier }) => {
    const age = oldest + ((1 - oldest) * at) / last;
    return [
      ...earlier.filter(isStory).map((item) => draftEarlier(item, at, age)),
      ...words.map((said) => draftWords(said, at, age, calls.length > 0)),
      ...calls.map((call) => draftCall(call, at, newest.has(call) ? age * newestWorth : age, folder)),
    ];
  });
}

/** Kinds that tell what happened; rules, deeds and state are asked of the readings. */
const STORY: ReadonlySet<Kind> = new Set<Kind>(["ask", "said", "told", "call", "note"]);

export function isStory({ kind }: Pick<Item, "kind">): boolean {
  return STORY.has(kind);
}

function draftWords(said: Utterance, at: number, age: number, isAnnouncing: boolean): ItemDraft {
  const { speaker, text } = said;
  const { voice, closing } = NUMBERS;
  const place = speaker !== "agent" || isAnnouncing ? 1 : closing;
  const kind = ({ person: "ask", agent: "said", handoff: "told", program: "note" } as const)[speaker];
  const is = speaker === "agent" && isAnnouncing ? "announcing" : undefined;
  return {
    kind,
    at,
    is,
    isFolded: speaker === "handoff",
    sections: [
      { mark: "", text, voice: voice[speaker] * place * (speaker === "handoff" ? 1 : age), of: said },
    ],
  };
}

function draftCall(call: Call, at: number, age: number, folder: string): ItemDraft {
  const { voice, brief, failed } = NUMBERS;
  const { asking, answer } = call;
  // Half of an instruction is none: it is loaded again, or all of it stays in its place (R39).
  const output = loadsInstructions(call) ? "" : openedOnce(answer, () => opened(call.output ?? ""));
  const asked = openedOnce(asking, () => opened(call.asked));
  const echo = isEcho(call) ? NUMBERS.echo : 1;
  const length = 1 + (brief.worth * brief.characters) / (brief.characters + output.length);
  const sections: ItemDraft["sections"] = [
    { mark: "<", text: asked, voice: voice.asked * age, of: asking },
    {
      mark: "|",
      text: isShort(output) ? "" : output,
      voice: (call.handsOn ? voice.person : voice.printed * length * echo) * age,
      of: answer,
    },
  ];
  const headVoice = voice.asked * age * (hasFailed(call.outcome) ? failed : 1);
  return {
    kind: "call",
    at,
    call,
    is: deedName(call) === undefined || call.command !== "" ? undefined : "deed",
    head: { text: headOf(call, folder), voice: headVoice },
    sections: sections.filter((piece) => piece.text !== ""),
  };
}

const openedOnce = once<object, string>();

/** `Bash npm test → failed (1 failed, 3 passed)`, `calculate 340 - 280 → 60.0` */
function headOf(call: Call, folder: string): string {
  const { verb, subject, output, outcome } = call;
  const ended = howItEnded(outcome);
  const printed =
    output === undefined
      ? "not answered"
      : isShort(output) && !isEcho(call) && !ended.includes(output.trim())
        ? output.trim()
        : "";
  // A command line stays what it was.
  const on = folder === "" || call.command !== "" ? subject : subject.replaceAll(folder, "");
  // A result that nobody asked for has a line of its own as well.
  return (`${verb} ${on}`.trim() || "result") + ended + (printed === "" ? "" : ` → ${printed}`);
}

/** What an edit prints when it went well is what it was given. */
function isEcho(call: Call): boolean {
  return writesFile(call) && !hasFailed(call.outcome);
}

/** A short answer stands beside its call, where it could not be taken for how that ended. */
function isShort(output: string): boolean {
  return output.length <= NUMBERS.answer && !output.trim().includes("\n") && !LIKE_VERDICT.test(output);
}

const LIKE_VERDICT = /→|^\s*(?:ok|failed|refused)\b/;

/** What a model wrote, one text that nothing is taken from; it stands for what is older than all that is told beside it. */
export function draftTold(text: string): ItemDraft {
  const voice = NUMBERS.voice.agent;
  return { kind: "told", at: -1, isFolded: true, isWhole: true, sections: [{ mark: "", text, voice }] };
}

/** An item of an earlier hand-off: the same item, older. */
function draftEarlier({ kind, number, head, sections }: WrittenItem, at: number, age: number): ItemDraft {
  const { voice } = NUMBERS;
  const speaks =
    kind === "ask"
      ? voice.person
      : kind === "said" || kind === "told"
        ? voice.agent
        : kind === "note"
          ? voice.program
          : voice.printed;
  return {
    ...{ kind, at, isFolded: true, opens: number },
    ...(head === "" ? {} : { head: { text: head, voice: voice.asked * age } }),
    sections: sections.map(({ mark, text }) => ({
      mark,
      text,
      voice: (mark === "<" ? voice.asked : speaks) * age,
    })),
  };
}
