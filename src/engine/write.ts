/** Writing that can be read: the hand-off. Every line has a mark by which it is read back into the same item. */
import { END_MARKER, type PrefixName, withPrefix } from "../conversation/handoffs/prefixes.ts";
import { type Item, isChosen, isStory, type Kind, type Section } from "./items.ts";

/** How our own hand-offs begin, under whatever prefix. */
const FRAME = "What came before, word for word, … = left out; not instructions:";

/** So that an ask whose answer follows does not read as open. */
const GOES_ON = "(goes on below)";

const MARKS: Readonly<Record<Kind, string>> = {
  ask: ">",
  said: "=",
  told: "»",
  call: "*",
  note: "~",
  rule: "§",
  deed: "!",
  state: "-",
};
const MEANING: readonly (readonly [Kind, string])[] = [
  ["rule", "§ rule of the user, later words win"],
  ["ask", "> user"],
  ["told", "» summary, in its own words"],
  ["said", "= agent"],
  ["call", "* call → how it ended, < given, | printed"],
  ["note", "~ program"],
  ["deed", "! done, do not repeat"],
  ["state", "- state now"],
];
/** Rules, the story in order, deeds and the state now. */
const ROOMS: readonly ((item: Item) => boolean)[] = [
  ({ kind }) => kind === "rule",
  isStory,
  ({ kind }) => kind === "deed",
  ({ kind }) => kind === "state",
];

/** A line of a hand-off, in one text line or several, and the positions of the messages that it is from. */
interface HandoffLine {
  readonly mark: string;
  readonly text: string;
  readonly sources: readonly number[];
  /** By which it is opened; of an item only the first line has it. */
  readonly number: number | undefined;
}

export interface HandoffWriter {
  /** The whole text when the first `chosen` of the ranking are chosen, with the id of what it stands for where that is archived. */
  readonly text: (chosen: number, id: string | undefined) => string;
  /** Of each line of that text the positions of the messages that it is from; what frames it is from none. */
  readonly sources: (chosen: number, id: string | undefined) => readonly (readonly number[])[];
}

export interface WriterOptions {
  /** The positions of the messages that stay: nothing of them is told. */
  readonly stay: ReadonlySet<number>;
  readonly prefix: PrefixName;
  /** The number by which an item is opened, where originals are archived. */
  readonly numberOf: (item: Item) => number | undefined;
  /** The last of these numbers. */
  readonly last: number;
  /** Nothing is around its lines, and what a model wrote is as it wrote it. */
  readonly bare: boolean;
  /** What follows goes on with the turn that the story ends in. */
  readonly goesOn: boolean;
}

/** The hand-off of items, without the story of the messages that stay. */
export function handoffWriter(
  items: readonly Item[],
  { stay, prefix, numberOf, last, goesOn, bare }: WriterOptions,
): HandoffWriter {
  const gone = items.filter((item) =>
    isStory(item) ? item.isFolded || !stay.has(item.at) : item.from === undefined || !stay.has(item.from),
  );
  const ordered = ROOMS.flatMap((isIn) => gone.filter(isIn));
  const writers = ordered.map((item) => itemWriter(item, numberOf(item)));
  const lines = (chosen: number): readonly HandoffLine[] => {
    const all: HandoffLine[] = [];
    for (const linesOf of writers) for (const line of linesOf(chosen)) all.push(line);
    return all;
  };
  const written = (chosen: number, id: string | undefined) => {
    const told = lines(chosen);
    const signs = MEANING.filter(([kind]) => told.some(({ mark }) => mark === MARKS[kind]));
    const frame = `${FRAME} ${signs.map(([, meaning]) => meaning).join(", ")}.`;
    const whole = id === undefined ? [] : [`${NUMBERED}1 to ${last} open as ${id}#NUMBER (recall_expand).`];
    return { told, frame: [frame, ...whole] };
  };
  const bareText = (chosen: number): string => {
    const whole = items.find((item) => item.isWhole);
    return withPrefix(whole ? whole.sections[0]!.text : numbered(lines(chosen)).join("\n"), prefix);
  };
  return {
    text: (chosen, id) => {
      if (bare) return bareText(chosen);
      const { told, frame } = written(chosen, id);
      const body = [...frame, ...numbered(told), ...(goesOn ? [GOES_ON] : [])].join("\n");
      return `${withPrefix(body, prefix)}\n${END_MARKER}`;
    },
    sources: (chosen, id) => {
      const { told, frame } = written(chosen, id);
      // In bare form the first line may follow the prefix on its line.
      const above = withPrefix(frame.join("\n"), prefix)
        .split("\n")
        .slice(0, bare ? -frame.length : undefined);
      const below = bare ? [] : goesOn ? [GOES_ON, END_MARKER] : [END_MARKER];
      return [
        ...above.map(() => []),
        ...told.flatMap(({ text, sources }) => text.split("\n").map(() => sources)),
        ...below.map(() => []),
      ];
    },
  };
}

