/** A body that is an earlier one with more messages behind: only what is new is looked at. */

import { BRACKET_END, COMMA, type Slice, skipSpace } from "../json/scan.ts";
import { type JsonSource, readJsonSource } from "../json/source.ts";

/**
 * The same as `readJsonSource(text)`, given that the text begins with all of `earlier` up to the end of its last message.
 * Undefined where it is not so simple.
 */
export function grownSource(text: string, earlier: JsonSource): JsonSource | undefined {
  const [first, last] = [earlier.elements[0]!, earlier.elements.at(-1)!];
  const next = skipSpace(text, last.end);
  const from = text.charCodeAt(next) === COMMA ? skipSpace(text, next + 1) : next;
  // A comma must have a message behind it: the plain reading says what is wrong.
  if (from > next && text.charCodeAt(from) === BRACKET_END) return undefined;
  const short = readJsonSource(`${text.slice(0, first.start)}${text.slice(from)}`);
  if (short.key !== earlier.key || short.list.start !== earlier.list.start) return undefined;
  const taken = from - first.start;
  const moved = ({ start, end }: Slice): Slice => ({ start: place(start), end: place(end) });
  const place = (index: number): number => (index < first.start ? index : index + taken);
  const { key, rest, system } = short;
  return {
    text,
    key,
    list: { start: short.list.start, end: short.list.end + taken },
    elements: [...earlier.elements, ...short.elements.map(moved)],
    rest,
    ...(system && { system: { ...system, keyStart: place(system.keyStart), value: moved(system.value) } }),
  };
}
