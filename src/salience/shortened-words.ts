/**
 * Shortened words: sentences of a user's message with the standing that they had in the whole of it. Alone, or in other company,
 * a sentence may read as one that binds although it did not, or the other way round; between these tags it is read as it is marked.
 */

export interface ShortenedSentence {
  readonly sentence: string;
  readonly binds: boolean;
}

const OPENING = "<shortened>\n";
const CLOSING = "\n</shortened>";
const BINDS = "- ";
const EXCERPTS = "<excerpts>";
const EXCERPT_TAGS = /^<\/?excerpts>\n?/gm;

/** A paragraph each; those that bind with a bullet. */
export function writeShortened(sentences: readonly ShortenedSentence[]): string {
  const paragraphs = sentences.map(({ sentence, binds }) => (binds ? BINDS + sentence : sentence));
  return `${OPENING}${paragraphs.join("\n\n")}${CLOSING}`;
}

/** What was cut of a message, shown beside its shortened words: a tagged block is no one's prose and says nothing that binds. */
export function writeExcerpts(excerpts: string): string {
  return `${EXCERPTS}\n${excerpts}\n</excerpts>`;
}

/** A text in order: as it is, and in between what was shortened. */
export function readShortened(text: string): readonly (string | readonly ShortenedSentence[])[] {
  const pieces: (string | readonly ShortenedSentence[])[] = [];
  let rest = 0;
  for (let opening = openingFrom(text, 0); opening >= 0; opening = openingFrom(text, rest)) {
    const start = opening + OPENING.length;
    const end = text.indexOf(CLOSING, start);
    if (end < 0) break;
    pieces.push(text.slice(rest, opening), text.slice(start, end).split("\n\n").map(readSentence));
    rest = end + CLOSING.length;
  }
  pieces.push(text.slice(rest));
  return pieces;
}

/** What a text says besides its shortened words, its excerpts without their tags. */
export function withoutShortened(text: string): string {
  const others = readShortened(text).filter((piece) => typeof piece === "string");
  if (others.length === 1 && !text.includes(EXCERPTS)) return text;
  return others.join("").replace(EXCERPT_TAGS, "\n").trim();
}

/** Only where it opens a line. */
function openingFrom(text: string, from: number): number {
  let at = text.indexOf(OPENING, from);
  while (at > 0 && text.charCodeAt(at - 1) !== 10) at = text.indexOf(OPENING, at + 1);
  return at;
}

function readSentence(paragraph: string): ShortenedSentence {
  const binds = paragraph.startsWith(BINDS);
  return { sentence: binds ? paragraph.slice(BINDS.length) : paragraph, binds };
}
