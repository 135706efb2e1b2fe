/**
 * Items: whatever can be in a result. An item has a source, an age and pieces in order; a rendering is a choice of its
 * pieces, and every piece is a span of the item's own text.
 */
import { type Call, commandOf, writesFile } from "./calls.ts";
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
  /** What it printed is fields and rows. */
  readonly isListed: boolean;
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
}

/** Opens the texts of a draft into pieces and learns their words. */
export function toItem(
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
  { lexicon, number, crowd }: ItemOptions,
): Item {
  const isPrinted = kind === "note" || kind === "call";
  const manner = isWhole ? "whole" : isPrinted ? "printed" : kind === "said" ? "said" : "spoken";
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
    isListed: sections.some(({ mark }, section) => mark === "|" && digests[section]!.isListed),
  };
  let first = lexicon.length;
  const add = (section: number, digest: Digest, own: number, asPrinted: number): Piece[] => {
    const isAsked = section < 0 || sections[section]!.mark === "<";
    const voice = kind === "ask" ? "typed" : kind === "said" ? "said" : isAsked ? "asked" : "printed";
    const pieces: Piece[] = [];
    digest.forEach(({ from, to, tokens, line, alike, worth, isPasted, words }, numbers) => {
      const end = lexicon.learn(numbers, words.from, words.to, number, voice);
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
        worth: worth * (isPasted ? asPrinted : own),
        alike,
        rank: Number.POSITIVE_INFINITY,
        lead: undefined,
        led: NONE,
      };
      first = end;
      pieces.push(piece);
      item.pieces.push(piece);
    });
    return pieces;
  };
  const top = head && add(-1, digestOfHead(head.text), head.voice, head.voice)[0];
  sections.forEach(({ voice }, section) => {
    const digest = digests[section]!;
    const pieces = add(section, digest, voice, Math.min(voice, NUMBERS.voice.printed));
    let at = 0;
    digest.forEach(({ lead }) => {
      bind(pieces[at]!, lead < 0 ? top : pieces[lead]);
      at += 1;
    });
    if (kind === "said")
      for (const piece of pieces)
        if (piece.led.length > 0) piece.lead = piece.led.find((led) => led.end - led.first > 1) ?? top;
  });
  return item;
}

function digestOfHead(text: string): Digest {
  return digestOf({ text, manner: "whole", crowd: 1, of: undefined });
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
  const { voice, closing, announcing } = NUMBERS;
  const place = speaker !== "agent" ? 1 : isAnnouncing ? announcing : closing;
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
  const output = openedOnce(answer, () => opened(call.output ?? ""));
  const asked = openedOnce(asking, () => opened(call.asked));
  const echo = isEcho(call) ? NUMBERS.echo : 1;
  const length = 1 + (brief.worth * brief.characters) / (brief.characters + output.length);
  const sections: ItemDraft["sections"] = [
    { mark: "<", text: asked, voice: voice.asked * age, of: asking },
    {
      mark: "|",
      text: isShort(output) || loadsInstructions(call) ? "" : output,
      voice: (call.handsOn ? voice.person : voice.printed * length * echo) * age,
      of: answer,
    },
  ];
  const headVoice = voice.asked * age * (hasFailed(call.outcome) ? failed : 1);
  return {
    kind: "call",
    at,
    call,
    is: deedName(call) === undefined || commandOf(call) !== "" ? undefined : "deed",
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
  const on = folder === "" ? subject : subject.replaceAll(folder, "");
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
