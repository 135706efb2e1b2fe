/** JSON scanning: where the values of a text are, by their brackets and quotes alone. Iterative, whatever the nesting. */
import { parsedJson } from "./wire-value.ts";

const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BRACKET = 0x5b;
export const BRACKET_END = 0x5d;
export const BRACE = 0x7b;
const BRACE_END = 0x7d;
const BACKSLASH = 0x5c;

/** A range of the text, `end` exclusive. */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

export interface Member {
  readonly key: string;
  readonly keyStart: number;
  readonly value: Slice;
}

/** What a list or an object holds, and the index after its closing bracket. */
export interface Scanned<Item> {
  readonly items: readonly Item[];
  readonly end: number;
}

/** The value at a path under the value that starts at `start`; undefined if there is none. */
export function findValue(
  text: string,
  start: number,
  path: readonly (string | number)[],
): Slice | undefined {
  let at = skipSpace(text, start);
  for (const step of path) {
    const found =
      typeof step === "number"
        ? elementsAt(text, at)[step]
        : // subtle: a repeated key counts as in JSON.parse: the last one wins.
          membersAt(text, at).findLast(({ key }) => key === step)?.value;
    if (found === undefined) return undefined;
    at = found.start;
  }
  const end = skipValue(text, at);
  return end < 0 ? undefined : { start: at, end };
}

/** The elements of the list at `start`; none if it is not a whole list. */
export function elementsAt(text: string, start: number): readonly Slice[] {
  return scanList(text, start)?.items ?? [];
}

/** The members of the object at `start`; none if it is not a whole object. */
export function membersAt(text: string, start: number): readonly Member[] {
  return scanObject(text, start)?.items ?? [];
}

export function scanList(text: string, start: number): Scanned<Slice> | undefined {
  if (text.charCodeAt(start) !== BRACKET) return undefined;
  const items: Slice[] = [];
  let at = skipSpace(text, start + 1);
  if (text.charCodeAt(at) === BRACKET_END) return { items, end: at + 1 };
  for (;;) {
    const end = skipValue(text, at);
    if (end < 0) return undefined;
    items.push({ start: at, end });
    at = skipSpace(text, end);
    const code = text.charCodeAt(at);
    if (code === BRACKET_END) return { items, end: at + 1 };
    if (code !== COMMA) return undefined;
    at = skipSpace(text, at + 1);
  }
}

/** @param endOf where the value of a key ends, or -1; for whoever takes the value apart on the way */
export function scanObject(
  text: string,
  start: number,
  endOf = (_key: string, at: number): number => skipValue(text, at),
): Scanned<Member> | undefined {
  if (text.charCodeAt(start) !== BRACE) return undefined;
  const items: Member[] = [];
  let at = skipSpace(text, start + 1);
  if (text.charCodeAt(at) === BRACE_END) return { items, end: at + 1 };
  for (;;) {
    const keyStart = at;
    const keyEnd = text.charCodeAt(at) === QUOTE ? skipString(text, at) : -1;
    const key = keyEnd < 0 ? undefined : keyIn(text.slice(keyStart, keyEnd));
    const colon = skipSpace(text, keyEnd);
    if (key === undefined || text.charCodeAt(colon) !== COLON) return undefined;
    const valueStart = skipSpace(text, colon + 1);
    const end = endOf(key, valueStart);
    if (end < 0) return undefined;
    items.push({ key, keyStart, value: { start: valueStart, end } });
    at = skipSpace(text, end);
    const code = text.charCodeAt(at);
    if (code === BRACE_END) return { items, end: at + 1 };
    if (code !== COMMA) return undefined;
    at = skipSpace(text, at + 1);
  }
}

function keyIn(literal: string): string | undefined {
  return literal.includes("\\") ? (parsedJson(literal) as string | undefined) : literal.slice(1, -1);
}

/** Where the JSON starts: after a byte order mark. */
export function textStart(text: string): number {
  return text.charCodeAt(0) === 0xfeff ? 1 : 0;
}

export function skipSpace(text: string, index: number): number {
  for (;;) {
    const code = text.charCodeAt(index);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return index;
    index++;
  }
}

/** The index after the value at `index`, or -1. Only brackets and strings are looked at: parsing comes later. */
export function skipValue(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code === QUOTE) return skipString(text, index);
  if (code === BRACE || code === BRACKET) return skipContainer(text, index);
  let end = index;
  while (end < text.length && !endsScalar(text.charCodeAt(end))) end++;
  return end === index ? -1 : end;
}

function endsScalar(code: number): boolean {
  return code === COMMA || code === BRACKET_END || code === BRACE_END || code <= 0x20;
}

function skipContainer(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = skipString(text, index);
      if (end < 0) return -1;
      index = end - 1;
    } else if (code === BRACE || code === BRACKET) depth++;
    else if ((code === BRACE_END || code === BRACKET_END) && --depth === 0) return index + 1;
  }
  return -1;
}

/** The index after the string whose quote is at `start`, or -1 when it never ends. */
export function skipString(text: string, start: number): number {
  let quote = start;
  for (;;) {
    quote = text.indexOf('"', quote + 1);
    if (quote < 0) return -1;
    let slashes = quote - 1;
    while (text.charCodeAt(slashes) === BACKSLASH) slashes--;
    // subtle: an even number of backslashes are escaped backslashes, and the quote ends the string.
    if ((quote - 1 - slashes) % 2 === 0) return quote + 1;
  }
}
