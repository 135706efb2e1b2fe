/** Splices: changes to a text by ranges. What no splice covers stays the very characters that were there. */
import { elementsAt, findValue, membersAt, type Slice } from "../json/scan.ts";
import type { Path } from "./transcript.ts";

/** The text between `start` and `end` becomes `text`. */
export interface Splice extends Slice {
  readonly text: string;
}

/** Splices may touch but not overlap; one inside a removed range is left out. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const splice of inOrder(splices)) {
    pieces.push(text.slice(at, splice.start), splice.text);
    at = splice.end;
  }
  pieces.push(text.slice(at));
  return pieces.join("");
}

/** Applied to what these make of a text, they give that text. */
export function splicesBack(text: string, splices: readonly Splice[]): readonly Splice[] {
  let longer = 0;
  return inOrder(splices).map((splice) => {
    const start = splice.start + longer;
    longer += splice.text.length - (splice.end - splice.start);
    return { start, end: start + splice.text.length, text: text.slice(splice.start, splice.end) };
  });
}

function inOrder(splices: readonly Splice[]): readonly Splice[] {
  let at = 0;
  // Stable: insertions at one place keep their order, and come before a range that starts there.
  return splices
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .filter(({ start, end }) => {
      if (start < at) return false;
      at = end;
      return true;
    });
}

/** Takes elements out of a list together with their commas. */
export function removeElements(elements: readonly Slice[], removed: ReadonlySet<number>): readonly Splice[] {
  const firstKept = elements.findIndex((_, index) => !removed.has(index));
  if (firstKept < 0) {
    const [first] = elements;
    return first === undefined ? [] : [{ start: first.start, end: elements.at(-1)!.end, text: "" }];
  }
  const splices: Splice[] = [];
  elements.forEach((element, index) => {
    if (!removed.has(index)) return;
    const leads = index < firstKept;
    splices.push({
      start: leads ? element.start : elements[index - 1]!.end,
      end: leads ? elements[index + 1]!.start : element.end,
      text: "",
    });
  });
  return splices;
}

/** Takes members out of an object together with their commas. */
export function removeMembers(text: string, start: number, keys: ReadonlySet<string>): readonly Splice[] {
  const members = membersAt(text, start);
  const slices = members.map(({ keyStart, value }) => ({ start: keyStart, end: value.end }));
  const removed = new Set(members.flatMap(({ key }, index) => (keys.has(key) ? [index] : [])));
  return removeElements(slices, removed);
}

/** Exchanges the value at a path, or adds it as the last member of its object. */
export function setValue(text: string, start: number, path: Path, json: string): readonly Splice[] {
  const found = findValue(text, start, path);
  if (found !== undefined) return [{ ...found, text: json }];
  const key = path.at(-1);
  const holder = findValue(text, start, path.slice(0, -1));
  if (holder === undefined || typeof key !== "string") return [];
  const last = membersAt(text, holder.start).at(-1);
  const at = last?.value.end ?? holder.start + 1;
  return [{ start: at, end: at, text: `${last ? "," : ""}${JSON.stringify(key)}:${json}` }];
}

/** Takes out what is at several paths of one value: list elements and object members. */
export function removePaths(text: string, start: number, paths: readonly Path[]): readonly Splice[] {
  const byHolder = new Map<string, { readonly holder: Path; readonly steps: Set<string | number> }>();
  for (const path of paths) {
    const holder = path.slice(0, -1);
    const key = JSON.stringify(holder);
    const known = byHolder.get(key) ?? { holder, steps: new Set() };
    known.steps.add(path.at(-1)!);
    byHolder.set(key, known);
  }
  return [...byHolder.values()].flatMap(({ holder, steps }) => {
    const found = findValue(text, start, holder);
    if (found === undefined) return [];
    return text[found.start] === "["
      ? removeElements(elementsAt(text, found.start), steps as ReadonlySet<number>)
      : removeMembers(text, found.start, steps as ReadonlySet<string>);
  });
}
