/** Fences of code blocks: one without the other would turn all text after it inside out. */
import { mustKeep, type Selection } from "./select-lines.ts";

/** Where each block of code opens and closes. A block that nothing closes goes on to the end. */
export function fencePairs(lines: readonly string[]): readonly (readonly [open: number, close: number])[] {
  const pairs: (readonly [number, number])[] = [];
  let open = -1;
  let fence = "";
  for (let at = 0; at < lines.length; at++) {
    const marks = FENCE.exec(lines[at]!)?.[1];
    if (marks === undefined) continue;
    if (open < 0) {
      open = at;
      fence = marks;
    } else if (marks.startsWith(fence) && lines[at]!.trim() === marks) {
      pairs.push([open, at]);
      open = -1;
    }
  }
  return pairs;
}

const FENCE = /^\s{0,8}(`{3,}|~{3,})/;

/** Of a block of which something is shown both fences are. */
export function keepFences(
  selection: Selection,
  pairs: readonly (readonly [open: number, close: number])[],
): void {
  for (const [open, close] of pairs) {
    const shown = selection.kept.subarray(open, close + 1).includes(1);
    if (!shown) continue;
    mustKeep(selection, open);
    mustKeep(selection, close);
  }
}
