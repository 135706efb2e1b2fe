/** LineIndex: a message cut into lines that can stand alone, with the specifics that each of them holds. */
import { type Message, proseOf } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { forEachSpecific } from "../salience/specifics.ts";
import { findHandoff } from "./prefixes.ts";
import { readSections } from "./sections.ts";

/** Struct of arrays: line `n` is `text.slice(starts[n], ends[n])`; its specifics are `words[wordIds[k]]` for k from `firstWord[n]` to `firstWord[n + 1]`. */
export interface LineIndex {
  readonly text: string;
  /** Said before the first chosen line of this message: who speaks. */
  readonly label: string;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly words: readonly string[];
  readonly firstWord: Int32Array;
  readonly wordIds: Int32Array;
}

/** A line longer than this is cut where a sentence, a clause or a word ends. */
const MAX_LINE_CHARS = 320;

const memo = new WeakMap<Message, LineIndex>();

/** Memoised by message, so that the next compaction of the same conversation pays for its new messages only. */
export function indexLines(message: Message, label: string): LineIndex {
  const known = memo.get(message);
  if (known && known.label === label) return known;
  const index = buildIndex(readableText(message), label);
  memo.set(message, index);
  return index;
}

/** What the hand-off may quote of a message: prose, calls with readable arguments, results. Old hand-offs without their frame. */
function readableText(message: Message): string {
  const found = findHandoff(proseOf(message));
  if (found) {
    const { progress, uncertainty } = readSections(found.body);
    return [...progress, ...uncertainty, found.rest].join("\n");
  }
  return message.parts.length === 1
    ? readablePart(message.parts[0]!)
    : message.parts.map(readablePart).filter(Boolean).join("\n");
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

function buildIndex(text: string, label: string): LineIndex {
  const starts: number[] = [];
  const ends: number[] = [];
  cutLines(text, (start, end) => {
    starts.push(start);
    ends.push(end);
  });
  const words: string[] = [];
  const idOf = new Map<string, number>();
  const firstWord = new Int32Array(starts.length + 1);
  const wordIds: number[] = [];
  let line = 0;
  forEachSpecific(text, (start, end) => {
    while (line < starts.length && ends[line]! <= start) firstWord[++line] = wordIds.length;
    if (line >= starts.length || starts[line]! > start) return;
    const word = text.slice(start, end).toLowerCase();
    let id = idOf.get(word);
    if (id === undefined) {
      id = words.length;
      words.push(word);
      idOf.set(word, id);
    }
    if (!wordIds.includes(id, firstWord[line])) wordIds.push(id);
  });
  while (line < starts.length) firstWord[++line] = wordIds.length;
  return {
    text,
    label,
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
    words,
    firstWord,
    wordIds: Int32Array.from(wordIds),
  };
}

/** Visits each line that says something, trimmed; long ones in pieces. */
function cutLines(text: string, visit: (start: number, end: number) => void): void {
  for (let at = 0; at < text.length; ) {
    let newline = text.indexOf("\n", at);
    if (newline < 0) newline = text.length;
    let start = at;
    let end = newline;
    while (start < end && isBlank(text.charCodeAt(start))) start++;
    while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
    while (end - start > MAX_LINE_CHARS) {
      const cut = cutPoint(text, start);
      visit(start, cut);
      start = cut;
      while (start < end && isBlank(text.charCodeAt(start))) start++;
    }
    if (end - start >= 3) visit(start, end);
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
