/** Part names: `pith:…#12` is turn 12 of a hand-off, `pith:…#12-15` are turns 12 to 15, `pith:…#12.3` is step 3 of turn 12. */
import type { TurnRange } from "../archive/span-pieces.ts";

export interface PartName {
  readonly id: string;
  readonly turns: TurnRange;
  readonly step?: number;
}

/** Undefined where the name is of no such form. */
export function readPartName(name: string): PartName | undefined {
  const [, id, first, last, step] = /^(.+)#(\d{1,9})(?:-(\d{1,9})|\.(\d{1,9}))?$/.exec(name.trim()) ?? [];
  if (id === undefined || first === undefined) return undefined;
  const turns = { from: Number(first), to: Number(last ?? first) };
  return { id, turns, ...(step !== undefined && { step: Number(step) }) };
}
