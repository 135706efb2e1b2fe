/** Values of specifics: how likely each is to be needed again, learned from recorded conversations (`npm run train`). */
import { compileTrees } from "../salience/boosted-trees.ts";
import {
  FIRST_BY,
  LAST,
  MENTIONS,
  NUMBERS,
  type RankedMessage,
  type Specifics,
  TOOL,
} from "./gather-specifics.ts";
import { FEATURES, lastPlace, writeFeatures } from "./specific-features.ts";
import weights from "./specific-weights.json" with { type: "json" };

const chanceOf = compileTrees(weights);

/** By a specific's number; to be set to 0 once it is said. */
export function specificValues(specifics: Specifics, messages: readonly RankedMessage[]): Float32Array {
  const count = specifics.known.length / NUMBERS;
  const values = new Float32Array(count);
  const row = new Float32Array(FEATURES.length);
  for (let id = 0; id < count; id++) {
    if (count > MANY && isStale(specifics.known, id, messages.length)) {
      values[id] = STALE_CHANCE;
      continue;
    }
    writeFeatures(row, specifics, messages, id);
    values[id] = chanceOf(row);
  }
  if (messages.some(({ weigh }) => weigh)) weighAll(values, specifics, messages);
  return values;
}

/** By what this conversation's own recalls taught (see src/adaptive/). */
function weighAll(values: Float32Array, specifics: Specifics, messages: readonly RankedMessage[]): void {
  for (let id = 0; id < values.length; id++) {
    const { message, start, end } = lastPlace(specifics, messages, id);
    const { index, weigh } = messages[message]!;
    if (weigh) values[id]! *= weigh(index.text.slice(start, end));
  }
}

/** In a past with more specifics than this, those that hardly anybody will ask for again are not looked at one by one. */
const MANY = 4000;
/** What one tool's answer said once, in the first half of the past: used again in 4 of 1,000 cases. */
const STALE_CHANCE = 0.004;

function isStale(known: Int32Array, id: number, messages: number): boolean {
  const base = id * NUMBERS;
  return (
    known[base + MENTIONS] === 1 && known[base + FIRST_BY] === TOOL && 2 * known[base + LAST]! < messages
  );
}
