/** Passwords in the places where a login is: command lines, .pgpass and password files. */
import { allMatches } from "./all-matches.ts";
import type { FoundSecret } from "./found-secret.ts";
import { continuedEnd } from "./line-breaks.ts";
import { isPlaceholder, isShortSecret, isVaried } from "./varied.ts";

interface LoginPlace {
  /** Looked for in the text; the pattern then only from so many characters before it. */
  readonly sign: string;
  readonly charsBefore: number;
  /** The group `secret` closes the match and is what is masked. */
  readonly pattern: RegExp;
  readonly accepts?: (secret: string) => boolean;
}

const places: readonly LoginPlace[] = [
  {
    sign: "-u",
    charsBefore: 10,
    pattern: /(?:^|\s)(?:-u|--(?:proxy-)?user)[ =]{0,2}["']?[\w.@-]{2,80}:(?<secret>[^\s"'`:/\\$]{4,200})/,
  },
  { sign: "cli -a", charsBefore: 10, pattern: /redis-cli -a ["']?(?<secret>[^\s"'`$]{4,200})/ },
  { sign: "pass -p", charsBefore: 3, pattern: /sshpass -p ?["']?(?<secret>[^\s"'`$]{4,200})/ },
  {
    sign: "-p",
    charsBefore: 150,
    pattern:
      /\b(?:mysql(?:dump|admin)?|mariadb|docker login|mongosh?)\b[^\n]{0,120} -p ?["']?(?<secret>[^\s"'`$-][^\s"'`$]{5,200})/,
    accepts: isShortSecret,
  },
  {
    sign: ":5432:",
    charsBefore: 0,
    pattern: /^:5432:[\w*-]{1,64}:[\w*@.-]{1,64}:(?<secret>[^\s:]{4,200})(?=\s|$)/,
  },
];
/** The first three characters of the flags, and of what is before them. */
export const loginStarts: readonly string[] = [" -u", "--u", "y-u", " -p", " -a"];

/** As in /etc/shadow and .htpasswd: a scheme, its settings, a salt and the hash. */
const PASSWORD_HASH =
  /\$(?:2[aby]\$\d\d|[156y]|apr1|argon2id?\$v=\d+\$[\w=,]{5,40})\$(?<secret>[\w./$+=]{20,200})/g;

const CHARS_AFTER = 300;

/**
 * Linear in the text: every pattern is bounded and looked for near its sign alone.
 * @param mayHoldFlags whether one of the flags may be in it
 */
export function findLogins(text: string, mayHoldFlags: boolean): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const place of places) {
    if (!mayHoldFlags && place.sign !== ":5432:") continue;
    for (let at = text.indexOf(place.sign); at !== -1; at = text.indexOf(place.sign, at + 1)) {
      const secret = loginAt(text, at, place);
      if (secret) found.push(secret);
    }
  }
  if (!text.includes("$")) return found;
  for (const { index, 0: whole, groups } of allMatches(PASSWORD_HASH, text)) {
    const end = index + whole.length;
    const hash = groups?.secret ?? "";
    if (isVaried(hash)) found.push({ kind: "password", start: end - hash.length, end });
  }
  return found;
}

function loginAt(
  text: string,
  at: number,
  { charsBefore, pattern, accepts }: LoginPlace,
): FoundSecret | undefined {
  // A flag follows a blank; most signs are inside words.
  if (text[at] === "-" && !/[\s-]/.test(text[at - 1] ?? " ")) return undefined;
  const start = Math.max(0, at - charsBefore);
  const match = pattern.exec(text.slice(start, at + CHARS_AFTER));
  const secret = match?.groups?.secret;
  if (!match || secret === undefined || isPlaceholder(secret) || accepts?.(secret) === false)
    return undefined;
  const end = start + match.index + match[0].length;
  return { kind: "password", start: end - secret.length, end: continuedEnd(text, end) };
}
