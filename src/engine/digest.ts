// Digest: the one way to show less of a text. A text is opened into spans (a line, a record, a sentence), each with
// what it is worth against its neighbours. What is shown is a choice of spans, so whatever is shown is word for word.

import { NUMBERS } from "./numbers.ts";
import { type Line, linesOf } from "./open.ts";
import { looksListed } from "./records.ts";
import { type Scan, scan } from "./words.ts";

/**
 * A text as spans, numbers only, so that it can be kept as long as its message is there: a row for each span, then the words of
 * all spans, one behind the other.
 */
export class Digest {
  /** It is a list of fields. */
  readonly isListed: boolean;
  /** The rows, and from `words` on the words of all spans. */
  readonly numbers: Int32Array;
  readonly words: number;
  /** Estimated, of all spans. */
  readonly tokens: number;
  private readonly crowd: number;
  /** The largest number of spans of one shape. */
  private readonly most: number;

  constructor({ spans, leads = [], crowd, isListed = false }: DigestParts) {
    this.isListed = isListed;
    this.words = COLUMNS * spans.length;
    this.crowd = crowd;
    this.most = spans.reduce((most, { crowd }) => Math.max(most, crowd), 0);
    const length = spans.reduce((sum, { first, end }) => sum + end - first, this.words);
    const numbers = new Int32Array(length);
    let [at, word, tenthsOfAll] = [0, this.words, 0];
    spans.forEach(({ from, to, tenths, line, alike, isPasted, worth, first, end }, i) => {
      for (let k = first; k < end; k += 1) numbers[word++] = FOUND[k]!;
      numbers[at] = from;
      numbers[at + 1] = to;
      numbers[at + 2] = tenths;
      numbers[at + 3] = line;
      numbers[at + 4] = leads[i] ?? -1;
      numbers[at + 5] = alike;
      numbers[at + 6] = Math.round(worth * UNIT);
      numbers[at + 7] = isPasted ? 1 : 0;
      numbers[at + 8] = word;
      at += COLUMNS;
      tenthsOfAll += tenths;
    });
    this.numbers = numbers;
    this.tokens = tenthsOfAll / 10;
  }

  /** Would it be the same with this crowd? */
  isFor(crowd: number): boolean {
    return crowd === this.crowd || this.most <= 2 * Math.min(crowd, this.crowd);
  }

  get length(): number {
    return this.words / COLUMNS;
  }

  /** The span that a span comes with; -1 for none. */
  leadOf(span: number): number {
    return this.numbers[COLUMNS * span + 4]!;
  }

  /** In order. */
  forEach(take: (span: DigestedSpan) => void): void {
    const { numbers, words } = this;
    let start = words;
    for (let at = 0; at < words; at += COLUMNS) {
      const end = numbers[at + 8]!;
      const span = {
        from: numbers[at]!,
        to: numbers[at + 1]!,
        tokens: numbers[at + 2]! / 10,
        line: numbers[at + 3]!,
        alike: numbers[at + 5]!,
        worth: numbers[at + 6]! / UNIT,
        isPasted: numbers[at + 7] === 1,
        words: { from: start, to: end },
      };
      take(span);
      start = end;
    }
  }
}

interface DigestParts {
  readonly spans: readonly WeighedLine[];
  readonly leads?: readonly (number | undefined)[];
  readonly crowd: number;
  readonly isListed?: boolean;
}

const COLUMNS = 9;
/** In what worth is counted. */
const UNIT = 2 ** 24;
/** The words of the text that is being read. */
const FOUND: number[] = [];

export interface DigestedSpan extends Line {
  /** Estimated. */
  readonly tokens: number;
  /** The same text has the same number wherever it stands; -1 for short ones. */
  readonly line: number;
  readonly alike: number;
  readonly isPasted: boolean;
  readonly worth: number;
  /** Where its words are among the `numbers`. */
  readonly words: Line;
}