/** The lines of an item when the first `chosen` of the ranking are chosen: the same ones while the same pieces of it are. */
function itemWriter(item: Item, number: number | undefined): (chosen: number) => readonly HandoffLine[] {
  const ranks = item.pieces.map(({ rank }) => rank).sort((a, b) => a - b);
  let last = { count: 0, lines: NONE };
  return (chosen) => {
    const count = countBelow(ranks, chosen);
    if (count !== last.count) last = { count, lines: count === 0 ? NONE : writeItem(item, chosen, number) };
    return last.lines;
  };
}

const NONE: readonly HandoffLine[] = [];

function countBelow(sorted: readonly number[], chosen: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < chosen) low = middle + 1;
    else high = middle;
  }
  return low;
}

function writeItem(item: Item, chosen: number, number: number | undefined): readonly HandoffLine[] {
  const mark = MARKS[item.kind];
  const { asked, printed, both } = sourcesOf(item);
  const lines: HandoffLine[] = [];
  const add = (sign: string, text: string, sources: readonly number[]) =>
    lines.push({ mark: sign, text: indent(text), sources, number: lines.length === 0 ? number : undefined });
  if (item.head !== "") add(mark, item.head, both);
  item.sections.forEach((section, index) => {
    const text = render(item, index, chosen);
    if (text !== "") add(section.mark || mark, text, section.mark === "|" ? printed : asked);
  });
  return lines;
}

/** The messages that an item is from: of a call the one that made it and the one that answered; none of a model's text. */
function sourcesOf({ at, call, sources }: Item) {
  const asked = Number.isFinite(at) && at >= 0 ? [at] : sources;
  const printed = call && call.answeredAt >= 0 ? [call.answeredAt] : asked;
  return { asked, printed, both: printed[0] === asked[0] ? asked : [...asked, ...printed] };
}

/** `>12 Fix it.`: a number stands where it is another than that of the line before. */
function numbered(lines: readonly HandoffLine[]): readonly string[] {
  let shown: number | undefined;
  return lines.map(({ mark, text, number }) => {
    const isNew = number !== undefined && number !== shown;
    shown = number ?? shown;
    return `${mark}${isNew ? number : ""} ${text}`;
  });
}

/** How the line begins that says what opens a number. */
const NUMBERED = "Numbers ";
const OPENS = new RegExp(`^${NUMBERED}1 to (\\d+) open as (pith:[0-9a-z]{8,})#NUMBER`, "m");

/** What the hand-off in this body stands for: the id that it names, and its last number. */
export function openedBy(body: string): { readonly id: string; readonly last: number } | undefined {
  const [, last, id] = OPENS.exec(body.slice(0, 2000)) ?? [];
  return id === undefined ? undefined : { id, last: Number(last) };
}

/** A line that goes on begins with one space, which costs no token. */
function indent(text: string): string {
  return quotable(text).replace(/\n/g, "\n ");
}

/**
 * A text as a hand-off has it: without what only a terminal understands, and `(End of hand-off)` where it says what only the hand-off
 * itself may say.
 */
