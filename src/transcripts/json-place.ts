/** JSON places: where a value stands in the text of a JSON document, found by its path without parsing. */
import {
  BRACE,
  BRACKET,
  BRACKET_END,
  COLON,
  COMMA,
  QUOTE,
  skipSpace,
  skipString,
  skipValue,
} from "../json/scan.ts";
import type { Path } from "./transcript.ts";

export interface Slice {
  readonly start: number;
  readonly end: number;
}

export interface Member {
  readonly key: string;
  readonly keyStart: number;
  readonly value: Slice;
}

/** The value at a path under the value that starts at `start`; undefined when there is none. */
export function findValue(text: string, start: number, path: Path): Slice | undefined {
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

/** The elements of the list at `start`; none when it is not a list. The text must be valid JSON. */
export function elementsAt(text: string, start: number): readonly Slice[] {
  if (text.charCodeAt(start) !== BRACKET) return [];
  const elements: Slice[] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && text.charCodeAt(at) !== BRACKET_END) {
    const end = skipValue(text, at);
    if (end < 0) break;
    elements.push({ start: at, end });
    at = skipSpace(text, end);
    if (text.charCodeAt(at) !== COMMA) break;
    at = skipSpace(text, at + 1);
  }
  return elements;
}

/** The members of the object at `start`; none when it is not an object. The text must be valid JSON. */
export function membersAt(text: string, start: number): readonly Member[] {
  if (text.charCodeAt(start) !== BRACE) return [];
  const members: Member[] = [];
  let at = skipSpace(text, start + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = skipString(text, at);
    const colon = keyEnd < 0 ? -1 : skipSpace(text, keyEnd);
    if (colon < 0 || text.charCodeAt(colon) !== COLON) break;
    const valueStart = skipSpace(text, colon + 1);
    const end = skipValue(text, valueStart);
    if (end < 0) break;
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    members.push({ key, keyStart: at, value: { start: valueStart, end } });
    at = skipSpace(text, end);
    if (text.charCodeAt(at) !== COMMA) break;
    at = skipSpace(text, at + 1);
  }
  return members;
}
