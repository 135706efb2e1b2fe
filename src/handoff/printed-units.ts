/** Lines of what was printed, each with what it is worth: by what of it was taken up later, and what of it was asked for. */
import { oneLine } from "./deed-parts.ts";
import { itemHeads } from "./item-lines.ts";
import { isNoise } from "./noise-lines.ts";
import { LINE_GAP, type Unit, unit } from "./story.ts";

/** Most lines of an answer that are looked at. */
const MOST_LINES = 200;

export interface PrintedOptions {
  /** Whether a value was learned from it. */
  readonly isUsed: (value: string) => boolean;
  /** Whether a person said a word. */
  readonly isAsked: (word: string) => boolean;
  /** @default 1 */
  readonly factor?: number;
}

/** Lines of an answer under its call: the more of one answer is told, the less the next line of it is worth. */
export function printedUnits(
  lines: readonly string[],
  { isUsed, isAsked, factor = 1 }: PrintedOptions,
): readonly Unit[] {
  const shown = lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES - 1), lines.at(-1)!];
  const isEdge = (at: number) => at < 2 || at === shown.length - 1;
  const heads = itemHeads(shown);
  const uses = shown.map((line) => useIn(line, isUsed));
  const asked = shown.map((line) => askedIn(line, isAsked));
  const worths = shown.map((line, at) => {
    const edge = isEdge(at) ? EDGE : 0;
    const place = at < HEAD_LINES && PLACE.test(line) ? ADDRESS : 0;
    if (isNoise(line)) return 0;
    return lineWorth(line) + uses[at]! * 0.7 + asked[at]! * 0.2 + edge + place;
  });
  const ranks = new Map(
    shown
      .map((_, at) => at)
      .sort((a, b) => worths[b]! - worths[a]!)
      .map((at, rank) => [at, rank]),
  );
  return shown.map((line, at) => {
    const rank = ranks.get(at)!;
    const worth = worths[at]!;
    const isTaken = uses[at]! >= 1 && (rank < MOST_ROWS || !isRow(line));
    const isAnswer = asked[at]! >= ANSWERS && rank < MOST_ANSWERS;
    const isNotice = isEdge(at) && NOTICE.test(line.slice(0, LOOKED_AT));
    // Beyond a few, scraps are told by their kind, where there is room for that (details.ts).
    const isScrap = rank >= MOST_SCRAPS && worth <= SCRAP;
    return {
      ...unit(`  ${oneLine(line, 220)}`, isScrap ? 0 : (worth * factor) / (1 + rank / 5)),
      // Under the call's own line, or the head of its item.
      under: (heads[at] ?? -1) + 1,
      minor: "printed",
      isLine: true,
      isFact: (isTaken || isAnswer || isNotice) && worth > 0 && SAYS.test(line),
    };
  });
}

/** What the tool says of its own answer, first or last: `<error>Content truncated. Call it again with …</error>` */
const NOTICE = /^\W{0,3}(?:error|warning)\b|\btruncated\b/i;

/** A line that is no sentence, and of which nobody said anything. */
const SCRAP = 0.1;
const MOST_SCRAPS = 12;

/** What a page is called and where it is, among its first lines. */
const PLACE = /^\W{0,4}(?:title|address|url|source|contents of)\b.{0,4}[:\s]\s*\S/i;
const HEAD_LINES = 8;
const ADDRESS = 0.6;

/** How many words of a line that says something people asked with: it may hold the answer where it has a number or is a sentence. */
function askedIn(line: string, isAsked: (word: string) => boolean): number {
  const text = line.slice(0, LOOKED_AT);
  if (text.length < SAYING_CHARS || NAMES_PAGE.test(text)) return 0;
  const words = new Set(text.toLowerCase().match(WORD));
  const asked = [...words].filter(isAsked).length;
  // What only says again what was asked, such as a search's own title, is no answer.
  if (asked > ECHO * words.size) return 0;
  const figure = asked > 0 && FIGURE.test(text) ? FIGURE_ASKED : 0;
  return Math.min(4, asked + figure) / (/\d/.test(text) || SENTENCE.test(text) ? 1 : 2);
}

/** A price or a share: beside words that were asked with it is mostly what was asked for. */
const FIGURE = /[$€£¥]\s?\d|\d\s?(?:%|€|£)/;
const FIGURE_ASKED = 2;

