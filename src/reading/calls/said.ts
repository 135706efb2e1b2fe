/** What was said, as facts: sentences cut from prose, on one line, within a length. */
import { splitCode } from "../../text/code-blocks.ts";
import { splitSentences } from "../../text/sentences.ts";

/** White space made even, and no longer than so many characters. */
export function shortLine(text: string, maxChars: number): string {
  const start = text.length > maxChars * 4 ? text.slice(0, maxChars * 4) : text;
  const line = (UNEVEN.test(start) ? start.replace(/\s+/g, " ") : start).trim();
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars - 1);
  // subtle: half of a surrogate pair is no character.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

const UNEVEN = /\s\s|[^\S ]/;

/** A text that somebody said. Its sentences are cut when somebody asks for them, and once: most texts hold no fact. */
export interface Prose {
  readonly text: string;
  readonly sentences: () => readonly string[];
}

export function proseIn(text: string): Prose {
  let sentences: readonly string[] | undefined;
  return { text, sentences: () => (sentences ??= sentencesOf(text)) };
}

/** The sentences of the prose outside code blocks, without list marks. */
function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  for (const segment of splitCode(text)) {
    if (segment.kind === "code") continue;
    for (const { start, end } of splitSentences(segment.text)) {
      sentences.push(
        segment.text.slice(start, end).replace(/^\s*(?:(?:[-*+•>]|#{1,6}|\d{1,4}[.)])\s+)+/, ""),
      );
    }
  }
  return sentences;
}

/** Of a long text its two ends. */
export function endsOf(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars / 2)}\n\n${text.slice(-maxChars / 2)}`;
}
