/** Secrets inside base64: what is encoded is decoded, and looked at again. */
import type { FoundSecret } from "./found-secret.ts";
import type { Run } from "./leads.ts";
import { piecesAfter } from "./line-breaks.ts";
import { isInUrl } from "./url-secrets.ts";
import { isVaried } from "./varied.ts";

/** Looks at what was decoded. */
export type Find = (text: string) => readonly FoundSecret[];

/** A run that is longer is a file; only its beginning is decoded. */
const MOST_DECODED_CHARS = 200_000;
const SHORTEST_RUN = 12;
const MOST_URL_CHARS = 1_000;

/** Those of the runs that decode to a text which holds a secret, or to nothing but a random token. */
export function findInBase64(text: string, runs: readonly Run[], find: Find): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  let blockEnd = 0;
  for (const run of runs) {
    if (run.start < (found.at(-1)?.end ?? 0)) continue;
    const start = readableStart(text, run);
    if (start === undefined) continue;
    const single = singleRun(text, start, run.end);
    // Each block of lines is decoded once, and each of its lines once more.
    const block = start < blockEnd ? single : wrappedRun(text, start, run.end, single);
    blockEnd = Math.max(blockEnd, block.end);
    const secret = secretIn(text, start, block, find) ?? secretIn(text, start, single, find);
    if (secret) found.push(secret);
  }
  return found;
}

function secretIn(
  text: string,
  start: number,
  { encoded, end }: Encoded,
  find: Find,
): FoundSecret | undefined {
  const kind = kindOfDecoded(encoded, find);
  if (kind === undefined) return undefined;
  const isGeneric = kind === "token" || kind === "secret";
  if (isGeneric && isInUrl(text.slice(Math.max(0, start - MOST_URL_CHARS), start))) return undefined;
  return { kind, start, end };
}

/** Where base64 of readable text begins: at the start of the run, or after a sign that joins it to a path or name. */
function readableStart(text: string, { start, end }: Run): number | undefined {
  let tries = 0;
  for (let at = start; at + SHORTEST_RUN <= end && tries < 8; at++) {
    if (at > start && JOINS[text.charCodeAt(at - 1)] !== 1) continue;
    tries++;
    if (isBase64OfText(text, at)) return at;
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
export function isBase64OfText(text: string, at: number): boolean {
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

/** With the lines after it, where it was wrapped: all but the last are as long as the first, and padding ends it. */
function wrappedRun(text: string, start: number, end: number, single: Encoded): Encoded {
  const pieces = single.end > end ? [] : piecesAfter(text, end, MOST_LINES);
  const width = end - start;
  let count = 0;
  while (count < pieces.length) {
    const line = pieces[count]!.text;
    if (line.length > width || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(line)) break;
    count++;
    if (line.length < width || line.endsWith("=")) break;
  }
  const lines = pieces.slice(0, count);
  const encoded = single.encoded + lines.map((line) => line.text).join("");
  return { encoded: encoded.slice(0, MOST_DECODED_CHARS), end: lines.at(-1)?.end ?? single.end };
}

/** Of a file in base64 no more is read. */
const MOST_LINES = 3_000;
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