const SAYING_CHARS = 30;
/** Links and what a page says of itself. */
const NAMES_PAGE = /^\s*["'{[]|\]\(|https?:\S{40}/;
const ECHO = 0.6;
/** More rows of one table that were used later were copied as a whole: a few tell what the others are like. */
const MOST_ROWS = 6;

/** `7,NO2,Mean,ppb,23.97`: cells without a space after what divides them. */
function isRow(line: string): boolean {
  return ROW.test(line.slice(0, LOOKED_AT));
}

const ROW = /(?:[^,|\t;]*[,|\t;](?! )){4}/;

/** From so many on a line may be the answer, one of a few. */
const ANSWERS = 3;
const MOST_ANSWERS = 2;
const WORD = /\p{L}{5,}/gu;

/** A line that leads elsewhere. */
function isLink(line: string): boolean {
  return /^\s*(?:[*+-] )?!?\[[^\]]{0,80}\]\([^)\s]*\)\s*$/.test(line);
}

/** The first lines say what it is, the last how it ended. */
const EDGE = 0.1;

/** Lines of what a command printed from which something was learned, the clearest first of many; in their order. */
export function learnedUnits(text: string, isUsed: PrintedOptions["isUsed"]): readonly Unit[] {
  const lines = text.split("\n", MOST_LINES);
  const uses = lines.map((line) => useIn(line, isUsed));
  const learned = uses.flatMap((use, at) =>
    use > 0 && SAYS.test(lines[at]!) && !isNoise(lines[at]!) ? [at] : [],
  );
  // What is in every other line tells none of them apart.
  if (learned.length * 2 > lines.length && lines.length > MOST_LEARNED) return [];
  const told = new Set(learned.toSorted((a, b) => uses[b]! - uses[a]!).slice(0, MOST_LEARNED));
  return learned
    .filter((at) => told.has(at))
    .map((at, order, all) => ({
      ...unit(
        `  ${oneLine(lines[at]!, 220)}${order + 1 < all.length && all[order + 1]! > at + 1 ? LINE_GAP : ""}`,
        LEARNED * Math.min(MOST_SPECIFICS, specificsIn(lines[at]!).size),
      ),
      under: 0,
      minor: "printed",
      isLine: true,
      isFact: true,
    }));
}

const MOST_LEARNED = 4;
/** For each of its specifics: what is beside what was taken up tells of it. */
const LEARNED = 1;
const MOST_SPECIFICS = 4;

/** What of a line was taken up later. A line may be a blob without an end. */
function useIn(line: string, isUsed: (value: string) => boolean): number {
  return Math.min(3, [...specificsIn(line)].filter(isUsed).length);
}

function specificsIn(line: string): ReadonlySet<string> {
  return new Set(line.slice(0, LOOKED_AT).match(SPECIFIC));
}

const LOOKED_AT = 400;
/** A label alone is no fact: it says nothing of what it names. */
const SAYS = /\d{2}|.{40}/;

/** What a line that was printed is worth by itself: a sentence over a scrap, a failure over both. */
function lineWorth(line: string): number {
  const start = line.slice(0, LOOKED_AT);
  if (MARKUP.test(start) || META.test(start) || isLink(start)) return 0;
  return SPEAKS_OF_FAILURE.test(line) ? 1.2 : SENTENCE.test(start) ? 0.3 : 0.1;
}

/** How a page looks, not what it says. */
const MARKUP = /^\s*(?:[{}]|<(?!error\b)|[.#@][\w-]+[^.!?]*\{)|[;{}]\s*$/;
/** What a page says of itself to programs: `"og:title": "…"`, `"{\"@context\": …`. */
const META = /^\s*"(?:\{|[\w:.-]{1,60}":)/;
const SPECIFIC = /[#$€]?\b\w*\d[\w.,:%/-]*|\b[A-Z][a-z]+ [A-Z][a-z]+|\b\w+\.\w{2,4}\b/g;
const SENTENCE = /\p{L}{2}[^.!?]{20,}[.!?](?![\w.])/u;
const SPEAKS_OF_FAILURE =
  /\b(?:error|fail(?:ed|ure)?|exception|not found|denied|timed? ?out|invalid|truncated)\b/i;
