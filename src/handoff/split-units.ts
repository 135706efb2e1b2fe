/** Splits what was said into units: sentences, lines of a list, rows, whole blocks of code, each under its heading. */
import { splitSentences } from "../text/sentences.ts";
import { type Unit, unitOf } from "./story.ts";

/** A unit before anybody has said what it is worth: nothing. */
export type BareUnit = Unit & { readonly kind: NonNullable<Unit["kind"]>; readonly leads: true | undefined };

/** How a fence, a heading, an item or the rule of a table begins: one look that spares most lines the others. */
const MARKED = /^\s*[`~#*_|:+•>\d-]/;
const FENCE = /^\s{0,8}(`{3,}|~{3,})/;
const HEADING = /^\s{0,3}#{1,6}\s|^\s*(?:\*\*|__)[^*_\n]{1,120}(?:\*\*|__):?\s*$/;
const ITEM = /^\s*(?:[-*+•|>]|\d{1,3}[.)])\s?/;
/** `Steps:`, `2. **Costs:**` */
const LEAD_IN = /:(?:\*\*|__)?\s*$/;
const ROW_RULE = /^[\s|:+-]{3,}$/;
/** Shorter lines are told as they stand; longer ones sentence by sentence. */
const WHOLE_LINE_CHARS = 140;
/** Longer texts are split by lines only: the segmenter is not asked for megabytes. */
const MOST_CHARS = 200_000;

/**
 * Of people spaces at the end of a line stay where the next goes on: a rule over two lines is read back as it was given.
 * `opensWords`: a fence around words is left out, and they are told one by one; not of people, who paste between fences.
 */
export function splitUnits(
  text: string,
  { opensWords = false, arePeoples = false } = {},
): readonly BareUnit[] {
  const units: BareUnit[] = [];
  let heading: number | undefined;
  const above: { readonly level: number; readonly at: number }[] = [];
  const leading: { readonly indent: number; readonly at: number }[] = [];
  let join: Unit["join"] = "\n";
  const push = (text: string, kind: BareUnit["kind"], under: number | undefined, leads?: true) => {
    units.push(unitOf(text, 0, join, kind, under, leads) as BareUnit);
    join = "\n";
  };
  const lines = text.replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, "\n").split("\n");
  for (let at = 0; at < lines.length; at++) {
    const goesOn = arePeoples && (lines[at + 1] ?? "").trim() !== "";
    const line = goesOn ? lines[at]! : lines[at]!.trimEnd();
    const isMarked = MARKED.test(line);
    const fence = isMarked ? FENCE.exec(line) : null;
    if (fence) {
      const last = endOfBlock(lines, at, fence[1]!);
      const inner = lines.slice(at + 1, last);
      if (opensWords && isProse(line, inner)) {
        const from = units.length;
        for (const { text: words, kind, under, leads, join: before } of splitUnits(inner.join("\n"))) {
          join = before;
          if (under !== undefined) push(words, kind, under + from, leads);
          else push(words, kind, leads ? undefined : heading, leads);
        }
      } else push(lines.slice(at, last + 1).join("\n"), "code", heading);
      at = last;
    } else if (line.trim() === "") join = "\n\n";
    else if (isMarked && ROW_RULE.test(line) && units.length > 0 && line.includes("-")) {
      const before = units.pop()!;
      units.push({ ...before, text: `${before.text}\n${line}` });
    } else if (isMarked && HEADING.test(line)) {
      const level = levelOf(line);
      while (above.length > 0 && above.at(-1)!.level >= level) above.pop();
      const over = above.at(-1)?.at;
      push(line, "heading", over, true);
      heading = units.length - 1;
      above.push({ level, at: heading });
      leading.length = 0;
    } else if (line.length <= WHOLE_LINE_CHARS && mayLeadIn(line) && leadsOn(lines, at)) {
      // A lead-in under a heading, or further in than another, leads its own lines; what is over it goes with it.
      const indent = line.search(/\S/);
      while (leading.length > 0 && leading.at(-1)!.indent >= indent) leading.pop();
      const over = (leading.at(-1) ?? above.at(-1))?.at;
      push(line, "prose", over, true);
      heading = units.length - 1;
      leading.push({ indent, at: heading });
    } else if (isMarked && ITEM.test(line)) push(line, "item", heading);
    else if (line.length < WHOLE_LINE_CHARS || text.length > MOST_CHARS) push(line, "prose", heading);
    else {
      let isFirst = true;
      const lastAt = line.trimEnd().length;
      for (const { start, end } of splitSentences(line)) {
        // The first keeps how far in the line is, the last how it ends.
        const from = isFirst ? line.slice(0, end) : line.slice(start, end).trimStart();
        const sentence = end < lastAt ? from.trimEnd() : from + line.slice(end);
        if (sentence === "") continue;
        if (!isFirst) join = " ";
        push(sentence, "prose", heading);
        isFirst = false;
      }
    }
  }
  return units;
}

