/** Name places: where the names that are worth telling stand in files, in the order of the conversation. */
import { isOfEscape } from "../formats/json-escapes.ts";
import { specificEnd } from "../salience/specifics.ts";
import type { FileLines } from "./file-lines.ts";
import type { RankedMessage, Specifics } from "./gather-specifics.ts";
import { placeOf, specificsBefore } from "./line-index.ts";

/** A place where a name stands in a file. */
export interface NamePlace {
  /** The specific's number. */
  readonly id: number;
  readonly message: number;
  readonly path: string;
  /** In the message's text; of a path its last two parts. */
  readonly start: number;
  readonly end: number;
  /** In tokens, by estimate. */
  readonly cost: number;
  readonly words: number;
  /** A call wrote it. */
  readonly isEscaped: boolean;
}

export interface NamesOptions {
  readonly messages: readonly RankedMessage[];
  readonly specifics: Specifics;
  readonly values: Float32Array;
  readonly files: readonly FileLines[];
  /** For all names that will be told. */
  readonly maxTokens: number;
}

export function namePlaces({
  messages,
  specifics,
  values,
  files,
  maxTokens,
}: NamesOptions): readonly NamePlace[] {
  const { ids, offsets } = specifics;
  const least = leastValue(values, maxTokens);
  const seen = new Uint8Array(values.length);
  const places: NamePlace[] = [];
  for (const { message, from, to, path, isEscaped } of files.toReversed()) {
    const { index } = messages[message]!;
    const offset = offsets[message]!;
    const first = specificsBefore(index, from);
    for (let at = specificsBefore(index, to) - 1; at >= first; at--) {
      const id = ids[offset + at]!;
      if (values[id]! < least || seen[id]! === MOST_PLACES) continue;
      const name = nameAt(index.text, placeOf(index, at));
      if (!name) continue;
      seen[id]!++;
      places.push({ ...name, id, message, path, isEscaped });
    }
  }
  return places.reverse();
}

/** Of a name that stands in more places than this the newest are looked at. */
const MOST_PLACES = 16;

/** The least valuable are not looked at where there are this many times as many as there is room for. */
const LOOKED_AT = 3;
const NAME_TOKENS = 4;

function leastValue(values: Float32Array, maxTokens: number): number {
  const wanted = Math.ceil((LOOKED_AT * maxTokens) / NAME_TOKENS);
  const worthless = Number.MIN_VALUE;
  if (values.length <= wanted) return worthless;
  return Math.max(worthless, Float32Array.from(values).sort()[values.length - wanted]!);
}

type Name = Pick<NamePlace, "start" | "end" | "cost" | "words">;

/** What a name takes beside its characters, and how many of those a token has. */
const NAME_COST = 0.4;
const TOKEN_CHARS = 3.6;

/** The name that starts at a place; undefined for a number, and for what an escape such as `\n` runs into. */
function nameAt(text: string, from: number): Name | undefined {
  if (isOfEscape(text, from)) return undefined;
  const end = specificEnd(text, from);
  let start = from;
  for (let at = end - 1, slashes = 0; at >= from; at--) {
    if (text.charCodeAt(at) !== SLASH || ++slashes < 2) continue;
    start = at + 1;
    break;
  }
  const name = text.slice(start, end);
  if (!/[A-Za-z_]{3}/.test(name)) return undefined;
  const words = name.match(/\w{3,}/g)?.length ?? 0;
  return { start, end, cost: NAME_COST + (end - start) / TOKEN_CHARS, words };
}

const SLASH = 47;
