/** Finds the code blocks of a Markdown text, so that nothing that works on prose ever touches code. */
import MarkdownIt from "markdown-it";
import { midlineFences } from "./midline-fences.ts";
import { type LineRange, plainFences } from "./plain-fences.ts";

export interface Segment {
  readonly kind: "prose" | "code";
  readonly text: string;
}

/**
 * Cuts a text into prose and code: fenced blocks (backticks or tildes, in lists and quotes too, an unclosed one runs to
 * the end; one that opens in mid-line from there on) and indented code. Joined again, the segments are the text.
 *
 * `"Run:\n```\nls\n```\n"` → prose `"Run:\n"`, code "```\nls\n```\n"
 */
export function splitCode(markdown: string): readonly Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const [start, end] of midlineFences(markdown)) {
    segments.push(...splitBlocks(markdown.slice(from, start)));
    segments.push({ kind: "code", text: markdown.slice(start, end) });
    from = end;
  }
  return from === 0 ? splitBlocks(markdown) : [...segments, ...splitBlocks(markdown.slice(from))];
}

/** The same for blocks of whole lines. */
function splitBlocks(markdown: string): readonly Segment[] {
  if (!mayHoldCode(markdown)) return markdown === "" ? [] : [{ kind: "prose", text: markdown }];
  const lines = lineStarts(markdown);
  const segments: Segment[] = [];
  let line = 0;
  const take = (kind: Segment["kind"], end: number) => {
    if (end <= line) return;
    segments.push({ kind, text: markdown.slice(lines[line], lines[end]) });
    line = end;
  };
  for (const [start, end] of plainFences(markdown, lines) ?? codeLines(markdown, lines)) {
    take("prose", Math.max(line, start));
    take("code", end);
  }
  take("prose", lines.length - 1);
  return segments;
}

/** Deeper nesting is not looked into: it counts as code and stays as it is. */
const MAX_NESTING = 60;

type Parser = InstanceType<typeof MarkdownIt>;

let parser: Parser | undefined;

function createParser(): Parser {
  const markdown = new MarkdownIt({ html: true });
  markdown.core.ruler.enableOnly(["normalize", "block"]);
  markdown.block.ruler.disable(["table", "reference"]);
  Object.assign(markdown.options, { maxNesting: MAX_NESTING });
  return markdown;
}

/** Cheap and never wrong in saying no: code needs a fence, four spaces or a tab. */
function mayHoldCode(text: string): boolean {
  return text.includes("```") || text.includes("~~~") || text.includes("    ") || text.includes("\t");
}

/** Line ranges of code, in order, `end` exclusive. What is long is read by sections, most of which need no parser. */
function codeLines(markdown: string, lines: readonly number[]): readonly LineRange[] {
  const sections = mayGoOverSections(markdown) ? [0, lines.length - 1] : sectionStarts(markdown, lines);
  const ranges: LineRange[] = [];
  for (let at = 1; at < sections.length; at++) {
    const first = sections[at - 1]!;
    const starts = lines.slice(first, sections[at]! + 1).map((start) => start - lines[first]!);
    const text = markdown.slice(lines[first], lines[sections[at]!]);
    for (const [start, end] of plainFences(text, starts) ?? parsedCode(text, starts.length - 1))
      ranges.push([first + start, first + end]);
  }
  return ranges;
}

/** A fence, and mark-up that a line opens with, do not end with an empty line. */
function mayGoOverSections(markdown: string): boolean {
  return markdown.includes("```") || markdown.includes("~~~") || /^[ \t>*+\-\d.)]*</m.test(markdown);
}

/** The lines at the margin after an empty line: nothing that was open goes on there. And the end. */
function sectionStarts(markdown: string, lines: readonly number[]): readonly number[] {
  const starts = [0];
  const end = lines.length - 1;
  for (let line = 1; line < end; line++) {
    const isAtMargin = !/[ \t\r\n]/.test(markdown.charAt(lines[line]!));
    if (isAtMargin && /^[ \t\r\n]*$/.test(markdown.slice(lines[line - 1], lines[line]))) starts.push(line);
  }
  return [...starts, end];
}

function parsedCode(markdown: string, lineCount: number): readonly LineRange[] {
  const ranges: LineRange[] = [];
  parser ??= createParser();
  for (const token of parser.parse(markdown, {})) {
    if (!token.map) continue;
    const isCode = token.type === "fence" || token.type === "code_block";
    if (isCode || token.level >= MAX_NESTING - 2)
      ranges.push([token.map[0], Math.min(token.map[1], lineCount)]);
  }
  return ranges;
}

/** Where each line starts, and the end of the text; lines end as the parser says: \n, \r\n or a lone \r. */
function lineStarts(text: string): number[] {
  const starts = [0];
  const ending = /\r\n?|\n/g;
  while (ending.test(text)) starts.push(ending.lastIndex);
  if (starts.at(-1) !== text.length) starts.push(text.length);
  return starts;
}
