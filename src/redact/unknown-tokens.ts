/** Tokens of no known kind: a random body behind a prefix, alone, or near a word that speaks of a secret. */
import { isBase64OfText } from "./base64-secrets.ts";
import type { FoundSecret } from "./found-secret.ts";
import type { Run } from "./leads.ts";
import { continuedEnd, countContinuing, lineEndBefore, piecesAfter } from "./line-breaks.ts";
import { isInUrl } from "./url-secrets.ts";
import { isRandom, isVaried } from "./varied.ts";

/** The kind of what is a secret by nothing but its randomness. */
export const UNKNOWN = "token";

const SHORTEST = 20;
const LONGEST = 240;

/** Linear in the text: each of the varied runs is looked at once, with a little of what is around it. */
export function findUnknownTokens(text: string, runs: readonly Run[]): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const run of runs) {
    if (run.start < (found.at(-1)?.end ?? 0) || run.end - run.start > LONGEST) continue;
    if (isId(text, run)) continue;
    const token = wholeToken(text, run) ?? tokenOverLines(text, run);
    if (token) found.push({ kind: UNKNOWN, ...token });
  }
  return found;
}

/** Three parts with dots between them, as signed tokens have. */
const DOTTED = /(?<![\w.-])(?<head>[\w-]{16,200})\.[\w-]{4,2000}\.(?<tail>[\w-]{20,400})(?![\w-])/y;

function wholeToken(text: string, { start, end }: Run): Run | undefined {
  DOTTED.lastIndex = start;
  const dotted = text[end] === "." ? DOTTED.exec(text) : null;
  if (dotted && isRandom(dotted.groups?.head ?? "") && isRandom(dotted.groups?.tail ?? ""))
    return { start, end: continuedEnd(text, start + dotted[0].length) };
  const token = text.slice(start, end);
  if (token.length < SHORTEST || !isToken(token, text, start, end)) return undefined;
  return { start, end: continuedEnd(text, end) };
}

/** One that is a token only together with the line before or the lines after. */
function tokenOverLines(text: string, { start, end }: Run): Run | undefined {
  const pieces = piecesAfter(text, end, MOST_LINES);
  const isLetters = /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9]{9,}$/.test(pieces[0]?.text ?? "");
  const count = Math.max(countContinuing(pieces), isLetters ? 1 : 0);
  const tail = pieces.slice(0, count).map((piece) => piece.text);
  const tailEnd = pieces[count - 1]?.end ?? end;
  const lineEnd = lineEndBefore(text, start);
  const head =
    lineEnd === undefined
      ? ""
      : (/[\w-]{1,30}$/.exec(text.slice(Math.max(0, lineEnd - 30), lineEnd))?.[0] ?? "");
  if (count === 0 && head === "") return undefined;
  const from = lineEnd === undefined ? start : lineEnd - head.length;
  const joined = [head, text.slice(start, end), ...tail].join("");
  return joined.length <= LONGEST && isPrefixed(joined) ? { start: from, end: tailEnd } : undefined;
}

const MOST_LINES = 6;

function isToken(token: string, text: string, start: number, end: number): boolean {
  if (isPrefixed(token)) return true;
  const isHex = HEX.test(token);
  if (!isHex && !isRandom(token)) return false;
  const before = text.slice(Math.max(0, start - MOST_CHARS_BEFORE), start);
  if (isPublic(token, before, text.slice(end, end + 6))) return false;
  const line = before.slice(before.lastIndexOf("\n") + 1).slice(-MOST_CHARS_SPOKEN);
  if (SPEAKS_OF_SECRET.test(line) && (!isHex || SPEAKS_OF_KEY.test(line))) return true;
  // What base64 of a text holds is looked at once it is decoded.
  if (isBase64OfText(text, start)) return false;
  return !isHex && token.length >= 32 && token.length <= 128 && !isInBlock(text, start, end);
}

