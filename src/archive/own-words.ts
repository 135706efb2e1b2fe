/** saidIn: what somebody said in a message: all but what Pith put there itself, which is no answer to any question. */
import { END_MARKER, findHandoff } from "../conversation/handoffs/prefixes.ts";
import type { ArchivedMessage } from "./archive.ts";

/**
 * The text without hand-offs, and without the calls and answers of Pith's own tools; the very text where there are none, empty
 * where there is nothing else. A hand-off that was merged into a user's message leaves the user's part.
 */
export function saidIn({ role, tools, text }: Pick<ArchivedMessage, "role" | "tools" | "text">): string {
  const own = tools.filter(isOwnTool);
  if (role === "assistant") return withoutHandoffs(own.length > 0 ? withoutCalls(text, own) : text);
  const isAllOwn = own.length > 0 && own.length === tools.length;
  // What a tool says is never a hand-off, whatever it starts with. An answer may have lost its call.
  if (role === "tool") {
    if (isAllOwn) return "";
    return own.length > 0 || tools.length === 0 ? withoutAnswers(text) : text;
  }
  if (own.length === 0) return withoutHandoffs(text);
  return withoutHandoffs(isAllOwn ? behindAnswers(text) : withoutAnswers(text));
}

/** Through MCP a tool's name has its server's before it: `mcp__pith__recall_search`. */
function isOwnTool(name: string): boolean {
  return /(?:^|[^A-Za-z0-9])(?:recall_search|recall_expand|compress_context)$/.test(name);
}

function withoutHandoffs(text: string): string {
  const found = findHandoff(text);
  if (found) return withoutHandoffs(found.rest);
  const end = text.indexOf(`\n${END_MARKER}`);
  if (end < 0) return text;
  // Behind results that travel in the same message.
  for (const { index } of text.slice(0, end).matchAll(/^\[/gm)) {
    if (!findHandoff(text.slice(index))) continue;
    return saidOrNothing(text.slice(0, index) + withoutHandoffs(text.slice(end + 1 + END_MARKER.length)));
  }
  return text;
}

/** Each call is on a line of its own, as its name and its arguments. */
function withoutCalls(text: string, names: readonly string[]): string {
  const lines = text.split("\n");
  return saidOrNothing(
    lines.filter((line) => !names.some((name) => line.startsWith(`${name} {`))).join("\n"),
  );
}

/** The last line of an answer, by which it is known: see `searchText` and `expand`; of one that was shaped, see `SHAPE_NOTE`. */
const LAST_LINE =
  /^(?:\[(?:showing (?:all )?(?<shown>\d+)(?: of \d+)? (?<unit>results|characters|matching lines)[^\]\n]*|nothing found: [^\]\n]*|no line matches|the offset is past the end: [^\]\n]*|(?<shaped>pith shaped: )[^\]\n]*)\]|Nothing is archived under \S+(?:\.|: .*)|pith:\w+ was erased on \S+\.|There are no messages in that range\.|Compaction requested: .*)$/gm;
const HEADING = /^pith:\w+ message \d+ of /gm;

/** Where results are in a user's message, they are first. */
function behindAnswers(text: string): string {
  const last = [...text.matchAll(LAST_LINE)].at(-1);
  return last ? saidOrNothing(text.slice(last.index + last[0].length)) : "";
}

/** What is beside answers in the same message is another tool's. */
function withoutAnswers(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const match of text.matchAll(LAST_LINE)) {
    const end = match.index + match[0].length;
    kept.push(text.slice(from, Math.max(from, startOfAnswer(text, from, match) ?? end)));
    from = end;
  }
  return from === 0 ? text : saidOrNothing([...kept, text.slice(from)].join(""));
}

/** A page says how many characters or lines it has; the results of a search have headings. Undefined for another tool's. */
function startOfAnswer(
  text: string,
  from: number,
  { index, groups = {} }: RegExpExecArray,
): number | undefined {
  if (groups.shaped) return firstHeading(text, from, index);
  const shown = Number(groups.shown);
  switch (groups.unit) {
    case "characters":
      return index - 1 - shown;
    case "results":
      return firstHeading(text, from, index) ?? index;
    case "matching lines":
      return linesBefore(text, index, shown);
    default:
      return index;
  }
}

function firstHeading(text: string, from: number, to: number): number | undefined {
  HEADING.lastIndex = from;
  const found = HEADING.exec(text)?.index ?? to;
  return found < to ? found : undefined;
}

function linesBefore(text: string, index: number, count: number): number {
  let start = index;
  for (let line = 0; line < count && start > 0; line++) start = text.lastIndexOf("\n", start - 2) + 1;
  return start;
}

function saidOrNothing(text: string): string {
  return text.trim() === "" ? "" : text;
}