interface WeighedLine extends Line, Scan {
  /** Where its words begin and end among those that were found. */
  readonly first: number;
  readonly end: number;
  /** Against the other spans of this text: 1 is ordinary. */
  worth: number;
  /** How many spans have this shape, itself included: those that are told, and those that there are. */
  alike: number;
  crowd: number;
  /** The first or the last of its shape. */
  isFirst: boolean;
  /** Printed by a program, although it stands in a spoken text. */
  isPasted: boolean;
}

function weighed(text: string, from: number, to: number): WeighedLine {
  const first = FOUND.length;
  const { tenths, line, shape, isSentence } = scan(text, from, to, FOUND);
  return {
    from,
    to,
    first,
    end: FOUND.length,
    tenths,
    line,
    shape,
    isSentence,
    worth: 1,
    alike: 1,
    crowd: 1,
    isFirst: true,
    isPasted: false,
  };
}

/**
 * `whole`: one span. A `fact` is its lines, each whole, the first of which says what they are. `said` has headings that lead their
 * lists, `spoken` is any other text that somebody wrote.
 */
export type Manner = "whole" | "fact" | "printed" | "said" | "spoken";

export interface DigestRequest {
  readonly text: string;
  readonly manner: Manner;
  /** Of lines with one shape only so many of the first and of the last stay. */
  readonly crowd: number;
  /** What never changes and has this text: the digest is kept as long as that is there. */
  readonly of: object | undefined;
}

export function digestOf({ text, manner, crowd, of }: DigestRequest): Digest {
  const known = of && digests.get(of);
  if (known?.isFor(crowd)) return known;
  const digest = newDigest(text, manner, crowd);
  if (of) digests.set(of, digest);
  return digest;
}

const digests = new WeakMap<object, Digest>();

function newDigest(text: string, manner: Manner, crowd: number): Digest {
  FOUND.length = 0;
  if (manner === "whole") return new Digest({ spans: [weighed(text, 0, text.length)], crowd });
  if (manner === "fact") {
    const spans = wholeLines(text);
    return new Digest({ spans, leads: spans.map((_, i) => (i === 0 ? undefined : 0)), crowd });
  }
  if (manner === "printed") {
    const isListed = looksListed(text);
    const spans = digestOfPrinted(text, crowd, isListed);
    const leads = isListed ? leadsByIndent(text, spans) : codeBelow(text, spans);
    return new Digest({ spans, leads, crowd, isListed });
  }
  const spans = digestOfSpoken(text, crowd);
  return new Digest({ spans, leads: manner === "said" ? leadsOf(text, spans) : [], crowd });
}

function wholeLines(text: string): WeighedLine[] {
  let from = 0;
  return text.split("\n").map((line) => {
    const span = weighed(text, from, from + line.length);
    from = span.to + 1;
    return span;
  });
}

/** What marks a line bad in any program's output: level names, crosses, and what runners print. */
export const BAD =
  /\b(?:ERROR|FATAL|FAIL(?:ED|URE)?|CRITICAL|panic|Traceback|[A-Z]\w*(?:Error|Exception))\b|^\s*[✕✗●×]|\berror(?:\[\w+\])?:/;

/** Printed text: what deviates from the templates, what is marked bad and what reads like a sentence weighs more. */
function digestOfPrinted(text: string, crowd: number, isListed: boolean): WeighedLine[] {
  const spans = spansOf(text, crowd);
  const isChange = !isListed && looksChanged(text);
  for (const span of spans) {
    const words = text.slice(span.from, span.to);
    if (isListed)
      [span.worth, span.alike] = [
        (FIELD.test(words) ? 1 : NUMBERS.prose) / Math.sqrt(Math.sqrt(span.alike)),
        1,
      ];
    else if (span.alike > 2) span.worth = span.isFirst ? 1 / Math.sqrt(span.alike) : 1 / span.alike;
    else if (BAD.test(words)) span.worth *= NUMBERS.bad;
    if (span.isSentence) span.worth *= NUMBERS.sentence;
    if (isMarked(words)) span.worth *= NUMBERS.marked;
    if (DEFINES.test(words)) span.worth *= NUMBERS.defines;
    if (isChange) span.worth *= words[0] === "+" ? 1 : words[0] === "-" ? NUMBERS.gone : NUMBERS.around;
  }
  return spans;
}

