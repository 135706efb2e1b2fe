/** Best places: where chosen specifics are told with the fewest words, beside as many others of them as possible. */
import { specificEnd } from "../salience/specifics.ts";
import type { Lines } from "./gather-lines.ts";
import { NUMBERS, type RankedMessage, type Specifics } from "./gather-specifics.ts";
import { placeOf } from "./line-index.ts";
import type { Place } from "./specific-features.ts";

interface BestPlaces {
  readonly wanted: Int32Array;
  readonly told: Int32Array;
  readonly messages: readonly RankedMessage[];
  readonly specifics: Specifics;
  readonly lines: Lines;
}

/** Late places rather than early ones; what one of the told lines says is left out. */
export function bestPlaces({ wanted, told, messages, specifics, lines }: BestPlaces): readonly Place[] {
  const { ids, offsets, known } = specifics;
  const { first, messageOf, firstLine } = lines;
  const isWanted = new Uint8Array(known.length / NUMBERS);
  for (const id of wanted) isWanted[id] = 1;
  for (const line of told) for (let at = first[line]!; at < first[line + 1]!; at++) isWanted[ids[at]!] = 0;
  const company = new Uint8Array(isWanted.length);
  const bestAt = new Int32Array(isWanted.length);
  const bestLine = new Int32Array(isWanted.length);
  for (let line = 0; line < messageOf.length; line++) {
    const [from, to] = [first[line]!, first[line + 1]!];
    let count = 0;
    for (let at = from; at < to; at++) count += isWanted[ids[at]!]!;
    if (count === 0) continue;
    const here = Math.min(MOST_COMPANY, count);
    for (let at = from; at < to; at++) {
      const id = ids[at]!;
      if (isWanted[id] === 0 || company[id]! > here) continue;
      company[id] = here;
      bestAt[id] = at;
      bestLine[id] = line;
    }
  }
  return Array.from(wanted.filter((id) => isWanted[id] === 1)).map((id) => {
    const line = bestLine[id]!;
    const message = messageOf[line]!;
    const { index } = messages[message]!;
    const start = placeOf(index, bestAt[id]! - offsets[message]!);
    return { message, line: line - firstLine[message]!, start, end: specificEnd(index.text, start) };
  });
}

const MOST_COMPANY = 4;
