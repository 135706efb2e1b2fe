/** Excerpts: the shortest readable pieces of a text that say given specifics, each with words that stood beside it. */

/** A specific in a text, and the line that it stands in: nothing beyond it is taken along. */
export interface ExcerptPlace {
  readonly start: number;
  readonly end: number;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** Words beside a specific that an excerpt needs, so that it says what the name is about. */
const WORDS_WANTED = 2;
/** How far away a word surely tells about a specific. */
const NEAR_CHARS = 80;
/** Excerpts of one line with less than this between them are one. */
const JOINED_CHARS = 12;
/** No more words than this are taken along on each side, and none behind more marks than this. */
const MOST_WORDS = 3;
const MOST_MARKS = 6;
const LONGEST_WORD = 40;

/** `places` are in order; each excerpt is verbatim but for paths, which are shortened to their last three parts. */
export function excerptsOf(text: string, places: readonly ExcerptPlace[]): readonly string[] {
  const excerpts: string[] = [];
  let from = 0;
  let to = -1;
  for (let at = 0; at < places.length; at++) {
    const place = places[at]!;
    const { start, end } = place;
    if (end <= to) continue;
    const own = lastPartsStart(text, start, end, 3);
    const [left, right] = widened(text, own, place, WORDS_WANTED - wordsNear(text, places, at));
    if (to >= 0 && (left <= to || isGap(text, to, left))) {
      excerpts[excerpts.length - 1] = closed(text, from, Math.max(to, right));
    } else {
      excerpts.push(closed(text, left, right));
      from = left;
    }
    to = Math.max(to, right);
  }
  return excerpts;
}

/** Where the last parts of a path start, so many of them. */
export function lastPartsStart(text: string, start: number, end: number, parts: number): number {
  let slashes = 0;
  for (let at = end - 1; at >= start; at--) {
    if (text.charCodeAt(at) === 47 && ++slashes === parts) return at + 1;
  }
  return start;
}

function isGap(text: string, from: number, to: number): boolean {
  if (to - from > JOINED_CHARS) return false;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === NEWLINE) return false;
  return true;
}

/** How many words the excerpts before and after bring that stood wholly near, and will again. */
function wordsNear(text: string, places: readonly ExcerptPlace[], at: number): number {
  const { start, end } = places[at]!;
  let words = 0;
  for (const step of [-1, 1]) {
    let between = 0;
    for (let other = at + step; between < NEAR_CHARS / 2; other += step) {
      const place = places[other];
      if (!place || place.end > end + NEAR_CHARS || place.start < start - NEAR_CHARS) break;
      between += place.end - place.start + 2;
      words += wordsIn(text, place.start, place.end);
    }
  }
  return words;
}

/** Words of three letters or more, that do not start with a digit. */
function wordsIn(text: string, start: number, end: number): number {
  let words = 0;
  for (let at = start; at < end; ) {
    const first = at;
    while (at < end && isWordCode(text.charCodeAt(at))) at++;
    if (at - first >= 3 && !isDigit(text.charCodeAt(first))) words++;
    if (at === first) at++;
  }
  return words;
}

/** Takes the nearest words along, left and right in turn, until there are enough or the line ends. */
function widened(
  text: string,
  own: number,
  { start, end, lineStart, lineEnd }: ExcerptPlace,
  lacking: number,
): readonly [left: number, right: number] {
  let left = own;
  let right = end;
  let wanted = lacking;
  for (let turn = 0; turn < MOST_WORDS && wanted > 0; turn++) {
    // Before a path that was shortened stands its own first part.
    const before = own === start ? wordBefore(text, left, lineStart) : left;
    wanted -= wordsIn(text, before, left);
    const after = wanted > 0 ? wordAfter(text, right, lineEnd) : right;
    wanted -= wordsIn(text, right, after);
    if (before === left && after === right) break;
    left = before;
    right = after;
  }
  return [left, right];
}

/** Where the word before a place starts; the place itself when there is none near on the line. */
function wordBefore(text: string, place: number, first: number): number {
  let at = place;
  while (at > first && place - at <= MOST_MARKS && isMark(text.charCodeAt(at - 1))) at--;
  const wordEnd = at;
  while (at > first && wordEnd - at <= LONGEST_WORD && isWordCode(text.charCodeAt(at - 1))) at--;
  return at === wordEnd || wordEnd - at > LONGEST_WORD ? place : at;
}

/** Where the word after a place ends. */
function wordAfter(text: string, place: number, last: number): number {
  let at = place;
  while (at < last && at - place <= MOST_MARKS && isMark(text.charCodeAt(at))) at++;
  const wordStart = at;
  while (at < last && at - wordStart <= LONGEST_WORD && isWordCode(text.charCodeAt(at))) at++;
  return at === wordStart || at - wordStart > LONGEST_WORD ? place : at;
}

const NEWLINE = 10;

function isMark(code: number): boolean {
  return code !== NEWLINE && !isWordCode(code);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Letters beyond ASCII too. */
function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    isDigit(code) ||
    code === 95 ||
    (code >= 0xc0 && code < 0x2000) ||
    code >= 0x3000
  );
}

/** With the marks that close what the excerpt opens, where they follow at once. */
function closed(text: string, from: number, to: number): string {
  let end = to;
  for (; end < to + 3; end++) {
    const opener = CLOSERS[text[end] ?? ""];
    if (opener === undefined || !isOpen(text, from, end, opener, text[end]!)) break;
  }
  return text.slice(from, end).trim();
}

function isOpen(text: string, from: number, to: number, opener: string, closer: string): boolean {
  let depth = 0;
  for (let at = from; at < to; at++) {
    if (text[at] === closer && depth > 0) depth--;
    else if (text[at] === opener) depth++;
  }
  return depth > 0;
}

const CLOSERS: Readonly<Record<string, string>> = {
  ")": "(",
  "]": "[",
  "}": "{",
  '"': '"',
  "`": "`",
  "'": "'",
};