/** A field, an entry or a row of a list of fields; other lines of it go on with what stands in a field. */
const FIELD = /^\s*(?:- )?[\w.@$/'-]{1,60}:(?:\s|$)| \| |^\s*- /;
/** A line that gives a thing its name, behind a line number, the sign of a change and words before the kind of thing. */
const DEFINES =
  /^(?:\s*\d+[→|:\t])?[+-]?\s*(?:(?:export|default|pub|public|private|protected|static|async|abstract|final)\s+)*(?:func|function|def|class|type|interface|struct|enum|const|fn|impl|trait|module)\s+(?:\([^)\n]{0,60}\)\s*)?(\w{3,60})/;
/** A line that says something about the line below it. */
const COMMENT = /^(?:\s*\d+[→|:\t])?[+-]?\s*(?:\/\/|\/\*|\*\s|\*\/|#\s|--\s|<!--)/;

/** The names that lines of a text define, of those that do not stand deep in it. */
export function namesDefined(text: string): string[] {
  const lines = text.slice(0, 100_000).split("\n");
  return lines.flatMap((line) =>
    /^[+]?\s{5}/.test(line) ? [] : (DEFINES.exec(line.slice(0, 200))?.[1] ?? []),
  );
}

/** For each comment of a printed text the line of code below it, with which it comes, as a number among the spans. */
function codeBelow(text: string, spans: readonly WeighedLine[]): (number | undefined)[] {
  const below: (number | undefined)[] = [];
  for (let i = spans.length - 1; i >= 0; i -= 1) {
    const { from, to } = spans[i]!;
    const next = spans[i + 1];
    if (!next || !COMMENT.test(text.slice(from, Math.min(to, from + 60)))) continue;
    below[i] = text.slice(to, next.from).includes("\n\n") ? undefined : (below[i + 1] ?? i + 1);
  }
  return below;
}

/** For each line of a list of fields its lead: the nearest line above that stands less far in. */
function leadsByIndent(text: string, spans: readonly WeighedLine[]): (number | undefined)[] {
  const above: { depth: number; number: number }[] = [];
  return spans.map(({ from, to }, number) => {
    const start = /^\s*(?:- )?/.exec(text.slice(from, Math.min(to, from + 60)))![0];
    const depth = start.length - (start.endsWith("- ") ? 1 : 0);
    while (above.length > 0 && above.at(-1)!.depth >= depth) above.pop();
    const lead = above.at(-1)?.number;
    above.push({ depth: start.endsWith("- ") ? depth - 1 : depth, number });
    return lead;
  });
}

/** Is this text a change: do lines of it begin with + or -, and nearly all others with a space or a head of a change? */
function looksChanged(text: string): boolean {
  const lines = text.slice(0, 20000).split("\n");
  const changed = lines.filter((line) => /^[+-]/.test(line)).length;
  const around = lines.filter((line) => /^(?: |@@|$|diff |index |\*\*\*)/.test(line)).length;
  return changed > 0 && changed + around >= lines.length - 1;
}

/** Spoken text: first and last sentence and what the writer marked weigh more, in long texts what is no sentence less. */
function digestOfSpoken(text: string, crowd: number): WeighedLine[] {
  const spans = spansOf(text, crowd);
  const pasted = pastedIn(text);
  spans.forEach((span, i) => {
    const words = text.slice(span.from, span.to);
    if (isMarked(words)) span.worth *= NUMBERS.marked;
    if (i === 0 || i === spans.length - 1) span.worth *= NUMBERS.edge;
    if (spans.length > NUMBERS.longTalk && !span.isSentence) span.worth *= NUMBERS.fragment;
    while (pasted[0] && pasted[0].to <= span.from) pasted.shift();
    span.isPasted = pasted[0] !== undefined && span.from >= pasted[0].from;
  });
  return spans;
}

/** For each span of a spoken text its lead: the heading, the line ending in a colon or the head of the table above it, as a
 * number among the spans. */
function leadsOf(text: string, spans: readonly WeighedLine[]): (number | undefined)[] {
  let lead: number | undefined;
  let opens = false;
  let inList = false;
  let wasRow = false;
  return spans.map(({ from, to }, i) => {
    const line = text.slice(from, to);
    const isEntry = /^\s*(?:[-*•|>{[`]|\d+[.)]|[a-z]\))|^\s{2,}/.test(line);
    // A paragraph after a list belongs to the list's heading no more.
    if (lead !== undefined && opens && inList && !isEntry) [lead, inList] = [undefined, false];
    inList ||= isEntry;
    const own = lead;
    const isHeading = /^\s*(?:#{1,6} |\*\*[^*]{1,80}\*\*:?$)/.test(line);
    const isLabel = /[:：]\**$/.test(line) && i < spans.length - 1;
    const isRow = /^\s*\|/.test(line);
    if (isHeading || isLabel) [lead, opens, inList] = [i, !isHeading, false];
    else if (isRow && !wasRow) [lead, opens, inList] = [i, true, true];
    wasRow = isRow;
    return isHeading ? undefined : own;
  });
}

/** The lines of a text with their shapes counted; of a crowd only the first and the last stay. */
function spansOf(text: string, crowd: number): WeighedLine[] {
  const spans = linesOf(text).map(({ from, to }) => weighed(text, from, to));
  const shapes = new Map<number, WeighedLine[]>();
  for (const span of spans) {
    const same = shapes.get(span.shape);
    if (same) same.push(span);
    else shapes.set(span.shape, [span]);
  }
  const hidden = new Set<WeighedLine>();
  for (const same of shapes.values()) {
    same.forEach((span, k) => {
      span.alike = same.length;
      span.crowd = same.length;
      span.isFirst = k === 0 || k === same.length - 1;
      if (k >= crowd && k < same.length - crowd) hidden.add(span);
    });
  }
  return spans.filter((span) => !hidden.has(span));
}

/** Did the writer mark words of this sentence as bold? */
function isMarked(text: string): boolean {
  return text.length > 40 && text.includes("**");
}

/** Where a speaker pasted what a program printed: fences, and six lines on end that do not read like sentences. */
export function pastedIn(text: string): Line[] {
  const regions: Line[] = [];
  let start = -1;
  let lines = 0;
  let sentences = 0;
  let fenced = false;
  let from = 0;
  const close = (to: number) => {
    if (lines >= 6 && sentences * 2 < lines) regions.push({ from: start, to });
    [start, lines, sentences] = [-1, 0, 0];
  };
  for (const line of text.split("\n")) {
    const isFence = line.trimStart().startsWith("```");
    const isPrinted = looksPrinted(line);
    if (isFence || fenced || isPrinted) {
      if (start < 0) start = from;
      lines += isFence ? 3 : 1;
      if (!isPrinted && line.split(" ", 6).length > 5) sentences += 1;
    } else if (line.trim() !== "") close(from);
    if (isFence) fenced = !fenced;
    from += line.length + 1;
  }
  close(text.length);
  return regions;
}

/** Marks of diffs, tables, prompts, quotes, line numbers and dates in front; code ends behind; more signs than letters. */
function looksPrinted(line: string): boolean {
  if (/[\u2500-\u257f]|^(?:[+|{}<>@$]|-\S|\s*["'\])}]|\s*\d+[→|:]|\d{2,}[-/:])|^\s.*[{};]\s*$/.test(line))
    return true;
  return line.length > 20 && line.replace(/[^\p{L}\s]/gu, "").length < line.length * 0.7;
}
