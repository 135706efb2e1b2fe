/** Cover forms: what is said along with a specific. `cli/setup.go:12` says `setup.go` too, `cli.IsEnabled` also `IsEnabled`. */
import { HASH_START, hashStep } from "../salience/specifics.ts";
import type { HashTable } from "./hash-table.ts";

/** Sets to 0 the values of the specifics that start or end at a joint of `text.slice(start, end)`. */
export function coverForms(
  text: string,
  start: number,
  end: number,
  table: HashTable,
  values: Float32Array,
): void {
  for (let from = start; from <= end - SHORTEST; from++) {
    // A form starts at the start or after a joint; most specifics have none, and nothing but themselves to say.
    if (from > start && !isJoint(text.charCodeAt(from - 1))) continue;
    if (from === start && !hasJoint(text, start, end)) return;
    let hash = HASH_START;
    for (let at = from; at < end; at++) {
      const code = text.charCodeAt(at);
      if (at - from >= SHORTEST && isJoint(code)) coverHash(hash, table, values);
      hash = hashStep(hash, code);
    }
    if (from > start) coverHash(hash, table, values);
  }
}

const SHORTEST = 4;

function hasJoint(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isJoint(text.charCodeAt(at))) return true;
  return false;
}

function coverHash(hash: number, table: HashTable, values: Float32Array): void {
  const id = table.find(hash);
  if (id >= 0) values[id] = 0;
}

/** . / : @ # */
function isJoint(code: number): boolean {
  return code === 46 || code === 47 || code === 58 || code === 64 || code === 35;
}
