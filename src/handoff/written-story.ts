/** What a model wrote is first in the story, and whole; where there is no room for all of it, whole sections or lines go, never its end. */

import { AROUND_WRITTEN } from "../engine/story-room.ts";
import type { Written } from "../engine/written.ts";
import { type Paragraph, paragraphsOf } from "../text/paragraphs.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { type Story, type StoryTurn, type Unit, unitsIn } from "./story.ts";
import { earlierEntry } from "./tell-story.ts";

interface WrittenOptions {
  readonly story: Written;
  /** What all of the story may take. */
  readonly room: number;
  readonly counter: TokenCounter;
}

export function withWritten(story: Story, { story: written, room, counter }: WrittenOptions): Story {
  const linesBeside = (others: Story) =>
    linesWithin(written.lines, room - mustTokens(others, counter) - AROUND_WRITTEN, counter);
  const whole = linesBeside(story);
  if (whole.length === written.lines.length) return [writtenTurn(whole), ...story];
  const relaxed = story.map(withoutMust);
  const lines = linesBeside(relaxed);
  return lines.length === 0 ? story : [writtenTurn(lines), ...relaxed];
}

function mustTokens(story: Story, counter: TokenCounter): number {
  return unitsIn(story, ({ must }) => must).reduce((sum, { text }) => sum + counter.text(text) + AROUND, 0);
}

/** Where room is short beside what a model wrote, only the ask stays whatever comes: the text tells of the rest. */
function withoutMust(turn: StoryTurn): StoryTurn {
  const entries = turn.entries.map((entry) =>
    entry.voice === "user"
      ? entry
      : { ...entry, units: entry.units.map((unit): Unit => ({ ...unit, must: false, lasting: false })) },
  );
  return { ...turn, entries };
}

/** A label, the number of a turn, the ends of lines. */
const AROUND = 12;

function writtenTurn(lines: readonly string[]): StoryTurn {
  const entry = earlierEntry(lines.join("\n"));
  return {
    number: 0,
    standing: "goes on below",
    entries: [{ ...entry, voice: "summary", units: entry.units.map((unit) => ({ ...unit, must: true })) }],
  };
}

/** All of the lines, or what is left without the sections that are needed least; none where that says nothing. */
export function linesWithin(
  lines: readonly string[],
  maxTokens: number,
  counter: TokenCounter,
): readonly string[] {
  if (counter.text(lines.join("\n")) <= maxTokens) return lines;
  const paragraphs = paragraphsOf(lines);
  const hasNumbers = paragraphs.some(({ numbers }) => numbers) && !hasHeadings(lines);
  return hasNumbers
    ? paragraphsWithin(paragraphs, maxTokens, counter)
    : sectionsWithin(lines, maxTokens, counter);
}

/** From the paragraph that has most left goes its longest line, but for the first; where each has only that, the longest paragraph. */
function paragraphsWithin(
  paragraphs: readonly Paragraph[],
  maxTokens: number,
  counter: TokenCounter,
): readonly string[] {
  const left = paragraphs.map(({ lines }) => lines.map((line) => ({ line, tokens: counter.text(line) + 1 })));
  const sizeOf = (lines: (typeof left)[number]) => lines.reduce((sum, { tokens }) => sum + tokens, 0);
  const longest = <Item>(items: readonly Item[], size: (item: Item) => number): Item | undefined =>
    items.reduce<Item | undefined>(
      (most, each) => (most && size(most) >= size(each) ? most : each),
      undefined,
    );
  let tokens = sizeOf(left.flat());
  while (tokens > maxTokens) {
    // What it begins with says what it is about, and what it ends with where things stand.
    const middle = left.slice(1, -1).filter(({ length }) => length > 0);
    const lines =
      longest(
        middle.filter(({ length }) => length > 1),
        sizeOf,
      ) ?? longest(middle, sizeOf);
    if (!lines) return [];
    const gone = longest(lines.slice(1), (each) => each.tokens) ?? lines[0]!;
    lines.splice(lines.indexOf(gone), 1);
    tokens -= gone.tokens;
  }
  return left.flat().map(({ line }) => line);
}

function sectionsWithin(
  lines: readonly string[],
  maxTokens: number,
  counter: TokenCounter,
): readonly string[] {
  const sections = sectionsOf(lines);
  const sizes = sections.map((section) => counter.text(section.join("\n")) + 1);
  let tokens = sizes.reduce((sum, size) => sum + size, 0);
  const gone = new Set<number>();
  const middle = sections.map((_, at) => at).slice(1, -1);
  for (const at of middle.toSorted((a, b) => needOf(sections[a]!) - needOf(sections[b]!) || a - b)) {
    if (tokens <= maxTokens) break;
    gone.add(at);
    tokens -= sizes[at]!;
  }
  return tokens > maxTokens ? [] : sections.filter((_, at) => !gone.has(at)).flat();
}

/** By its headings; of a text without them every line is one, and the oldest is needed least. */
function sectionsOf(lines: readonly string[]): readonly (readonly string[])[] {
  if (!hasHeadings(lines)) return lines.map((line) => [line]);
  const sections: string[][] = [];
  for (const line of lines) {
    if (sections.length === 0 || HEADING.test(line)) sections.push([line]);
    else sections.at(-1)!.push(line);
  }
  return sections;
}

function hasHeadings(lines: readonly string[]): boolean {
  return lines.filter((line) => HEADING.test(line)).length >= FEWEST_HEADINGS;
}

const HEADING = /^\s{0,3}(?:#{1,6}\s|\*\*[^*]{1,80}\*\*:?\s*$)/;
const FEWEST_HEADINGS = 3;

/** What is told at length under these headings is told in short under others, or can be read again. The least needed first. */
const LEAST_NEEDED: readonly RegExp[] = [
  /\blog\b|\btimeline\b|\bhistory\b/i,
  /\bfiles?\b|\bcode\b/i,
  /\bresolved\b/i,
];

function needOf([heading = ""]: readonly string[]): number {
  const at = LEAST_NEEDED.findIndex((pattern) => pattern.test(heading));
  return HEADING.test(heading) && at >= 0 ? at : LEAST_NEEDED.length;
}
