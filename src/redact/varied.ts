/** isVaried, isPlaceholder: tell the characters of a random secret from words, names and stand-ins. */

const MOST_LOOKED_AT = 128;

/** Letters and digits well mixed, as in no word, path or version. Looks at the first 128 characters. */
export function isVaried(text: string, start = 0, end = text.length): boolean {
  const length = Math.min(end - start, MOST_LOOKED_AT);
  let kinds = 0;
  let last = 0;
  let changes = 0;
  for (let index = start; index < start + length; index++) {
    const kind = KINDS[text.charCodeAt(index) & 127]!;
    if (kind === 0) continue;
    if (last !== 0 && kind !== last) changes++;
    kinds |= kind;
    last = kind;
  }
  if (changes < Math.max(3, length / 10) || (kinds & (SMALL | CAPITAL)) === 0) return false;
  // Without digits only a wild mix of capitals tells: words have one at their beginning.
  if ((kinds & DIGIT) === 0 && (length < 20 || changes < length / 3)) return false;
  return entropyOf(text, start, start + length) >= (length < 20 ? 2.8 : 3);
}

/** As no word, name or path is: capitals, small letters and digits in wild change. */
export function isRandom(token: string): boolean {
  // Of base64 with its signs only a key of forty characters is told from a path.
  return isWild(token) && (!/[/+]/.test(token) || token.length === 40);
}

/** The same where no path can be. */
export function isWild(token: string): boolean {
  if (!/[a-z]/.test(token) || !/[A-Z]/.test(token) || !/\d/.test(token)) return false;
  const changes = token.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g)?.length ?? 0;
  return changes >= token.length * 0.4 && isVaried(token);
}

const DIGIT = 1;
const SMALL = 2;
const CAPITAL = 4;

const KINDS = new Uint8Array(128);
KINDS.fill(DIGIT, 48, 58).fill(CAPITAL, 65, 91).fill(SMALL, 97, 123);

const counts = new Uint8Array(128);
const countTimesLog = Float64Array.from({ length: MOST_LOOKED_AT + 1 }, (_, count) =>
  count === 0 ? 0 : count * Math.log2(count),
);

/** Shannon entropy of the characters, in bits each. */
function entropyOf(text: string, start: number, end: number): number {
  for (let index = start; index < end; index++) counts[text.charCodeAt(index) & 127]!++;
  let sum = 0;
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index) & 127;
    sum += countTimesLog[counts[code]!]!;
    counts[code] = 0;
  }
  return Math.log2(end - start) - sum / (end - start);
}

const PLACEHOLDER =
  /^(?:[x*.•_-]+|\d+|(?:my|the|some|test|sample|fake|mock|insert|enter)\b.*|null|none|nil|undefined|true|false|string|str|text|bytes|number|int|bool|boolean|any|object|optional|required|password|passwd|secret|token|key|value|hidden|masked|empty|default)$/i;
const PLACEHOLDER_WORD = /your|example|placeholder|changeme|redacted|dummy/i;

/** Stands for a secret and is none: `your-key-here`, `${TOKEN}`, `<password>`, `********`. */
export function isPlaceholder(value: string): boolean {
  if (value.length > 80) return false;
  if (PLACEHOLDER.test(value) || /^[$<{[%(]|[>})\]%]$|\$\{|\$\(|\{\{/.test(value)) return true;
  return PLACEHOLDER_WORD.test(value) && !isVaried(value);
}

/** Letters and digits in one word as long as a password, which is no name or version with a number in it. */
export function isShortSecret(value: string): boolean {
  return (
    value.length >= 6 &&
    value.length <= 100 &&
    /[A-Za-z].*\d|\d.*[A-Za-z]/.test(value) &&
    /[a-z].*[A-Z]|[A-Z].*[a-z]|[^\w+.-]|\d[A-Za-z]+\d/.test(value) &&
    !/^[\w-]+\.\w{1,5}$|^v?\d+\.|[+ ]|^\w+-\w+$/.test(value)
  );
}
