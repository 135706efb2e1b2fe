/** Takes out of a text the blocks that programs wrote into it, in one pass however many of them are left open. */
import { BLOCK_END, BLOCK_START } from "./agents/program-tags.ts";

export function withoutProgramBlocks(text: string): string {
  const ends = blockEnds(text);
  if (ends.size === 0) return text;
  let rest = "";
  let from = 0;
  for (const { index, 0: tag, 1: name } of text.matchAll(BLOCK_START)) {
    if (index < from) continue;
    const end = firstAfter(ends.get(name!), index + tag.length);
    if (end === undefined) continue;
    rest += text.slice(from, index);
    from = end;
  }
  return rest + text.slice(from);
}

/** Where the blocks of each name end. */
function blockEnds(text: string): ReadonlyMap<string, number[]> {
  const ends = new Map<string, number[]>();
  for (const { index, 0: tag, 1: name } of text.matchAll(BLOCK_END)) {
    const known = ends.get(name!);
    if (known) known.push(index + tag.length);
    else ends.set(name!, [index + tag.length]);
  }
  for (const each of ends.values()) each.reverse();
  return ends;
}

/** The places are asked for in their order: those that lie behind are not needed again. */
function firstAfter(ends: number[] | undefined, at: number): number | undefined {
  while (ends !== undefined && ends.length > 0 && ends.at(-1)! <= at) ends.pop();
  return ends?.at(-1);
}
