/** Values of specifics: how likely each is to be needed again, learned from recorded conversations (`npm run train`). */
import { compileTrees } from "../salience/boosted-trees.ts";
import { NUMBERS, type RankedMessage, type Specifics } from "./gather-specifics.ts";
import { FEATURES, lastPlace, writeFeatures } from "./specific-features.ts";
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
    const place = lastPlace(specifics, messages, id);
    writeFeatures(row, specifics, messages, id, place);
    values[id] = chanceOf(row);
    costs[id] = EXCERPT_TOKENS + Math.min(MOST_CHARS, place.end - place.start) / CHARS_PER_TOKEN;
  }
  return { values, costs };
}

/** What stands between excerpts, and the words beside the specific. */
const EXCERPT_TOKENS = 2;
/** Paths are shortened. */
const MOST_CHARS = 40;
const CHARS_PER_TOKEN = 3.6;
