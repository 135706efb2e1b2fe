/** Marks: what the marker wrote, by item; anything that is not a mark is refused with its item. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "./exam.ts";

export interface GoingMark {
  /** Actions that do again what was done. */
  readonly again: number;
  /** Actions, and things named as done, that the record contradicts. */
  readonly contradicts: number;
  readonly quotes?: readonly string[];
}

export type Marks = Readonly<Record<string, number | GoingMark>>;

export function marksFile(out: string): string {
  return join(out, "marks.json");
}

/** Empty where nobody has marked yet. */
export function readMarks(out: string): Marks {
  const file = marksFile(out);
  return existsSync(file) ? checkMarks(readJson(file), file) : {};
}

export function checkMarks(value: unknown, where: string): Marks {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${where} holds no object of marks.`);
  for (const [item, mark] of Object.entries(value)) {
    if (!(item.includes(".go.") ? isGoingMark(mark) : [0, 0.5, 1].includes(mark)))
      throw new Error(`${where}: ${item} is marked ${JSON.stringify(mark)}.`);
  }
  return value as Marks;
}

function isGoingMark(mark: unknown): boolean {
  const { again, contradicts } = (mark ?? {}) as Partial<GoingMark>;
  return [again, contradicts].every((count) => Number.isInteger(count) && count! >= 0);
}
