/** Reads from a term, which is a piece of a regular expression, with which letters it may open. */

/** One way to put a term. */
export interface Wording {
  /** Each place where it matches starts with one of these. */
  readonly openings: readonly string[];
  readonly source: string;
  /** Whether it is nothing but its one opening. */
  readonly isPlain: boolean;
}

/** The alternatives of a term: `"undo|roll(?:ed)? back"` → `undo`, which is plain, and one that opens with `roll`. */
export function wordingsOf(term: string): readonly Wording[] {
  return alternativesOf(term).flatMap((source) => {
    if (source.startsWith("(?:") && groupEnd(source) === source.length)
      return wordingsOf(source.slice(3, -1));
    return { openings: openingsOf(source), source, isPlain: isPlain(source) };
  });
}

/** `"(?:is|are) not"` → `is not`, `are not`. */
function openingsOf(source: string): readonly string[] {
  if (source.startsWith("^")) return openingsOf(source.slice(1));
  if (source.startsWith("(?<")) return openingsOf(source.slice(groupEnd(source)));
  if (!source.startsWith("(?:")) return [plainStart(source)];
  const end = groupEnd(source);
  const alternatives = alternativesOf(source.slice(3, end - 1));
  if (source[end] === "?" || source[end] === "*")
    return [...alternatives.flatMap(openingsOf), ...openingsOf(source.slice(end + 1))];
  const next = plainStart(source.slice(end));
  return alternatives.flatMap((alternative) =>
    isPlain(alternative) ? [alternative + next] : openingsOf(alternative),
  );
}

const SPECIAL = /[\\[\](){}|?*+.^$]/;

function isPlain(source: string): boolean {
  return !SPECIAL.test(source);
}

/** What certainly stands at the start: of `"don'?t"` that is `don`. */
function plainStart(source: string): string {
  const end = source.search(SPECIAL);
  if (end < 0) return source;
  return source.slice(0, /[?*{]/.test(source[end]!) ? Math.max(0, end - 1) : end);
}

/** Cuts at the bars that stand in no group and no class. */
function alternativesOf(source: string): readonly string[] {
  if (!source.includes("|")) return [source];
  const alternatives: string[] = [];
  let start = 0;
  let depth = 0;
  STRUCTURE.lastIndex = 0;
  for (let mark = STRUCTURE.exec(source); mark !== null; mark = STRUCTURE.exec(source)) {
    if (mark[0] === "(") depth++;
    else if (mark[0] === ")") depth--;
    else if (mark[0] === "|" && depth === 0) {
      alternatives.push(source.slice(start, mark.index));
      start = mark.index + 1;
    }
  }
  alternatives.push(source.slice(start));
  return alternatives;
}

/** Past the bracket that closes the group at the start. */
function groupEnd(source: string): number {
  let depth = 0;
  STRUCTURE.lastIndex = 0;
  for (let mark = STRUCTURE.exec(source); mark !== null; mark = STRUCTURE.exec(source)) {
    if (mark[0] === "(") depth++;
    else if (mark[0] === ")" && --depth === 0) return mark.index + 1;
  }
  return source.length;
}

/** Groups and bars; escapes and classes are stepped over. */
const STRUCTURE = /[()|]|\\.|\[[^\]]*\]/g;
