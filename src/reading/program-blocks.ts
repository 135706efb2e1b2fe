/** Takes out of a text the blocks that programs wrote into it, in one pass however many of them are left open. */
import { BLOCK_END, BLOCK_START } from "./agents/program-tags.ts";

export function withoutProgramBlocks(text: string): string {
  const ends = blockEnds(text);
  if (ends === undefined) return text;
  let rest = "";
  let from = 0;
  // Not `matchAll`, which makes another expression for each text.
  BLOCK_START.lastIndex = 0;
  for (let start = BLOCK_START.exec(text); start !== null; start = BLOCK_START.exec(text)) {
    const end = start.index < from ? undefined : firstAfter(ends.get(start[1]!), BLOCK_START.lastIndex);
    if (end === undefined) continue;
    rest += text.slice(from, start.index);
    from = end;
  }
  return rest + text.slice(from);
}

/** Where the blocks of each name end; undefined where none does. */
function blockEnds(text: string): ReadonlyMap<string, number[]> | undefined {
  BLOCK_END.lastIndex = 0;
  let end = BLOCK_END.exec(text);
  if (end === null) return undefined;
  const ends = new Map<string, number[]>();
  for (; end !== null; end = BLOCK_END.exec(text)) {
    const known = ends.get(end[1]!);
    if (known) known.push(BLOCK_END.lastIndex);
    else ends.set(end[1]!, [BLOCK_END.lastIndex]);
  }
  for (const each of ends.values()) each.reverse();
  return ends;
}

/** The places are asked for in their order: those that lie behind are not needed again. */
function firstAfter(ends: number[] | undefined, at: number): number | undefined {
  while (ends !== undefined && ends.length > 0 && ends.at(-1)! <= at) ends.pop();
  return ends?.at(-1);
}
