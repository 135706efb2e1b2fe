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
import { FEATURES, writeFeatures } from "./specific-features.ts";
import weights from "./specific-weights.json" with { type: "json" };

export interface SpecificValues {
  /** By number; set to 0 once it is said. */
  readonly values: Float32Array;
  /** Estimated tokens of an excerpt that says it. */
  readonly costs: Float32Array;
}

const chanceOf = compileTrees(weights);

export function specificValues(specifics: Specifics, messages: readonly RankedMessage[]): SpecificValues {
  const count = specifics.known.length / NUMBERS;
  const values = new Float32Array(count);
  const costs = new Float32Array(count);
  const row = new Float32Array(FEATURES.length);
  for (let id = 0; id < count; id++) {
    if (count > MANY && isStale(specifics.known, id, messages.length)) {
      values[id] = STALE_CHANCE;
      costs[id] = EXCERPT_TOKENS + STALE_TOKENS;
      continue;
    }
    writeFeatures(row, specifics, messages, id);
    values[id] = chanceOf(row);
    costs[id] = EXCERPT_TOKENS + Math.min(MOST_CHARS, row[CHARS]!) / CHARS_PER_TOKEN;
  }
  return { values, costs };
}

/** In a past with more specifics than this, those that hardly anybody will ask for again are not looked at one by one. */
const MANY = 4000;
/** What one tool's answer said once, in the first half of the past: used again in 4 of 1,000 cases. */
const STALE_CHANCE = 0.004;
const STALE_TOKENS = 5;

function isStale(known: Int32Array, id: number, messages: number): boolean {
  const base = id * NUMBERS;
  return (
    known[base + MENTIONS] === 1 && known[base + FIRST_BY] === TOOL && 2 * known[base + LAST]! < messages
  );
}

const CHARS = FEATURES.indexOf("chars");
/** What stands between excerpts, and the words beside the specific. */
const EXCERPT_TOKENS = 2;
/** Paths are shortened. */
const MOST_CHARS = 40;
const CHARS_PER_TOKEN = 3.6;
