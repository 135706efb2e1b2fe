/** Secrets inside base64 and percent-encoding: what is encoded is decoded, and looked at again. */
import { allMatches } from "./all-matches.ts";
import type { FoundSecret } from "./found-secret.ts";
import type { Run } from "./leads.ts";
import { piecesAfter } from "./line-breaks.ts";
import { isInUrl } from "./unknown-tokens.ts";
import { isVaried } from "./varied.ts";

type Find = (text: string) => readonly FoundSecret[];

/** A run that is longer is a file; only its beginning is decoded. */
const MOST_DECODED_CHARS = 200_000;
const SHORTEST_RUN = 12;
const MOST_URL_CHARS = 1_000;

/** Those of the runs that decode to a text which holds a secret, or to nothing but a random token. */
export function findInBase64(text: string, runs: readonly Run[], find: Find): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const run of runs) {
    if (run.start < (found.at(-1)?.end ?? 0)) continue;
    const start = readableStart(text, run);
    if (start === undefined) continue;
    const secret = [wrappedRun(text, start, run.end), singleRun(text, start, run.end)]
      .map(({ encoded, end }) => ({ kind: kindOfDecoded(encoded, find), start, end }))
      .find(({ kind }) => kind !== undefined);
    if (secret?.kind === undefined) continue;
    const isGeneric = secret.kind === "token" || secret.kind === "secret";
    if (isGeneric && isInUrl(text.slice(Math.max(0, start - MOST_URL_CHARS), start))) continue;
    found.push({ ...secret, kind: secret.kind });
  }
  return found;
}

/** Where base64 of readable text begins: at the start of the run, or after a sign that joins it to a path or name. */
function readableStart(text: string, { start, end }: Run): number | undefined {
  let tries = 0;
  for (let at = start; at + SHORTEST_RUN <= end && tries < 8; at++) {
    if (at > start && JOINS[text.charCodeAt(at - 1)] !== 1) continue;
    tries++;
    if (isReadable(text, at)) return at;
  }
  return undefined;
}

const JOINS = new Uint8Array(128);
for (const sign of "/_-+") JOINS[sign.charCodeAt(0)] = 1;
const SIX_BITS = new Uint8Array(128).fill(255);
for (const [value, sign] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries())
  SIX_BITS[sign.charCodeAt(0)] = value;
SIX_BITS["-".charCodeAt(0)] = 62;
SIX_BITS["_".charCodeAt(0)] = 63;

/** The first nine bytes are text: printable signs, or letters with zeros between them as in UTF-16. */
function isReadable(text: string, at: number): boolean {
  let wide = true;
  let narrow = true;
  for (let group = 0; group < 3; group++) {
    let bits = 0;
    for (let index = 0; index < 4; index++) {
      const code = text.charCodeAt(at + group * 4 + index);
      bits = (bits << 6) | (code < 128 ? SIX_BITS[code]! & 63 : 0);
    }
    for (let index = 0; index < 3; index++) {
      const byte = (bits >> (16 - 8 * index)) & 255;
      const isText = (byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9;
      if (!isText) narrow = false;
      if ((group * 3 + index) % 2 === 1 ? byte !== 0 : !isText) wide = false;
    }
    if (!narrow && !wide) return false;
  }
  return true;
}

interface Encoded {
  readonly encoded: string;
  readonly end: number;
}

/** With its padding. */
function singleRun(text: string, start: number, end: number): Encoded {
  let last = end;
  while (text.charCodeAt(last) === EQUALS && last < end + 2) last++;
  return { encoded: text.slice(start, Math.min(end, start + MOST_DECODED_CHARS)), end: last };
}

/** With the lines after it, where it was wrapped: none is longer than the one before. */
function wrappedRun(text: string, start: number, end: number): Encoded {
  const single = singleRun(text, start, end);
  const pieces = single.end > end ? [] : piecesAfter(text, end, 3_000);
  const count = pieces.findIndex(
    (piece, index) =>
      !/^[A-Za-z0-9+/_-]+={0,2}$/.test(piece.text) ||
      piece.text.length > (pieces[index - 1]?.text.length ?? end - start),
  );
  const lines = count === -1 ? pieces : pieces.slice(0, count);
  const encoded = single.encoded + lines.map((line) => line.text).join("");
  return { encoded: encoded.slice(0, MOST_DECODED_CHARS), end: lines.at(-1)?.end ?? single.end };
}

const EQUALS = "=".charCodeAt(0);

function kindOfDecoded(encoded: string, find: Find): string | undefined {
  const decoded = decodedText(encoded);
  return decoded === undefined ? undefined : (find(decoded)[0]?.kind ?? kindOfWhole(decoded));
}

function decodedText(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, "base64");
  const text = bytes[1] === 0 ? bytes.toString("utf16le") : bytes.toString("utf8");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters tell bytes from text
  return /[\0-\x08\x0e-\x1f]|\ufffd[\s\S]*\ufffd/.test(text) ? undefined : text;
}

/** What was encoded is one random token, or a name and a password as in basic authentication. */
function kindOfWhole(decoded: string): string | undefined {
  const whole = decoded.trim();
  if (OWN_ID.test(whole)) return undefined;
  if (LOGIN.test(whole)) return "basic-auth";
  return /^[\x21-\x7e]{14,200}$/.test(whole) && isVaried(whole) ? "secret" : undefined;
}

const LOGIN = /^[A-Za-z][\w.@-]{1,60}:(?=\S*\d)(?=\S*[A-Za-z])(?![\d:TZ.+-]+$)[^\s:/]{8,100}$/;
/** `User:507f1f77bcf86cd799439011`, `04:User1648`: as programs make ids of their own. */
const OWN_ID = /:(?:[0-9a-f-]+|[A-Za-z]*\d+)$/;

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

/** The text without its encoding, and for each of its characters the place where it stood. Bytes above ASCII stay. */
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
