/** Finds fenced blocks that open in the middle of a line, as in "Use this: ```ts": a parser of Markdown takes them for prose. */

/** Offsets in the text, `end` exclusive. */
export type TextRange = readonly [start: number, end: number];

/**
 * The blocks, from the opening fence to the closing one, or to the end where none closes it; a fence that starts its line is
 * passed over with its block. A span that closes on its own line is no block.
 *
 *     "Use this: ```ts\nrun();\n``` and go on." → [[10, 26]]
 */
export function midlineFences(text: string): readonly TextRange[] {
  if (!hasFence(text)) return [];
  const ranges: TextRange[] = [];
  LINE.lastIndex = 0;
  for (let line = LINE.exec(text); line; line = LINE.exec(text)) {
    if (!hasFence(line[0])) continue;
    const opening = AT_START.exec(line[0]);
    if (opening) {
      LINE.lastIndex = Math.max(LINE.lastIndex, endOfBlock(text, LINE.lastIndex, opening[1]!));
      continue;
    }
    const range = openedIn(text, line);
    if (!range) continue;
    ranges.push(range);
    LINE.lastIndex = Math.max(range[1], LINE.lastIndex);
  }
  return ranges;
}

function hasFence(text: string): boolean {
  return text.includes("```") || text.includes("~~~");
}

const LINE = /[^\r\n]+(?:\r\n?|\n|$)/g;
/** Nothing but indentation, list marks and quote marks before it. */
const AT_START = /^[\s>*+\-\d.)]*(`{3,}(?=[^`]*$)|~{3,})/;
const RUN = /`{3,}|~{3,}/g;
/** Nothing, or the name of a language, up to the end of the line. */
const INFO = /^[\w.+#-]{0,24}\s*$/;

function openedIn(text: string, line: RegExpExecArray): TextRange | undefined {
  const runs = [...line[0].matchAll(RUN)];
  // Spans that close on the line come in pairs.
  const last = runs.length % 2 === 1 ? runs.at(-1)! : undefined;
  if (!last) return undefined;
  const start = line.index + last.index;
  const from = line.index + line[0].length;
  const isSure = INFO.test(line[0].slice(last.index + last[0].length));
  const end = closingAfter(text, { from, fence: last[0], isSure });
  if (end !== undefined) return [start, end];
  return isSure ? [start, text.length] : undefined;
}

/**
 * Past the first run that can close the fence. One that names a language at the start of its line opens another block: then a
 * mark that was not surely a fence was none.
 */
function closingAfter(
  text: string,
  { from, fence, isSure }: { readonly from: number; readonly fence: string; readonly isSure: boolean },
): number | undefined {
  for (let at = text.indexOf(fence, from); at >= 0; at = text.indexOf(fence, at)) {
    const start = at;
    while (text[at] === fence[0]) at++;
    const isOpening = /\w/.test(text.charAt(at)) && /^\s*$/.test(lineBefore(text, start));
    if (!isOpening) return at;
    if (!isSure) return undefined;
  }
  return undefined;
}

function lineBefore(text: string, at: number): string {
  let start = at;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
  return text.slice(start, at);
}

/** Past the line that closes a fence which started its line; the end of the text where none does. */
function endOfBlock(text: string, from: number, fence: string): number {
  const closing = new RegExp(`^[\\s>]*${fence[0]}{${fence.length},}\\s*$`);
  const line = new RegExp(LINE);
  line.lastIndex = from;
  for (let each = line.exec(text); each; each = line.exec(text)) {
    if (closing.test(each[0])) return line.lastIndex;
  }
  return text.length;
}
