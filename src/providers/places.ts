/** Places: which raw piece each Part was read from, so that a rewritten message reuses what nobody changed. */
import type { RawMessage } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { faithfulValue } from "../json/faithful.ts";
import { isObject } from "../json/wire-value.ts";

/** One piece of a raw message. */
export interface RawPlace {
  readonly raw: RawMessage;
  /** The key of the raw message that holds it, such as `content`; "" for the raw value itself. */
  readonly key: string;
  /** Which element of the list under the key; -1 for the whole value. */
  readonly index: number;
  /** Which element of that element's own `content`: a piece inside a tool result. */
  readonly inner?: number;
}

/** The places of one format. A part that another format read, or that the engine made, has none here. */
export type Places = WeakMap<Part, RawPlace>;

/** The raw piece at a place. */
export function pieceAt({ raw, key, index, inner }: RawPlace): unknown {
  const holder = valueUnder(raw, key);
  const piece = index < 0 ? holder : elementOf(holder, index);
  return inner === undefined ? piece : elementOf(isObject(piece) ? piece.content : undefined, inner);
}

function elementOf(list: unknown, index: number): unknown {
  return Array.isArray(list) ? list[index] : undefined;
}

/** The raw value under a key, for rewriting. */
export function valueUnder(raw: RawMessage, key: string): unknown {
  const value = faithfulValue(raw);
  if (key === "") return value;
  return isObject(value) ? value[key] : undefined;
}

/** What to write for one part: its own piece as it is, or the piece that it takes the place of. */
export interface Aligned {
  readonly part: Part;
  /** The part was read from this piece and is unchanged. */
  readonly same: boolean;
  /** The piece; undefined for a new part. */
  readonly piece: unknown;
}

export interface AlignOptions {
  readonly places: Places;
  /** The message being rewritten; undefined for a new one. */
  readonly raw: RawMessage | undefined;
  readonly key: string;
  /** Whether a changed part may take over this piece's wrapper. */
  readonly replaces: (part: Part, piece: unknown) => boolean;
}

/**
 * Lines parts up with the pieces of a raw list. Unchanged parts are their pieces. A changed part takes the first
 * free piece that it may replace, between the unchanged parts that are around it; calls and results, which
 * have an id, take theirs wherever it is.
 */
export function alignParts(
  parts: readonly Part[],
  { places, raw, key, replaces }: AlignOptions,
): readonly Aligned[] {
  const holder = raw === undefined ? undefined : valueUnder(raw, key);
  const pieces: readonly unknown[] = Array.isArray(holder) ? holder : [];
  const anchors = parts.map((part) => {
    const place = places.get(part);
    return place !== undefined && place.raw === raw && place.key === key ? place.index : -1;
  });
  const taken = new Set(anchors);
  const ends = rangeEnds(anchors, pieces.length);
  const cursors = new Map<string, number>();
  let start = 0;
  return parts.map((part, order) => {
    const place = places.get(part);
    if (place !== undefined) {
      start = Math.max(start, anchors[order]! + 1);
      return { part, same: true, piece: pieceAt(place) };
    }
    const named = part.type === "tool-call" || part.type === "tool-result";
    const end = named ? pieces.length : ends[order]!;
    let index = Math.max(named ? 0 : start, cursors.get(part.type) ?? 0);
    while (index < end && (taken.has(index) || !replaces(part, pieces[index]))) index++;
    if (index < end) taken.add(index);
    if (!named) cursors.set(part.type, index);
    return { part, same: false, piece: index < end ? pieces[index] : undefined };
  });
}

/** For each part, the anchor of the next unchanged one: a changed part may not reach beyond it. */
function rangeEnds(anchors: readonly number[], length: number): readonly number[] {
  const ends: number[] = new Array(anchors.length).fill(length);
  let end = length;
  for (let order = anchors.length - 1; order >= 0; order--) {
    ends[order] = end;
    if (anchors[order]! >= 0) end = Math.min(end, anchors[order]!);
  }
  return ends;
}
