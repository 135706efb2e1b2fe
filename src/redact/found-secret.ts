/** FoundSecret: where a secret is, and what is done with a list of them. */
import type { MaskedText } from "./masked-text.ts";

export interface FoundSecret {
  readonly kind: string;
  /** Of the masked part, in the text that was given; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** `maskOf("github")` → `"[redacted: github]"` */
export function maskOf(kind: string): string {
  return `[redacted: ${kind}]`;
}

export const MASK = /\[redacted: [a-z-]{2,30}\]/g;

/** The text with each place replaced; the places are in order and do not overlap. */
export function replaceFound(
  text: string,
  found: readonly FoundSecret[],
  replacement: (secret: FoundSecret) => string,
): string {
  if (found.length === 0) return text;
  const pieces: string[] = [];
  let from = 0;
  for (const secret of found) {
    pieces.push(text.slice(from, secret.start), replacement(secret));
    from = secret.end;
  }
  return pieces.join("") + text.slice(from);
}

/** The text with a mask in each place: the one step that makes text others may read. */
export function maskFound(text: string, found: readonly FoundSecret[]): MaskedText {
  return replaceFound(text, found, ({ kind }) => maskOf(kind)) as MaskedText;
}

/** Of those that overlap one is left, as wide as all of them; it is named after the first found: the more telling table. */
export function withoutOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  if (found.length < 2) return found;
  const sorted = found.toSorted((one, other) => one.start - other.start);
  const kept: FoundSecret[] = [];
  for (const secret of sorted) {
    const last = kept.at(-1);
    if (last === undefined || secret.start >= last.end) kept.push(secret);
    else if (secret.end > last.end) kept[kept.length - 1] = { ...last, end: secret.end };
  }
  return kept;
}

/** Those found in a text, and those found in it once the first were masked, all at their places in the text itself. */
export function foundBoth(
  found: readonly FoundSecret[],
  inMasked: readonly FoundSecret[],
): readonly FoundSecret[] {
  let next = 0;
  let shift = 0;
  const placed = inMasked.map(({ kind, start, end }) => {
    const passMasksBefore = (place: number): number => {
      for (let mask = found[next]; mask !== undefined; mask = found[++next]) {
        const width = maskOf(mask.kind).length;
        if (mask.start - shift + width > place) break;
        shift += mask.end - mask.start - width;
      }
      return place + shift;
    };
    return { kind, start: passMasksBefore(start), end: passMasksBefore(end) };
  });
  return withoutOverlaps([...found, ...placed]);
}
