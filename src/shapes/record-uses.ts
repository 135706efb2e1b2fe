/** Uses: what the conversation around an answer knows of its values and keys, and the lines that an answer is told by. */
import { cutLine } from "./cut-line.ts";
import { MOST_DEPTH } from "./record-cells.ts";

/** What is known of the values and keys of an answer from the conversation around it. */
export interface Uses {
  /** How much a value was taken up later. */
  readonly useOf: (value: string, key: string) => number;
  /** How clearly a value is named elsewhere: of several records those that are named most clearly matter. */
  readonly namedBy: (value: string) => number;
  /** How much a key and what is under it tell, 1 for most. */
  readonly interestOf: (key: string, value: string) => number;
  /** Whether a person said a value, as one or as several. */
  readonly isAsked: (value: string) => boolean;
  /** Whether the call was given a value: what all records share of that tells nothing once more. */
  readonly isGiven: (value: string) => boolean;
}

/** Nothing is known. */
export const NO_USES: Uses = {
  useOf: () => 0,
  namedBy: () => 0,
  interestOf: () => 1,
  isAsked: () => false,
  isGiven: () => false,
};

/** A line of an answer, and how much of it was taken up later. */
export interface RecordLine {
  readonly text: string;
  /** Added up over its values. */
  readonly used: number;
  /** How much its key tells. @default 1 */
  readonly interest?: number;
  /** The keys of the rows below it: not told without one of them. */
  readonly leads?: boolean;
  /** Under the nearest leading line. */
  readonly under?: boolean;
  /** The end of a row, what is nested in it: in little room more rows tell more than the whole of a few. */
  readonly rest?: { readonly text: string; readonly used: number };
}

export const MOST_CELL_CHARS = 320;

export function cut(text: string): string {
  return text.length <= MOST_CELL_CHARS ? text : cutLine(text, MOST_CELL_CHARS);
}

/** How much of a value, or of all that is nested in it, was taken up. */
export function useIn(value: unknown, key: string, { useOf }: Uses): number {
  return scalarsIn(value, key).reduce<number>((sum, [each, scalar]) => sum + useOf(String(scalar), each), 0);
}

type Scalar = string | number | boolean | null;
/** A plain value and the key that it is under. */
type Leaf = readonly [key: string, value: Scalar];

export function scalarsIn(
  value: unknown,
  key: string | number = "",
  found: Leaf[] = [],
  depth = 0,
): readonly Leaf[] {
  if (typeof value === "object" && value !== null) {
    const isList = Array.isArray(value);
    if (depth <= MOST_DEPTH)
      for (const [name, each] of Object.entries(value))
        scalarsIn(each, isList ? key : name, found, depth + 1);
  } else if (value !== null && value !== undefined) found.push([String(key), value as Scalar]);
  return found;
}
