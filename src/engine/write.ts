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
  call: "*",
  note: "~",
  rule: "§",
  deed: "!",
  state: "-",
};
const MEANING: readonly (readonly [Kind, string])[] = [
  ["rule", "§ rule of the user"],
  ["ask", "> user"],
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

/** A line of a hand-off, and the message that it is from; what is true now is from none. */
export interface HandoffLine {
  readonly text: string;
  readonly at: number | undefined;
}

export interface HandoffWriter {
  /** Its lines when the first `chosen` of the ranking are chosen, without the frame. */
  readonly lines: (chosen: number) => readonly HandoffLine[];
  /** The whole text, with the id of what it stands for where that is archived. */
  readonly text: (chosen: number, id: string | undefined) => string;
}

export interface WriterOptions {
  /** The positions of the messages that stay: nothing of them is told. */
  readonly stay: ReadonlySet<number>;
  readonly prefix: PrefixName;
  /** What follows goes on with the turn that the story ends in. */
  readonly goesOn: boolean;
}

/** The hand-off of items, without the story of the messages that stay. */
export function handoffWriter(
  items: readonly Item[],
  { stay, prefix, goesOn }: WriterOptions,
): HandoffWriter {
  const gone = items.filter((item) => !isStory(item) || item.isFolded || !stay.has(item.at));
  const ordered = ROOMS.flatMap((isIn) => gone.filter(isIn));
  const ranks = new Map(
    ordered.map((item) => [item, item.pieces.map(({ rank }) => rank).toSorted((a, b) => a - b)]),
  );
  const written = new Map<Item, Map<number, readonly HandoffLine[]>>(
    ordered.map((item) => [item, new Map()]),
  );
  const linesOfItem = (item: Item, chosen: number): readonly HandoffLine[] => {
    const count = countBelow(ranks.get(item)!, chosen);
    const known = written.get(item)!;
    let lines = known.get(count);
    if (lines === undefined) {
      lines = count === 0 ? [] : writeItem(item, chosen);
      known.set(count, lines);
    }
    return lines;
  };
  const lines = (chosen: number) => ordered.flatMap((item) => linesOfItem(item, chosen));
  return {
    lines,
    text: (chosen, id) => {
      const texts = lines(chosen).map(({ text }) => text);
      const signs = MEANING.filter(([kind]) => texts.some((text) => text.startsWith(`${MARKS[kind]} `)));
      const frame = `${FRAME} ${signs.map(([, meaning]) => meaning).join(", ")}.`;
      const whole = id === undefined ? [] : [`All of it is in ${id} (recall_expand).`];
      const body = [frame, ...whole, ...texts, ...(goesOn ? [GOES_ON] : [])].join("\n");
      return `${withPrefix(body, prefix)}\n${END_MARKER}`;
    },
  };
}

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

function writeItem(item: Item, chosen: number): readonly HandoffLine[] {
  const mark = MARKS[item.kind];
  const at = Number.isFinite(item.at) ? item.at : undefined;
  const lines = item.head === "" ? [] : [{ text: `${mark} ${indent(item.head)}`, at }];
  item.sections.forEach((section, number) => {
    const text = render(item, number, chosen);
    if (text !== "") lines.push({ text: `${section.mark || mark} ${indent(text)}`, at });
  });
  return lines;
}

/** A line that goes on begins with one space, which costs no token. */
function indent(text: string): string {
  return text.replace(/\n/g, "\n ");
}

/** An item as its lines say it: the other direction of `writeItem`. */
export interface WrittenItem {
  readonly kind: Kind;
  readonly head: string;
  readonly sections: { readonly mark: Section["mark"]; text: string }[];
}

export function isHandoff(body: string): boolean {
  return body.startsWith(FRAME);
}

/** Reads the body of a hand-off back into the items that it was written from. */
export function readHandoff(body: string): WrittenItem[] {
  const written: WrittenItem[] = [];
  for (const line of body.split("\n").slice(1)) {
    const last = written.at(-1);
    const section = last?.sections.at(-1);
    const kind = KINDS.get(line.slice(0, 2));
    const rest = line.slice(2);
    if (line.startsWith(" ")) {
      if (section) section.text += `\n${line.slice(1)}`;
    } else if (last && /^[<|] /.test(line)) last.sections.push({ mark: line[0] as "<" | "|", text: rest });
    else if (kind === "call") written.push({ kind, head: rest, sections: [] });
    else if (kind !== undefined) written.push({ kind, head: "", sections: [{ mark: "", text: rest }] });
  }
  return written;
}

const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(MARKS).map(([kind, mark]) => [`${mark} `, kind as Kind]),
);

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