/** `acme_live_8fK2…`: short words, then one long body. */
const PREFIXED = /^(?<prefix>(?:[A-Za-z][A-Za-z0-9]{0,11}[_-]){1,4})(?<body>[A-Za-z0-9]{20,200})$/;
/** Words of a prefix that give a token away, also where the body is hexadecimal like that of any id. */
const TELLING =
  /(?:^|[_-])(?:sk|pk|rk|ak|key|apikey|api|token|tok|tkn|secret|sec|scrt|live|prod|pat|auth|access|priv|pw|cred|svc|bot|oauth|refresh)[_-]/i;
/** Ids of messages, calls, runs and things of that sort are random too, and must stay. */
const IDS =
  /^(?:toolu|srvtoolu|tool|call|msg|message|req|request|run|thread|asst|file|resp|item|rs|fc|ws|evt|event|chatcmpl|cmpl|gen|batch|ctx|conv|session|sess|user|usr|org|proj|team|acct|id|uid|uuid|sha\d*|md5|hash|commit|blob|tree|diff|cache|build|chunk|index|main|vendor|css|js|img|image|asset|tmp|temp|test|step|trace|span|node|env|h|v\d+|layer|digest|integrity|etag|cus|sub|price|prod|pi|in|ch|cs|seti|pm|txn|src)[_-]/i;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function isId(text: string, { start, end }: Run): boolean {
  return IDS.test(text.slice(start, start + 16)) || (end - start === 36 && UUID.test(text.slice(start, end)));
}

function isPrefixed(token: string): boolean {
  const { prefix, body = "" } = PREFIXED.exec(token)?.groups ?? {};
  if (prefix === undefined || IDS.test(prefix) || !isVaried(body)) return false;
  return TELLING.test(prefix) || (body.length >= 28 && isRandom(body));
}

/** The longest address that is known as one. */
const MOST_CHARS_BEFORE = 1_000;
/** How far before a token a word may speak of it. */
const MOST_CHARS_SPOKEN = 100;
const HEX = /^[0-9a-f-]{32,128}$/i;
const SPEAKS_OF_SECRET = /secret|passw|passphrase|token|credential|\bauth|key\b/i;
const SPEAKS_OF_KEY =
  /secret|passw|passphrase|credential|(?:api|access|auth|private|signing|encryption|licen[cs]e|master)[ _-]?(?:key|token)/i;

/** In an address or a path, a checksum, an id by its name, a public key, a document of a well-known service. */
function isPublic(token: string, before: string, after: string): boolean {
  if (isInUrl(before) || /[\w.~/]$/.test(before) || /^\.[a-z]/.test(after)) return true;
  if (
    /^(?:AAAA|MII|1[\w-]{32}$|1[\w-]{43}$|(?:PL|UU|UC|RD|FL)[\w-]{22,34}$|Qm[1-9A-HJ-NP-Za-km-z]{44}$)/.test(
      token,
    )
  )
    return true;
  return PUBLIC_NAME.test(before);
}

const PUBLIC_NAME =
  /(?:sha-?\d*|SHA-?\d*|md5|MD5|h1|integrity|checksum|digest|hash|etag|nonce|fingerprint|verification|signature|cursor|opaque|commit|blob|ref|(?:\b|_|[a-z])id|Id|ID|ids)\\{0,4}["'`]?(?:[ \t]{0,2}(?:[:=]|content=|->)[ \t]{0,2}|[ \t-])(?:W\/)?\\{0,4}["'`]?$/;

/** Base64 over many lines is a file, a picture or a certificate. */
function isInBlock(text: string, start: number, end: number): boolean {
  const after = /^[^\S\n]{0,4}={0,2}\r?\n[ \t]{0,20}[A-Za-z0-9+/]{24,}/;
  const before = /[A-Za-z0-9+/]{24,}\r?\n[ \t]{0,20}$/;
  return after.test(text.slice(end, end + 60)) || before.test(text.slice(Math.max(0, start - 60), start));
}
