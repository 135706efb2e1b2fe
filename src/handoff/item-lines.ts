/** Items of a list that was printed: a head line, and the lines below it that tell of it and of nothing else. */

/** For each line, the place of the head of the item that it is part of; undefined for heads and for lines that are of no item. */
export function itemHeads(lines: readonly string[]): readonly (number | undefined)[] {
  const heads: (number | undefined)[] = lines.map(() => undefined);
  let size = 0;
  for (let at = 0; at < lines.length; ) {
    const head = headIn(lines[at]!);
    const end = head ? endOf(lines, at, head, size) : at + 1;
    heads.fill(at, at + 1, end);
    if (head) size = end - at;
    at = end;
  }
  return heads;
}

interface Head {
  readonly indent: number;
  /** Undefined where it has a dash. */
  readonly number: number | undefined;
}

const HEAD = /^( {0,12})(?:(\d{1,4})[.)]|[-*•]) +\S/;

function headIn(line: string): Head | undefined {
  const [all, indent, number] = HEAD.exec(line) ?? [];
  if (all === undefined) return undefined;
  return { indent: indent!.length, number: number === undefined ? undefined : Number(number) };
}

/** After the last line of an item: few indent what they number, so all until the next number is part of it, and of the last as much as of others. */
function endOf(lines: readonly string[], from: number, head: Head, sizeOfOthers: number): number {
  const most = Math.min(lines.length, from + MOST_LINES);
  const { indent, number } = head;
  const isInside = (line: string) => line.search(/\S/) > indent;
  let end = from + 1;
  while (end < most && isInside(lines[end]!)) end++;
  if (number === undefined) return end;
  const isNext = (line: string) => {
    const next = headIn(line);
    return next?.indent === indent && next.number !== undefined && next.number > number;
  };
  for (let at = end; at < most; at++) if (isNext(lines[at]!)) return at;
  while (end < most && (isInside(lines[end]!) || FIELD.test(lines[end]!) || end - from < sizeOfOthers)) end++;
  return end;
}

/** No item has more. */
const MOST_LINES = 12;

/** `Points: 7 | Author: hazard` */
const FIELD = /^\s*[\p{L}*_][\p{L}\d*_ ]{0,30}:\*{0,2}(?:\s|$)/u;
