// Opening: a text as the lines that it is made of. A page loses its tags, JSON in JSON its quoting; a long line is cut
// between records, else at the end of a sentence.

import { NUMBERS } from "./numbers.ts";
import { recordsIn } from "./records.ts";

export interface Line {
  readonly from: number;
  readonly to: number;
}

/** Lines; a long line is opened at what it is made of, and a sentence that was broken into lines is whole again. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (const line of brokenLines(text)) {
    const last = lines.at(-1);
    if (last && goesOn(text, last, line)) lines[lines.length - 1] = { from: last.from, to: line.to };
    else lines.push(line);
  }
  return lines;
}

/** Does a sentence go on in the next line: it stopped at a word, and the next line begins with a small letter? */
function goesOn(text: string, line: Line, next: Line): boolean {
  if (next.to - line.from > NUMBERS.line || line.to - line.from < 30) return false;
  if (!/^[^\S\n]*\n[^\S\n]*$/.test(text.slice(line.to, Math.min(next.from, line.to + 80)))) return false;
  return (
    /[a-zà-ÿ,]$/.test(text.slice(line.to - 1, line.to)) &&
    /^\s*[a-zà-ÿ]+ [a-zà-ÿ`(]/.test(text.slice(next.from, next.from + 40))
  );
}

function brokenLines(text: string): Line[] {
  const lines: Line[] = [];
  let from = 0;
  while (from <= text.length) {
    let to = text.indexOf("\n", from);
    if (to < 0) to = text.length;
    if (to - from <= NUMBERS.line) push(text, from, to, lines);
    else openLong(text, from, to, lines);
    from = to + 1;
  }
  return lines;
}

function push(text: string, from: number, to: number, lines: Line[]): void {
  while (from < to && (text[from] === "\r" || text[from] === "\n")) from += 1;
  while (to > from && text.charCodeAt(to - 1) <= 32) to -= 1;
  if (to > from) lines.push({ from, to });
}

/** A long line: records stay whole, else it breaks at a sentence, an escaped line end, a comma, a space. */
function openLong(text: string, from: number, to: number, lines: Line[]): void {
  const records = closings(text, from, to);
  let start = from;
  let gap = from;
  const cut = (end: number) => {
    push(text, start, end, lines);
    start = end;
  };
  for (let at = from; at < to; at += 1) {
    const code = text[at];
    const end = code === "{" || code === "[" ? (records.get(at) ?? 0) : 0;
    const isRecord = end > at + 30;
    if (isRecord) {
      if (end - start > NUMBERS.record) cut(at);
      at = text[end] === "," ? end : end - 1;
    } else if (code === " " || code === ",") gap = at;
    const length = at + 1 - start;
    if (length >= 60 && (isRecord || isBreak(text, at))) cut(at + 1);
    else if (length >= NUMBERS.line && !isRecord) cut(gap > start + 80 ? gap + 1 : at + 1);
  }
  cut(to);
}

/** Ends of sentences in any script, escaped line ends, ends of records. */
function isBreak(text: string, at: number): boolean {
  const code = text[at];
  if (code === "。" || code === "！" || code === "？") return true;
  if ((code === "." || code === "!" || code === "?") && text[at + 1] === " ") return true;
  if (code === "n" && text[at - 1] === "\\") return true;
  return code === "," && (text[at - 1] === "}" || text[at - 1] === "]");
}

/** Where each bracket that opens in this line closes (exclusive), found in one pass. */
function closings(text: string, from: number, to: number): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  let quoted = false;
  for (let i = from; i < to; i += 1) {
    const code = text[i];
    if (quoted) {
      if (code === "\\") i += 1;
      else if (code === '"') quoted = false;
    } else if (code === '"') quoted = true;
    else if (code === "{" || code === "[") open.push(i);
    else if (code === "}" || code === "]") {
      const start = open.pop();
      if (start !== undefined && i - start < NUMBERS.record) ends.set(start, i + 1);
    }
  }
  return ends;
}

/** A text without what only wraps it: JSON as fields and rows, JSON in JSON without its quoting, a page without its tags. */
export function opened(text: string): string {
  const records = recordsIn(text);
  if (records !== undefined) return records;
  const escapes = text.split("\\n", 2000).length - 1;
  // A path of Windows has such signs in the midst.
  const isQuoted = escapes >= 5 && escapes > text.split("\n", 2000).length && !text.includes(":\\");
  return pageOf(
    isQuoted
      ? text
          .replace(/\\+n/g, "\n")
          .replace(/\\+(["'])/g, "$1")
          .replace(/\\+[t\n]/g, " ")
      : text,
  );
}

/** A page: text without scripts, styles and tags; links keep nothing but their words. Other text comes back unchanged. */
function pageOf(text: string): string {
  const start = text.search(/<!doctype html|<html[\s>]|<head[\s>]/i);
  if (start < 0) return text;
  const out: string[] = [text.slice(0, start)];
  let at = start;
  while (at < text.length) {
    const open = text.indexOf("<", at);
    if (open < 0) {
      out.push(text.slice(at));
      break;
    }
    out.push(text.slice(at, open));
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(text.slice(open, open + 20))?.[1]?.toLowerCase() ?? "";
    if (name === "script" || name === "style") {
      const close = text.indexOf(`</${name}`, open + 1);
      at = close < 0 ? text.length : close;
      if (close < 0) break;
    }
    const end = text.indexOf(">", Math.max(at, open));
    if (end < 0) break;
    out.push(INLINE.has(name) ? "" : "\n");
    at = end + 1;
  }
  return out
    .join("")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&amp;", "&")
    .replace(/[ \t]+/g, " ")
    .replace(/(?: ?\n ?)+/g, "\n");
}

const INLINE = new Set(["a", "b", "i", "em", "strong", "span", "code", "bdi", "small", "sup", "sub", "abbr"]);
