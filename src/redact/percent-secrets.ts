/** Secrets inside percent-encoding: what is encoded is decoded, and looked at again. */
import { allMatches } from "./all-matches.ts";
import type { Find } from "./base64-secrets.ts";
import type { FoundSecret } from "./found-secret.ts";

/** From a percent sign on: what a URL, a form or a header value holds without a break. */
const ENCODED_REST = /%[0-9A-Fa-f]{2}[^\s"'`<>\\]{0,20000}/g;
const BREAKS = /[\s"'`<>\\]/;
const MOST_CHARS_BEFORE = 200;

/** Secrets in what percent-encoding hides, at their places in the text as it is. */
export function findPercentEncoded(text: string, find: Find): readonly FoundSecret[] {
  if (!text.includes("%")) return [];
  const found: FoundSecret[] = [];
  for (const match of allMatches(ENCODED_REST, text)) {
    let start = match.index;
    const first = Math.max(0, start - MOST_CHARS_BEFORE);
    while (start > first && !BREAKS.test(text[start - 1]!)) start--;
    const { decoded, places } = percentDecoded(text.slice(start, match.index + match[0].length));
    for (const secret of find(decoded))
      found.push({ ...secret, start: start + places[secret.start]!, end: start + places[secret.end]! });
  }
  return found;
}

/** The text without its encoding, and for each of its characters the place where it was. Bytes above ASCII stay. */
function percentDecoded(run: string): { decoded: string; places: readonly number[] } {
  const places: number[] = [];
  const decoded: string[] = [];
  for (let at = 0; at < run.length; at++) {
    const digits = run[at] === "%" ? run.slice(at + 1, at + 3) : "";
    const isCode = /^[0-7][0-9A-Fa-f]$/.test(digits);
    places.push(at);
    decoded.push(isCode ? String.fromCharCode(Number.parseInt(digits, 16)) : run[at]!);
    if (isCode) at += 2;
  }
  places.push(run.length);
  return { decoded: decoded.join(""), places };
}
