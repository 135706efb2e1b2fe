/** What the tellers of deeds share: how a deed is made of units, what kinds of deeds are worth, what is in a call's arguments. */

import { isObject } from "../json/wire-value.ts";
import { CONTENT_KEYS, REPLACED_KEYS, REPLACEMENT_KEYS } from "../reading/agents/tool-vocabulary.ts";
import { shortLine } from "../reading/calls/said.ts";
import { type Detail, type Entry, entry, type Unit } from "./story.ts";

/** Values that only compare deeds with words (unit-worth.ts): what cannot be undone outweighs what merely looked. */
export const WORTH = {
  changed: 3,
  failed: 2.2,
  cured: 1,
  checked: 1.2,
  ran: 0.5,
  looked: 0.3,
  wrote: 0.1,
  asked: 1.1,
  did: 3.5,
  acted: 10,
  answeredPerson: 8,
} as const;

export function deedEntry(units: readonly Unit[], detail?: Detail): Entry {
  return entry("deed", units, detail);
}

export function oneLine(text: string, most: number): string {
  const start = text.slice(0, most * 4);
  return shortLine(CONTROL.test(start) ? start.replace(/[\p{Cc}\s]+/gu, " ") : start, most);
}

/** Control characters that are no white space. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/;

/** What a call writes into a file. */
export function writtenIn(values: Record<string, unknown>): string | undefined {
  return textIn(values, WRITTEN_KEYS, PATCH);
}

/** What a call takes out of a file. */
export function replacedIn(values: Record<string, unknown>): string | undefined {
  return textIn(values, REPLACED_KEYS);
}

/** The text under one of the keys, or all that is under them one level down; or a text of that form there. */
function textIn(values: Record<string, unknown>, keys: readonly string[], form?: RegExp): string | undefined {
  const own = textUnder(values, keys);
  if (own !== undefined) return own;
  // A tool that calls others has what they are given one level down, and so has one that makes several edits.
  for (const inner of Object.values(values)) {
    if (typeof inner === "string" && form?.test(inner)) return inner;
    const texts = [inner].flat().map((each) => isObject(each) && textUnder(each, keys));
    const found = texts.filter((text) => typeof text === "string");
    if (found.length > 0) return found.join("\n");
  }
  return undefined;
}

const PATCH = /^\s*\*\*\* Begin Patch\n/;

const WRITTEN_KEYS: readonly string[] = [...REPLACEMENT_KEYS, ...CONTENT_KEYS];

/** The text under the first of the keys that has one. */
export function textUnder(values: object, keys: readonly string[]): string | undefined {
  // By index: until it is compiled, an iterator makes an object for each step.
  for (let at = 0; at < keys.length; at++) {
    const value = (values as Readonly<Record<string, unknown>>)[keys[at]!];
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** The last parts of a path say which file it is. */
export function shortPath(path: string): string {
  let from = path.length;
  for (let parts = 0; parts < 3 && from >= 0; parts++) from = path.lastIndexOf("/", from - 1);
  // One more is short enough to stay.
  return from <= 0 || path.lastIndexOf("/", from - 1) < 0 ? path : path.slice(from + 1);
}
