/** isVaried, isPlaceholder: tell the characters of a random secret from words, names and stand-ins. */

/** Letters and digits well mixed, as in no word, path or version. Looks at the first 128 characters. */
export function isVaried(text: string): boolean {
  const length = Math.min(text.length, 128);
  const counts = new Uint8Array(128);
  const seen: number[] = [];
  let kinds = 0;
  let last = 0;
  let changes = 0;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index) & 127;
    if (counts[code]! === 0) seen.push(code);
    counts[code]!++;
    const kind = kindOf(code);
    if (kind === 0) continue;
    if (last !== 0 && kind !== last) changes++;
    kinds |= kind;
    last = kind;
  }
  if ((kinds & DIGIT) === 0 || (kinds & (SMALL | CAPITAL)) === 0) return false;
  if (changes < Math.max(3, length / 10)) return false;
  return entropyOf(counts, seen, length) >= (length < 20 ? 2.8 : 3.2);
}

const DIGIT = 1;
const SMALL = 2;
const CAPITAL = 4;

function kindOf(code: number): number {
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 97 && code <= 122) return SMALL;
  return code >= 65 && code <= 90 ? CAPITAL : 0;
}

/** Shannon entropy of the characters, in bits each. */
function entropyOf(counts: Uint8Array, seen: readonly number[], length: number): number {
  let bits = 0;
  for (const code of seen) bits -= (counts[code]! / length) * Math.log2(counts[code]! / length);
  return bits;
}

const PLACEHOLDER =
  /^(?:[x*.•_-]+|\d+|(?:my|the|some|test|sample|fake|mock|insert|enter)\b.*|.*(?:your|example|placeholder|changeme|redacted|dummy).*|null|none|nil|undefined|true|false|string|str|text|bytes|number|int|bool|boolean|any|object|optional|required|password|passwd|secret|token|key|value|hidden|masked|empty|default)$/i;

/** Stands for a secret and is none: `your-key-here`, `${TOKEN}`, `<password>`, `********`. */
export function isPlaceholder(value: string): boolean {
  return value.length <= 80 && (PLACEHOLDER.test(value) || /^[$<{[%(]|[>})\]%]$|\$\{|\$\(|\{\{/.test(value));
}
