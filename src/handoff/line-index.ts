/** LineIndex: a message cut into lines that can stand alone, with the specifics that each of them holds. */
import type { Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { forEachSpecific } from "../salience/specifics.ts";
import { readSections } from "./sections.ts";
import { handoffIn } from "./separate.ts";

/**
 * Arrays side by side, since a long conversation has a hundred thousand lines: line `n` is
 * `text.slice(starts[n], ends[n])`, and its specifics are `specifics[firstSpecific[n]]` up to
 * `specifics[firstSpecific[n + 1]]`, each as a hash of its lower-case form, each once.
 */
export interface LineIndex {
  readonly text: string;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly firstSpecific: Int32Array;
  readonly specifics: Int32Array;
}

/** A line longer than this is cut where a sentence, a clause or a word ends. */
const MAX_LINE_CHARS = 320;

const memo = new WeakMap<Message, LineIndex>();

/** Memoised by message, so that the next compaction of the same conversation pays for its new messages only. */
export function indexLines(message: Message): LineIndex {
  let index = memo.get(message);
  if (!index) {
    index = buildIndex(readableText(message));
    memo.set(message, index);
  }
  return index;
}

/** What a hand-off may quote of a message: prose, calls with readable arguments, results. An old hand-off without its frame. */
function readableText(message: Message): string {
  const found = handoffIn(message);
  if (found) {
    const { progress, uncertainty } = readSections(found.body);
    return [...progress, ...uncertainty, found.rest].join("\n");
  }
  if (message.parts.length === 1) return readablePart(message.parts[0]!);
  return message.parts.map(readablePart).filter(Boolean).join("\n");
}

function readablePart(part: Part): string {
  switch (part.type) {
    case "text":
    case "tool-result":
      return part.text;
    case "tool-call":
      return readableCall(part.name, part.arguments);
    default:
      return "";
  }
}

const ONE_LINE_CALL_CHARS = 240;

/** A short call stands as it is; a long one as its name and short values on one line and its long values as lines of their own. */
function readableCall(name: string, json: string): string {
  if (json.length <= ONE_LINE_CALL_CHARS) return `${name} ${json}`;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return `${name} ${json}`;
  }
  const short: string[] = [];
  const long: string[] = [];
  collectLeaves(value, "", short, long);
  return [`${name} ${short.join(", ")}`, ...long].join("\n");
}

function collectLeaves(value: unknown, key: string, short: string[], long: string[]): void {
  if (value !== null && typeof value === "object") {
    for (const [inner, each] of Object.entries(value)) {
      collectLeaves(each, Array.isArray(value) ? key : inner, short, long);
    }
    return;
  }
  const text = String(value);
  if (text.includes("\n") || text.length > ONE_LINE_CALL_CHARS) long.push(text);
  else short.push(key ? `${key}: ${text}` : text);
}

function buildIndex(text: string): LineIndex {
  const starts: number[] = [];
  const ends: number[] = [];
  cutLines(text, starts, ends);
  const firstSpecific = new Int32Array(starts.length + 1);
  const specifics: number[] = [];
  let line = 0;
  forEachSpecific(text, (start, _end, hash) => {
    while (line < starts.length && ends[line]! <= start) firstSpecific[++line] = specifics.length;
    if (line >= starts.length || starts[line]! > start) return;
    for (let at = firstSpecific[line]!; at < specifics.length; at++) if (specifics[at] === hash) return;
    specifics.push(hash);
  });
  while (line < starts.length) firstSpecific[++line] = specifics.length;
  return {
    text,
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
    firstSpecific,
    specifics: Int32Array.from(specifics),
  };
}

/** Lists the lines that say something, trimmed; long ones in pieces. */
function cutLines(text: string, starts: number[], ends: number[]): void {
  for (let at = 0; at < text.length; ) {
    let newline = text.indexOf("\n", at);
    if (newline < 0) newline = text.length;
    let start = at;
    let end = newline;
    while (start < end && isBlank(text.charCodeAt(start))) start++;
    while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
    while (end - start > MAX_LINE_CHARS) {
      const cut = cutPoint(text, start);
      starts.push(start);
      ends.push(cut);
      start = cut;
      while (start < end && isBlank(text.charCodeAt(start))) start++;
    }
    if (end - start >= 3) {
      starts.push(start);
      ends.push(end);
    }
    at = newline + 1;
  }
}

const CUTS = [". ", "; ", ", ", ",", " "] as const;

/** The last good place to end a piece that starts at `start`. */
function cutPoint(text: string, start: number): number {
  const piece = text.slice(start, start + MAX_LINE_CHARS);
  for (const mark of CUTS) {
    const at = piece.lastIndexOf(mark);
    if (at >= MAX_LINE_CHARS / 3) return start + at + mark.trimEnd().length;
  }
  // subtle: never between the halves of a surrogate pair.
  const last = piece.charCodeAt(piece.length - 1);
  return start + piece.length - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13;
}
