/** Assigned secrets: values that only their name gives away, such as `password=…`, `"api_key": "…"` or `the token is …`. */

import { type Assignment, isSecretValue } from "./assigned-value.ts";
import type { FoundSecret } from "./found-secret.ts";
import { countContinuing, piecesAfter } from "./line-breaks.ts";
import { kindOfName, strengthOfName } from "./telling-names.ts";
import { isPlaceholder } from "./varied.ts";

/** The end of a name that may speak of a secret, where something that may lead to a value follows. */
const NAME =
  /(?:pass(?:w(?:or)?d|phrase|code|wort|e)?|(?<=cont)rase[ñn]a|psk|pwd|secret|token|credential|authorization|cookie|mnemonic|phrase|key|auth|(?<=conn(?:ection)?[_ -]?)str(?:ing)?|dsn|identified\s(?:with\s\S{1,40}\s)?by|[_-](?:pat|sas|pw))(?:s?(?:[_-][A-Za-z0-9]{1,12}){0,2}\d{0,2})(?=[\\"'`\]):=,> (\t-])/iy;
/** The first three characters of each. */
export const nameStarts: readonly string[] =
  "pas ras psk pwd sec tok cre aut coo mne phr key str dsn ide _pa -pa _sa -sa _pw -pw".split(" ");
/** From the name to the value: a sign, a flag's blank, words, a sibling field, with line breaks where they may be. */
const AFTER = new RegExp(
  [
    String.raw`(?:\\{0,16}["'\`]?[\])]?[ \t]{0,3}(?:=>|:=|->|[:=>])[ \t]{0,4}(?:(?:\\|[>|]-?)?\r?\n[ \t]{1,40})?`,
    String.raw`|\\{0,16}["'\`]?,?(?:\r?\n[ \t]{0,40}|[ \t]{0,4})\\{0,16}["']?value\\{0,16}["']?[ \t]{0,3}[:=][ \t]{0,3}`,
    String.raw`|\\{0,16}["'\`]?,[ \t]{0,2}(?=\\{0,16}["'\`])`,
    String.raw`|(?<=--[\w-]{1,40})[ \t]{1,3}`,
    "| (?:is|was|are|set to|equals)(?: now)?:? {1,2}",
    String.raw`|(?<=\blogin\s{1,8}\S{1,80}\s{1,8}(?:account\s{1,8}\S{1,80}\s{1,8})?password)\s{1,8}`,
    String.raw`|[ \t]{1,4}(?=\\{0,16}["'\`])|\((?=\\{0,16}["'\`])|(?<spoken> {1,2}(?=[\w!@#$%^&*?~+]{8})))`,
    String.raw`(?<quote>\\{0,16}["'\`]{0,3})`,
    String.raw`(?:(?:Bearer|Basic|Token|ApiKey|Digest|SSWS|Bot|Negotiate)[ \t]{1,3})?`,
  ].join(""),
  "iy",
);
/** An unquoted value ends where a setting's value, an argument or a line ends. */
const VALUE = /[^\s"'`,;<>&|\\]{1,400}/y;
const QUOTED: Readonly<Record<string, RegExp>> = {
  '"': /[^"\r\n\\]{1,400}/y,
  "'": /[^'\r\n\\]{1,400}/y,
  "`": /[^`\r\n\\]{1,400}/y,
};
/** What is left of a value that is longer than was needed to tell what it is. */
const REST = /[^\s"'`,;<>&|\\]*/y;
/** In a file of settings a value goes on to the end of its line. */
const LINE = /[^\s"'`]*/y;
/** The rest of a quoted value on the next line, up to its quote. */
const CLOSING_LINE = /(?:["'`] ?[+\\]?|\\)?\r?\n[ \t]{0,40}(?:> )?["'`]?(?<rest>[^\s"'`]{1,200})(?=["'`])/y;
const SHORTEST_VALUE = 4;
const MOST_VALUE_CHARS = 400;
const LOOKED_BACK_CHARS = 40;

/**
 * Linear in the text: each name is looked at once, and a value for at most 400 characters.
 * @param names where the start of a name is
 */
export function findAssigned(text: string, names: readonly number[]): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  let skipTo = 0;
  for (const index of names) {
    if (index < skipTo) continue;
    const nameEnd = matchAt(NAME, text, index)?.[0];
    if (nameEnd === undefined) continue;
    const end = index + nameEnd.length;
    skipTo = end;
    AFTER.lastIndex = end;
    const after = AFTER.exec(text);
    const name = after ? nameEndingAt(text, end) : "";
    const strength = strengthOfName(name);
    if (after === null || strength === undefined) continue;
    const quote = /["'`]$/.exec(after.groups?.quote ?? "")?.[0];
    const start = end + after[0].length;
    const value = valueAt(text, start, quote, name);
    if (value === undefined) continue;
    const assignment = {
      name,
      strength,
      after: after[0],
      isQuoted: quote !== undefined,
      isSpoken: after.groups?.spoken !== undefined,
    };
    const valueEnd = endOfSecret(assignment, text, start, value);
    const secret = valueEnd === undefined ? undefined : { kind: kindOfName(name), start, end: valueEnd };
    if (secret) found.push(secret);
    // Nothing is set inside a value, nor in a stretch too long to be one.
    skipTo = secret?.end ?? (value.length < MOST_VALUE_CHARS ? end : start + value.length);
  }
  return found;
}

/** Where the secret ends that begins with this value, on its line or on one after it; undefined where it is none. */
function endOfSecret(assignment: Assignment, text: string, start: number, value: string): number | undefined {
  if (isPlaceholder(value) && /\D/.test(value)) return undefined;
  const end = start + value.length;
  if (value.length >= MOST_VALUE_CHARS)
    return isSecretValue(assignment, value) ? end + (matchAt(REST, text, end)?.[0].length ?? 0) : undefined;
  const isWhole = value.length >= SHORTEST_VALUE && isSecretValue(assignment, value);
  const closing = assignment.isQuoted ? matchAt(CLOSING_LINE, text, end) : null;
  if (closing && (isWhole || isSecretValue(assignment, value + closing.groups?.rest)))
    return end + closing[0].length;
  const pieces = piecesAfter(text, end);
  const count = countContinuing(pieces);
  const joined = [value, ...pieces.slice(0, count).map((piece) => piece.text)].join("");
  if (count > 0 && (isWhole || isSecretValue(assignment, joined))) return pieces[count - 1]!.end;
  if (!isWhole) return undefined;
  const isSetting = assignment.after === "=" && /^(?:\w+ )?[A-Z][A-Z0-9_]+$/.test(assignment.name);
  return isSetting ? end + (matchAt(LINE, text, end)?.[0].length ?? 0) : end;
}

/** The words of a wallet or a recovery sheet. */
const PHRASE = /(?:[a-z]{3,8} ){11,23}[a-z]{3,8}/y;

/** The marks that close a sentence or a bracket are no part of a value without quotes. */
function valueAt(text: string, start: number, quote: string | undefined, name: string): string | undefined {
  if (quote !== undefined) return matchAt(QUOTED[quote]!, text, start)?.[0];
  const phrase = /phrase|mnemonic/i.test(name) ? matchAt(PHRASE, text, start)?.[0] : undefined;
  const value = phrase ?? matchAt(VALUE, text, start)?.[0];
  return value && !/[([]/.test(value) ? value.replace(/[.:)\]]+$/, "") : value;
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

function nameEndingAt(text: string, end: number): string {
  return (
    /(?:[A-Za-z]{2,12} )?[\w.ñ-]*$/.exec(text.slice(Math.max(0, end - LOOKED_BACK_CHARS), end))?.[0] ?? ""
  );
}
