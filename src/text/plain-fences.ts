/** Finds the code of a text whose code blocks are plain fences, as most are; a parser is needed only for the others. */

/** Line numbers, `end` exclusive. */
export type LineRange = readonly [start: number, end: number];

/**
 * The fenced blocks of a Markdown text; undefined where there may be other code, such as fences in lists, unclosed ones
 * or indented code, or where mark-up may hide a fence. `lineStarts` has the end of the text as its last entry.
 */
export function plainFences(
  markdown: string,
  lineStarts: readonly number[],
): readonly LineRange[] | undefined {
  const ranges: LineRange[] = [];
  const lineCount = lineStarts.length - 1;
  let afterParagraph = false;
  for (let line = 0; line < lineCount; line++) {
    const text = markdown.slice(lineStarts[line], lineStarts[line + 1]);
    const fence = FENCE.exec(text)?.[1];
    if (fence !== undefined) {
      const end = fenceEnd(markdown, lineStarts, { from: line + 1, fence });
      if (end === undefined) return undefined;
      ranges.push([line, end]);
      line = end - 1;
      afterParagraph = false;
    } else if (text.includes("```") || text.includes("~~~")) {
      return undefined;
    } else {
      const isParagraph = PARAGRAPH.test(text);
      // Deep in a list, or the second line of a paragraph: indented, yet no code.
      const isCode = isParagraph
        ? /^ {4}/.test(text) && (!afterParagraph || /^ {20}/.test(text))
        : MAY_HOLD_CODE.test(text) && !BLANK.test(text);
      if (isCode) return undefined;
      afterParagraph = isParagraph;
    }
  }
  return ranges;
}

/** Past the line that closes the fence. */
function fenceEnd(
  markdown: string,
  lineStarts: readonly number[],
  { from, fence }: { readonly from: number; readonly fence: string },
): number | undefined {
  for (let line = from; line < lineStarts.length - 1; line++) {
    let at = lineStarts[line]!;
    while (markdown.charCodeAt(at) === 32) at++;
    if (at - lineStarts[line]! > 3 || !markdown.startsWith(fence, at)) continue;
    at += fence.length;
    while (markdown[at] === fence[0]) at++;
    if (markdown.slice(at, lineStarts[line + 1]).trim() === "") return line + 1;
  }
  return undefined;
}

const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;

/** Words, in a list perhaps: nothing that could open another block on the same line. */
const PARAGRAPH =
  /^ *(?:(?:[-*+]|\d{1,9}[.)]) {1,3})?(?:(?:\[[ xX]\] )?(?:\*{1,2})?["'(]?[A-Za-z`]|[^\s\d#*+<=>_`~-])/;

const BLANK = /^[ \t\r\n]*$/;

/** Indentation, wide list marks, mark-up, or marks so many that they may nest without end. */
const MAY_HOLD_CODE = / {4}|\t|^[ >*+\-\d.)]*<|^(?!(?:-+|\*+|=+)\s*$)[ >*+\-\d.)]{20}/;
