/** maskJson: masks secrets in the strings of a JSON text and leaves every other byte as it was (R46). */
import { type FoundSecret, MASK, maskFound } from "./found-secret.ts";
import { type JsonString, jsonStrings } from "./json-strings.ts";
import type { MaskedText } from "./masked-text.ts";
import { findSecrets } from "./redact-secrets.ts";
import { isSecretField, kindOfName, strengthOfName } from "./telling-names.ts";
import { UNKNOWN } from "./unknown-tokens.ts";

export interface Masked {
  readonly text: MaskedText;
  /** The kinds of what was masked, in order. Empty for nearly every text. */
  readonly masked: readonly string[];
}

/** `maskText("key ghp_…")` → text `"key [redacted: github]"`, masked `["github"]` */
export function maskText(text: string): Masked {
  return masked(text, findSecrets(text));
}

/**
 * `maskJson('{"password": "hunter2!"}')` → text `'{"password": "[redacted: password]"}'`, masked `["password"]`.
 * Strings that hold JSON themselves, such as the arguments of a call, are followed inwards. What is no JSON is
 * masked as plain text. Masking what is masked changes nothing.
 */
export function maskJson(
  source: string,
  { spares = NO_NAMES, sparedDepth = Number.POSITIVE_INFINITY }: MaskJsonOptions = {},
): Masked {
  const strings = jsonStrings(source);
  if (!strings) return masked(source, findSecrets(source));
  const looked =
    spares.size === 0
      ? strings
      : strings.filter(({ name, depth }) => depth > sparedDepth || !spares.has(name ?? ""));
  return masked(source, findInStrings(source, looked, 0));
}

export interface MaskJsonOptions {
  /** The strings under these names stay as they are, but for those of JSON inside strings. @default none */
  readonly spares?: ReadonlySet<string>;
  /** Only in so many lists and objects around a string; 1 is the outermost. @default any number */
  readonly sparedDepth?: number;
}

const NO_NAMES: ReadonlySet<string> = new Set();

function masked(text: string, found: readonly FoundSecret[]): Masked {
  return {
    text: maskFound(text, found),
    masked: found.map(({ kind }) => kind),
  };
}

/** JSON in a string in JSON in a string is followed this far; further in, it is plain text. */
const MOST_DEPTH = 6;

function findInJson(source: string, depth: number): readonly FoundSecret[] | undefined {
  const strings = depth > MOST_DEPTH ? undefined : jsonStrings(source);
  return strings && findInStrings(source, strings, depth);
}

function findInStrings(
  source: string,
  strings: readonly JsonString[],
  depth: number,
): readonly FoundSecret[] {
  return strings.flatMap((string) => {
    const found = findInString(source, string, depth);
    return found.length > 0 && isReference(source, string)
      ? found.filter(({ kind }) => kind !== UNKNOWN)
      : found;
  });
}

/**
 * What pairs a call with its result, and what a provider signed, is random and would break with another value: of these only
 * what has the shape of a known kind is a secret.
 */
function isReference(source: string, { isKey, name, start, end }: JsonString): boolean {
  return !isKey && name !== undefined && REFERENCES.has(name) && !/[\s\\]/.test(source.slice(start, end));
}

const REFERENCES: ReadonlySet<string> = new Set([
  "id",
  "call_id",
  "tool_use_id",
  "tool_call_id",
  "signature",
  "encrypted_content",
]);

function findInString(source: string, string: JsonString, depth: number): readonly FoundSecret[] {
  const { start, end } = string;
  if (end - start < SHORTEST_SECRET) return [];
  const written = source.slice(start, end);
  const isEscaped = written.includes("\\");
  const decoded = isEscaped ? decodedString(written) : written;
  if (decoded === undefined) return findSecrets(written).map((secret) => moved(secret, start));
  const kind = kindByName(string, decoded);
  if (kind !== undefined) return [{ kind, start, end }];
  const found =
    (/^\s*[[{"]/.test(decoded) ? findInJson(decoded, depth + 1) : undefined) ?? findSecrets(decoded);
  if (found.length === 0 || !isEscaped) return found.map((secret) => moved(secret, start));
  const places = placesOf(written);
  return found.map((secret) => ({
    kind: secret.kind,
    start: start + places[secret.start]!,
    end: start + places[secret.end]!,
  }));
}

const SHORTEST_SECRET = 4;

/** The whole string is a secret because of the name it is under or the label beside it. */
function kindByName({ isKey, name, label }: JsonString, value: string): string | undefined {
  if (isKey) return undefined;
  for (const telling of [name, label]) {
    // A name that holds a mask read otherwise before it was masked: it decides nothing, so that masking again changes nothing.
    const strength = telling === undefined || telling.search(MASK) >= 0 ? undefined : strengthOfName(telling);
    if (strength !== undefined && isSecretField(strength, value)) return kindOfName(telling ?? "");
  }
  return undefined;
}

function moved({ kind, start, end }: FoundSecret, by: number): FoundSecret {
  return { kind, start: start + by, end: end + by };
}

function decodedString(written: string): string | undefined {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    // A control character or an unknown escape: not quite JSON, so it is read as it is written.
    return undefined;
  }
}

/** For each character of the decoded string, and for its end, where it is in the written one. */
function placesOf(written: string): Uint32Array {
  const places = new Uint32Array(written.length + 1);
  let count = 0;
  for (let at = 0; at < written.length; count++) {
    places[count] = at;
    at += written[at] !== "\\" ? 1 : written[at + 1] === "u" ? 6 : 2;
  }
  places[count] = written.length;
  return places;
}
