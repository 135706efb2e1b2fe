/** Stretches: a text cut at line ends that no token reaches over, so that their counts add up to the text's. */

const SLASH = 0x2f;
/** `→` and `✗`: how lines of a story open. */
const ARROW = 0x2192;
const CROSS = 0x2717;

/**
 * A piece of either encoding that holds a line end is over where a character follows that is neither white space nor a
 * slash. Only ASCII is judged, and two signs; before anything else the stretch goes on. About every fourth such line opens a stretch,
 * by what it says: where a line was put in or left out, the stretches after the next one are the same as before.
 */
export function stretchesOf(text: string): readonly string[] {
  const stretches: string[] = [];
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    if (!opensPiece(text.charCodeAt(at + 1)) || !opensStretch(text, at + 1)) continue;
    stretches.push(text.slice(start, at + 1));
    start = at + 1;
  }
  if (start < text.length) stretches.push(text.slice(start));
  return stretches;
}

/** Whether a new piece opens behind a line end where this character follows. */
export function opensPiece(code: number): boolean {
  return (code > 0x20 && code < 0x7f && code !== SLASH) || code === ARROW || code === CROSS;
}

function opensStretch(text: string, at: number): boolean {
  return ((text.charCodeAt(at) + text.charCodeAt(at + 3) + text.charCodeAt(at + 6)) & 3) === 0;
}
