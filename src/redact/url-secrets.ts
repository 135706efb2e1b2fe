/** Secrets in addresses: the password or token before the `@`, and parameters such as `sig=` or `access_token=`. */
import { allMatches } from "./all-matches.ts";
import type { FoundSecret } from "./found-secret.ts";
import { continuedEnd, startsBreak, withoutBreaks } from "./line-breaks.ts";
import { isPlaceholder, isShortSecret, isVaried } from "./varied.ts";

const URL = /:\/\/[^\s"'`<>\\]{1,8000}/g;
/** A password may hold any sign; an `@` further back, after a host with a port, is part of a path. */
const PASSWORD =
  /^:\/\/[^\s:/@?#]{0,100}:(?!\d{1,5}[/?#]|x-oauth-basic@)(?<secret>[^\s@]{1,300})@(?=[\w.[%-])/;
const TOKEN = /^:\/\/(?<secret>[\w.~%+=!*'()-]{12,300})(?=:?@|:x-oauth-basic@)/;
const PARAMETER =
  /[?&;#](?:[\w.%-]{0,40}(?:token|secret|passw(?:or)?d|pwd|signature|credential|auth|key)|sig|code|jwt|session|sid|hmac|assertion|ticket|otp)=(?<secret>[^&#;,)\]}]{6,4000})/gi;

/** Linear in the text: each address is looked at once. */
export function findInUrls(text: string): readonly FoundSecret[] {
  if (!text.includes("://")) return [];
  const found: FoundSecret[] = [];
  for (const { index, 0: url } of allMatches(URL, text)) {
    const inUrl = secretsOf(url);
    for (const { kind, start, end } of inUrl.length > 0 ? inUrl : inBrokenUrl(text, index, url.length))
      found.push({
        kind,
        start: index + start,
        end: end === url.length ? continuedEnd(text, index + end) : index + end,
      });
  }
  return found;
}

/** A login is looked for this far over line breaks. */
const LONGEST_BROKEN_LOGIN = 300;

/** The login of an address that a line break cuts apart before its `@`. */
function inBrokenUrl(text: string, index: number, length: number): readonly FoundSecret[] {
  if (!startsBreak(text, index + length)) return NONE;
  const near = text.slice(index, index + LONGEST_BROKEN_LOGIN);
  if (!near.includes("@")) return NONE;
  const { joined, places } = withoutBreaks(near);
  return inUserInfo(/^[^\s"'`<>\\]*/.exec(joined)?.[0] ?? "")
    .filter(({ start, end }) => start < length && end > length)
    .map(({ kind, start, end }) => ({ kind, start: places[start]!, end: places[end - 1]! + 1 }));
}

const NONE: readonly FoundSecret[] = [];

function secretsOf(url: string): readonly FoundSecret[] {
  if (!url.includes("@") && !url.includes("=")) return NONE;
  return [...inUserInfo(url), ...inParameters(url)];
}

function inUserInfo(url: string): readonly FoundSecret[] {
  if (!url.includes("@")) return [];
  const password = PASSWORD.exec(url);
  if (password) {
    const secret = password.groups?.secret ?? "";
    const end = password[0].length - 1;
    const isOne = !isPlaceholder(secret) && (!secret.includes("/") || isVaried(secret));
    return isOne ? [{ kind: "url-password", start: end - secret.length, end }] : [];
  }
  const secret = TOKEN.exec(url)?.groups?.secret;
  return secret !== undefined && isVaried(secret) && (secret.length >= 16 || isShortSecret(secret))
    ? [{ kind: "url-token", start: 3, end: 3 + secret.length }]
    : [];
}

function inParameters(url: string): readonly FoundSecret[] {
  if (!url.includes("=")) return [];
  return allMatches(PARAMETER, url).flatMap((match) => {
    const secret = match.groups?.secret ?? "";
    const isOne = (secret.length >= 16 && isVaried(secret)) || isShortSecret(secret);
    if (!isOne || isPlaceholder(secret)) return [];
    const end = match.index + match[0].length;
    return [{ kind: "url-parameter", start: end - secret.length, end }];
  });
}

/** Whether a text ends inside an address. */
export function isInUrl(before: string): boolean {
  let start = before.length;
  while (start > 0 && !/[\s"'`<>]/.test(before[start - 1]!)) start--;
  return /:\/\/|^www\./.test(before.slice(start));
}