/** The units of a summary with those marked that say, under a heading of their own, what the user had asked for. */
export function withAsked(units: readonly Unit[]): readonly Unit[] {
  const isUnderAsks = ({ under }: Unit): boolean => {
    const heading = under === undefined ? undefined : units[under];
    return heading !== undefined && (ASKS_HEADING.test(heading.text) || isUnderAsks(heading));
  };
  return units.map((each) => (!each.leads && isUnderAsks(each) ? { ...each, isAsked: true } : each));
}

/** `1. Primary Request and Intent:`, `## Goal`, `**User's requirements**` */
const ASKS_HEADING =
  /^[\s\d.#*_)-]{0,8}(?:(?:the|all|primary|original|overall|main|user(?:'s)?|current) ){0,3}(?:requests?|intent|goals?|objectives?|tasks?|messages|asks?|requirements|constraints|instructions|preferences)\b.{0,40}$/i;

/** Where the block that opens at this line ends; one that nothing closes goes on to the end. */
function endOfBlock(lines: readonly string[], at: number, fence: string): number {
  let end = at + 1;
  while (end < lines.length && !lines[end]!.trimStart().startsWith(fence)) end++;
  return Math.min(end, lines.length - 1);
}

/** A fence around words: a plan or a list of sentences, not code. */
function isProse(fence: string, lines: readonly string[]): boolean {
  const told = lines.filter((line) => line.trim() !== "");
  if (!PLAIN_FENCE.test(fence) || told.length < 2 || told.some((line) => DRAWN.test(line))) return false;
  return (
    told.filter((line) => SENTENCE.test(line.slice(0, 200)) && !CODE_END.test(line.trimEnd())).length >=
    told.length * 0.7
  );
}

const PLAIN_FENCE = /^\s*[`~]+\s*(?:te?xt|markdown|md|plaintext)?\s*$/;
const SENTENCE = /^\s*(?:(?:[-*+•>]|\d{1,3}[.)])\s+)?\S*\p{L}{2}\S*(?:\s+\S+){3}/u;
/** A picture made of letters. */
const DRAWN = /[─-╿←-⇿]|^ {8}/;
const CODE_END = /[;{}=<>|\\]$|^\s*[$#]\s/;

/** A line in bold is under any heading. */
function levelOf(line: string): number {
  return /^\s*(#{1,6})/.exec(line)?.[1]?.length ?? 7;
}

/** One look at its last character spares most lines the other. */
function mayLeadIn(line: string): boolean {
  const last = line.charCodeAt(line.length - 1);
  const mayEndIt =
    last === COLON || last === ASTERISK || last === UNDERSCORE || last <= SPACE || last > ASCII;
  return mayEndIt && LEAD_IN.test(line);
}

const COLON = 0x3a;
const ASTERISK = 0x2a;
const UNDERSCORE = 0x5f;
const SPACE = 0x20;
const ASCII = 0x7f;

/** What ends in a colon leads on where a list, a block or a paragraph follows it. */
function leadsOn(lines: readonly string[], at: number): boolean {
  const next = lines.slice(at + 1, at + 3).find((line) => line.trim() !== "");
  return next !== undefined && (ITEM.test(next) || FENCE.test(next) || lines[at + 1]?.trim() !== "");
}
