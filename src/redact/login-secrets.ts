/** Passwords in the places where a login stands: command lines, .pgpass, password files and SQL. */
import { allMatches } from "./all-matches.ts";
import type { FoundSecret } from "./found-secret.ts";
import { continuedEnd } from "./line-breaks.ts";
import { isPlaceholder, isShortSecret, isVaried } from "./varied.ts";

interface LoginPlace {
  /** Without it a text is not looked at further. */
  readonly sign: string;
  /** Global; the group `secret` closes the match and is what is masked. */
  readonly pattern: RegExp;
  readonly accepts?: (secret: string) => boolean;
}

const SQL_PASSWORD = /\bidentified\s(?:with\s\S{1,40}\s)?by\s{1,4}["'](?<secret>[^"'\n]{4,200})/gi;

/** As in /etc/shadow and .htpasswd: a scheme, its settings, a salt and the hash. */
const PASSWORD_HASH =
  /\$(?:2[aby]\$\d\d|[156y]|apr1|argon2id?\$v=\d+\$[\w=,]{5,40})\$(?<secret>[\w./$+=]{20,200})/g;

const places: readonly LoginPlace[] = [
  {
    sign: "-u",
    pattern: /\s(?:-u|--(?:proxy-)?user)[ =]{0,2}["']?[\w.@-]{2,80}:(?<secret>[^\s"'`:/\\$]{4,200})/g,
  },
  { sign: "-p", pattern: /\bsshpass -p ?["']?(?<secret>[^\s"'`$]{4,200})/g },
  {
    sign: "-p",
    pattern:
      /\b(?:mysql(?:dump|admin)?|mariadb|docker login|mongosh?|redis-cli)\b[^\n]{0,120} -[pa] ?["']?(?<secret>[^\s"'`$-][^\s"'`$]{5,200})/g,
    accepts: isShortSecret,
  },
  {
    sign: ":5432:",
    pattern: /:(?:5432|\*):[\w*-]{1,64}:[\w*@.-]{1,64}:(?<secret>[^\s:]{4,200})$/gm,
  },
  { sign: "$", pattern: PASSWORD_HASH, accepts: (secret) => isVaried(secret) },
  { sign: "identified", pattern: SQL_PASSWORD },
  { sign: "IDENTIFIED", pattern: SQL_PASSWORD },
];

const SHORTEST_LOGIN = 12;

/** Linear in the text: every pattern is bounded and begins with something rare. */
export function findLogins(text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  if (text.length < SHORTEST_LOGIN) return found;
  for (const { sign, pattern, accepts } of places) {
    if (!text.includes(sign)) continue;
    for (const match of allMatches(pattern, text)) {
      const secret = match.groups?.secret ?? "";
      if (isPlaceholder(secret) || accepts?.(secret) === false) continue;
      const end = match.index + match[0].length;
      found.push({ kind: "password", start: end - secret.length, end: continuedEnd(text, end) });
    }
  }
  return found;
}
