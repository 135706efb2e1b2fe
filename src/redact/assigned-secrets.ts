/** Assigned secrets: values that only their key gives away, such as `password=…` or `"api_key": "…"`. */
import { isPlaceholder, isVaried } from "./varied.ts";

export interface FoundSecret {
  readonly kind: string;
  /** Of the masked part, in the text that was given; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** The end of a key that names a secret, up to the separator and the opening quote. */
const KEY =
  /(?:passw(?:or)?d|passphrase|pwd|secret|token|credentials?|(?:api|access|secret|private|auth|account|encryption|signing|master|app|application)[_-]?key)(?<after>["'`]?\]?[ \t]{0,3}(?:=>|:=|[:=>])[ \t]{0,3}|["']?,[ \t]{0,2}(?=["'])|(?<=--[\w-]{1,40})[ \t]{1,3})(?<quote>\\?["'`]?)/gi;
/** An unquoted value ends where a setting's value, an argument or a line ends. */
const VALUE = /[^\s"'`,;<>&|\\]{6,400}/y;
const QUOTED = /[^"'`\n\\]{6,400}/y;
const LOOKED_BACK_CHARS = 40;

/** Linear in the text: each key is looked at once, and a value for at most 400 characters. */
export function findAssigned(text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const match of text.matchAll(KEY)) {
    if (match.index < (found.at(-1)?.end ?? 0) || isMark(text, match.index)) continue;
    const start = match.index + match[0].length;
    const quoted = match.groups?.quote !== "";
    const value = valueAt(text, start, quoted);
    const key = keyEndingAt(text, match.index + match[0].search(/["'`\]\s:=,>]/));
    if (value === undefined || !isSecret(key, value, quoted, match.groups?.after ?? "")) continue;
    found.push({ kind: kindOf(key), start, end: start + value.length });
  }
  for (const { index, 0: whole, groups } of text.matchAll(URL_PASSWORD)) {
    const password = groups?.password ?? "";
    const end = index + whole.length - 1;
    if (!isPlaceholder(password)) found.push({ kind: "url-password", start: end - password.length, end });
  }
  return found;
}

/** `scheme://user:password@host` */
const URL_PASSWORD = /:\/\/[^\s:/@"'`<>]{0,100}:(?<password>[^\s@/"'`<>]{1,200})@/g;

/** The key stands in a mark of our own, such as `[redacted: private-key]`. */
function isMark(text: string, index: number): boolean {
  return /\[redacted: [\w-]*$/.test(text.slice(Math.max(0, index - LOOKED_BACK_CHARS), index));
}

function valueAt(text: string, start: number, quoted: boolean): string | undefined {
  const pattern = quoted ? QUOTED : VALUE;
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0];
}

function keyEndingAt(text: string, end: number): string {
  return /[\w.-]*$/.exec(text.slice(Math.max(0, end - LOOKED_BACK_CHARS), end))?.[0] ?? "";
}

/** Provider by the words of the key, where the value alone does not tell. */
const KEY_KINDS: readonly (readonly [kind: string, key: RegExp])[] = [
  ["aws-secret-key", /aws|secret_?access_?key/i],
  ["cloudflare", /cloudflare|^cf_/i],
  ["datadog", /datadog|^dd_/i],
  ["heroku", /heroku/i],
  ["password", /pass|pwd/i],
];

function kindOf(key: string): string {
  return KEY_KINDS.find(([, pattern]) => pattern.test(key))?.[0] ?? "secret";
}

/** `x.y`, `f(x)`, `a[0]`, `Optional[str]`, `path/to/file`: code and paths, not values. */
const EXPRESSION = /[()[\]{}]|^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$|^[~.]{0,2}\/|^[A-Za-z_]\w*$/;

function isSecret(key: string, value: string, quoted: boolean, after: string): boolean {
  if (isPlaceholder(value)) return false;
  if (!/pass|pwd/i.test(key)) {
    return value.length >= 16 && !/[\s()[\]{}]|:\/\//.test(value) && isVaried(value);
  }
  // A comparison is no assignment, and `pwd` is a folder more often than a password.
  if (/\s|^=|^[~.*]{0,2}[/\\]|^[~*]|^[A-Za-z]:/.test(value)) return false;
  if (/pwd/i.test(key) && value.includes("/")) return false;
  if (quoted) return !/[()[\]{}]|^[.#/]/.test(value) && (/[\d\W]/.test(value) || !after.includes(","));
  if (EXPRESSION.test(value) && !(/^\w+$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value)))
    return false;
  return /\d/.test(value) || /[!@#$%^&*?~+]/.test(value);
}