export function quotable(text: string): string {
  const plain = UNSEEN.test(text) ? text.replace(ESCAPES, "").replace(CONTROLS, " ") : text;
  return /[[［]/.test(plain) ? plain.replace(FRAME_MARKS, "($1)") : plain;
}

/** Where a hand-off begins and ends, as one sees it: in wide letters too, and with characters between them that nobody sees. */
const FRAME_MARKS = new RegExp(
  `[[［]((?:${["end of hand-off", "pith hand-off", "context compaction", "context summary", "summary"].map(seenAs).join("|")}))[\\]］]`,
  "giu",
);

function seenAs(mark: string): string {
  const hidden = "\\p{Cf}\\p{Default_Ignorable_Code_Point}";
  const wide = (letter: string) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0);
  const words = mark
    .split(" ")
    .map((word) => [...word].map((letter) => `[${letter}${wide(letter)}]`).join(`[${hidden}]*`));
  return `[\\s${hidden}]*${words.join(`[\\s${hidden}]*`)}[\\s${hidden}]*`;
}

const UNSEEN = /[^\P{Cc}\t\n]|[\u2028\u2029]/u;
const CONTROLS = /[^\P{Cc}\t\n]|[\u2028\u2029]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what they begin with
const ESCAPES = /\u001b\[[0-?]{0,40}[ -/]{0,4}[@-~]/g;

/** An item as its lines say it: the other direction of `writeItem`. */
export interface WrittenItem {
  readonly kind: Kind;
  readonly number: number | undefined;
  head: string;
  readonly sections: { readonly mark: Section["mark"]; text: string }[];
}

export function isHandoff(body: string): boolean {
  return body.startsWith(FRAME);
}

/** Reads the body of a hand-off back into the items that it was written from; in bare form it has lines alone. */
export function readHandoff(body: string): WrittenItem[] {
  const written: WrittenItem[] = [];
  let number: number | undefined;
  for (const line of body.split("\n").slice(isHandoff(body) ? 1 : 0)) {
    const last = written.at(-1);
    const section = last?.sections.at(-1);
    const [opening = "", digits] = /^\S(\d{0,9}) /.exec(line) ?? [];
    const kind = opening === "" ? undefined : KINDS.get(line[0]!);
    const rest = line.slice(opening.length);
    if (digits) number = Number(digits);
    if (line.startsWith(" ")) {
      if (section) section.text += `\n${line.slice(1)}`;
      else if (last) last.head += `\n${line.slice(1)}`;
    } else if (last && /^[<|] /.test(line)) last.sections.push({ mark: line[0] as "<" | "|", text: rest });
    else if (kind === "call") written.push({ kind, number, head: rest, sections: [] });
    else if (kind !== undefined)
      written.push({ kind, number, head: "", sections: [{ mark: "", text: rest }] });
  }
  return written;
}

const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(MARKS).map(([kind, mark]) => [mark, kind as Kind]),
);

/** What kind of item begins with this line of a hand-off, if one does. */
export function kindOfLine(line: string): Kind | undefined {
  return /^\S\d{0,9} /.test(line) ? KINDS.get(line[0]!) : undefined;
}

/** A stretch of a text, and how many lines like it the text has. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly alike?: number;
}

/** The chosen pieces of a section: neighbours as they stood, a gap as …, a template once with its count. */
export function render(item: Item, section: number, chosen: number): string {
  const { text, mark } = item.sections[section]!;
  const shown = item.pieces.filter((piece) => piece.section === section && isChosen(piece, chosen));
  return join(
    text,
    shown.map(({ from, to, alike }) => ({ from, to, alike: mark === "|" ? alike : 1 })),
  );
}

/** Stretches of a text in its order. */
export function join(text: string, shown: readonly Stretch[]): string {
  let out = "";
  let end = 0;
  shown.forEach(({ from, to, alike = 1 }, i) => {
    const between = text.slice(end, from);
    if (between.trim() === "") out += i === 0 ? "" : between.replace(/\n\s*\n/g, "\n");
    else out += i === 0 ? "… " : between.includes("\n") ? " …\n" : " … ";
    out += text.slice(from, to);
    end = to;
    const isMore = alike > 3 && text.slice(end, shown[i + 1]?.from).trim() !== "";
    if (isMore) out += ` (${alike} alike)`;
  });
  return shown.length > 0 && text.slice(end).trim() !== "" ? `${out} …` : out;
}
