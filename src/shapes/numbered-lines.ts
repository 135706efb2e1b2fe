/** Line numbers that a tool put before the lines of a file: `   12→text`, `    12\ttext`, `12: text`, `12|text`. */

export interface NumberedLines {
  readonly lines: readonly string[];
  /** Whether the lines carry their numbers. */
  readonly numbered: boolean;
  /** The text of a line without its number. */
  readonly contentOf: (line: string) => string;
}

const NUMBER = /^\s{0,8}\d{1,7}(?:→|\t|: |:|\| ?| {2})/;

export function readNumberedLines(text: string): NumberedLines {
  const lines = text.split("\n");
  const first = lines.slice(0, 40).filter((line) => line !== "");
  const numbered =
    first.filter((line) => NUMBER.test(line)).length * 10 >= first.length * 7 && first.length > 2;
  return { lines, numbered, contentOf: numbered ? withoutNumber : (line) => line };
}

/** The number of a numbered line, or undefined. */
export function numberOfLine(line: string): number | undefined {
  const number = NUMBER.test(line) ? Number.parseInt(line, 10) : Number.NaN;
  return Number.isNaN(number) ? undefined : number;
}

function withoutNumber(line: string): string {
  const match = NUMBER.exec(line);
  return match === null ? line : line.slice(match[0].length);
}
