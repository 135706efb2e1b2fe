/** Shape of web search results: title, address and snippet of every hit; page text and markup are left out. */
import { cutLine } from "./cut-line.ts";
import { findErrorLines } from "./error-lines.ts";
import { textOfHtml } from "./html-text.ts";
import { looksLikeJson, parseJson } from "./json.ts";
import { lostFailures } from "./json-failures.ts";
import {
  keepByTurns,
  keepFirst,
  mustKeep,
  renderSelection,
  startSelection,
  tryKeep,
} from "./select-lines.ts";
import type { Shape } from "./shape.ts";
import { type Note, withNote } from "./shape-note.ts";

interface Hit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

const TITLE_KEYS = ["title", "name", "headline"];
const URL_KEYS = ["url", "link", "href", "uri"];
const SNIPPET_KEYS = [
  "snippet",
  "description",
  "summary",
  "abstract",
  "content",
  "text",
  "body",
  "raw_content",
  "html",
];
const SNIPPET_CHARS = 300;
/** Nobody reads a search's sixth page. */
const MOST_HITS = 50;
const LINKS_LINE = /^Links: (\[.*\])\s*$/;
const HIT_LINE =
  /^\s*(?:\d{1,3}[.)] |#{1,4} |[-*] \[|\*\*)|^\s*(?:title|url|link|source|snippet|description|summary|published)\s*:/i;
/** `3. [Title](https://…)` on a line of its own. */
const LISTED_HIT = /^ {0,4}\d{1,3}[.)] \[[^\]\n]{1,300}\]\(https?:\/\/[^\s)]{1,600}\)/gm;
const LEAST_LISTED = 3;
const ADDRESS = /https?:\/\//;
/** Prose beside the hits (an answer that the search tool wrote) keeps this many characters. */
const PROSE_CHARS = 3_000;

export const webSearch: Shape = {
  kind: "web-search",
  recognises: ({ text }, { kind }) => {
    const start = text.slice(0, 3_000);
    if (/^Web search results for query/.test(start)) return 0.95;
    if (kind === "web-search") return 0.9;
    if (kind === undefined && (start.match(LISTED_HIT)?.length ?? 0) >= LEAST_LISTED) return 0.75;
    const hits =
      looksLikeJson(text) &&
      /"(?:url|link|href)"\s*:\s*"http/.test(start) &&
      /"(?:snippet|raw_content)"\s*:/.test(start);
    return hits && /"title"\s*:/.test(start) ? 0.9 : 0;
  },
  shape:
    ({ text }) =>
    (context) => {
      const value = parseJson(text);
      const hits = value === undefined ? [] : hitsIn(value, 0);
      const shown = hits.slice(0, MOST_HITS).map(writeHit).join("\n");
      const body =
        hits.length > 0 ? [shown, ...lostFailures(value, shown)].join("\n") : shapeProse(text, context.room);
      const count = hits.length > 0 ? hits.length : linksIn(text);
      const note: Note = {
        kind: "web-search",
        shown: hits.length > 0 ? Math.min(count, MOST_HITS) : Math.min(count, linksIn(body)),
        total: count,
        // Little room has titles and addresses, and of what is below them what fits.
        unit: context.room === undefined ? "hits (title, address, snippet)" : "hits",
      };
      return withNote(body, { ...note, again: "search again or fetch an address" }, context);
    },
};

/** The first list of objects with titles and addresses, wherever the answer keeps it. */
function hitsIn(value: unknown, depth: number): readonly Hit[] {
  if (typeof value !== "object" || value === null || depth > 4) return [];
  if (Array.isArray(value)) {
    const hits = value.map(hitOf).filter((hit) => hit !== undefined);
    if (hits.length > 0) return hits;
  }
  return Object.values(value).flatMap((inner) => hitsIn(inner, depth + 1));
}

function hitOf(item: unknown): Hit | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const record = item as Readonly<Record<string, unknown>>;
  const text = (keys: readonly string[]): string => {
    for (const key of keys) if (typeof record[key] === "string" && record[key] !== "") return record[key];
    return "";
  };
  const hit = { title: text(TITLE_KEYS), url: text(URL_KEYS), snippet: text(SNIPPET_KEYS) };
  return hit.title !== "" && (hit.url !== "" || hit.snippet !== "") ? hit : undefined;
}

function writeHit({ title, url, snippet }: Hit): string {
  const plain = textOfHtml(snippet.slice(0, 20_000)).replace(/\s+/g, " ").trim();
  const lines = [`- ${oneLine(title)}`, url, cutLine(plain, SNIPPET_CHARS)];
  return lines.filter((line) => line !== "").join("\n  ");
}

function oneLine(title: string): string {
  return textOfHtml(title.slice(0, 2_000)).replace(/\s+/g, " ").trim();
}

function linksIn(text: string): number {
  return text.match(/https?:\/\//g)?.length ?? 0;
}

/** Results as text: the lines with titles and addresses, a list of links written out, and some of the prose. */
function shapeProse(text: string, room: number | undefined): string {
  const isHtml = /<(?:!doctype|html|body|div|p|a) ?[^>]*>/i.test(text.slice(0, 3_000));
  const lines = (isHtml ? textOfHtml(text) : text).split("\n").flatMap(writeLinks);
  const isHit = (line: string): boolean => line.length < 600 && (ADDRESS.test(line) || HIT_LINE.test(line));
  if (room !== undefined) return hitsInRoom(lines, room, isHit);
  const selection = startSelection(lines, PROSE_CHARS);
  lines.forEach((line, index) => {
    if (isHit(line)) mustKeep(selection, index);
  });
  for (const index of findErrorLines(lines, "content")) mustKeep(selection, index);
  selection.spent = 0;
  keepFirst(selection, 2, 0.2);
  for (let index = 0; index < lines.length; index++) if (!tryKeep(selection, index)) break;
  return renderSelection(selection);
}

/** The hits, then the first line below each of them, the second, … as far as the room goes. */
function hitsInRoom(lines: readonly string[], room: number, isHit: (line: string) => boolean): string {
  const selection = startSelection(lines, room);
  for (const index of findErrorLines(lines, "content")) mustKeep(selection, index);
  tryKeep(selection, 0);
  const hits = lines.flatMap((line, index) => (isHit(line) ? [index] : []));
  for (const index of hits) tryKeep(selection, index);
  const below = hits.map((hit, order) => {
    const end = hits[order + 1] ?? lines.length;
    return lines.slice(hit + 1, end).flatMap((line, at) => (line.trim() === "" ? [] : [hit + 1 + at]));
  });
  keepByTurns(
    selection,
    below.filter((group) => group.length > 0),
  );
  return renderSelection(selection);
}

/** `Links: [{"title": …, "url": …}]` as one line per link. */
function writeLinks(line: string): readonly string[] {
  const links = LINKS_LINE.exec(line.length < 200_000 ? line : "");
  const value = links === null ? undefined : parseJson(links[1]!);
  const hits = value === undefined ? [] : hitsIn(value, 0);
  return hits.length === 0 ? [line] : hits.map(({ title, url }) => `- ${oneLine(title)}: ${url}`);
}
