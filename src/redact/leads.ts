/** leadsIn: one pass over a text that finds the few places where a secret may be; all other looks begin there. */

export interface Run {
  readonly start: number;
  readonly end: number;
}

export interface Leads {
  /** Where one of the shapes may open: three characters fit, and no letter is before them. In order. */
  readonly openings: readonly number[];
  /** Where a telling name may begin. In order. */
  readonly names: readonly number[];
  /** Every long enough run of letters, digits and `+ / _ -`: only there a token or base64 can be. In order. */
  readonly runs: readonly Run[];
  /** Whether a sign of this sort may be somewhere in the text. */
  readonly maySign: (sort: SignSort) => boolean;
}

const SORTS = { opening: 1, name: 2, shape: 4, block: 8, login: 16 } as const;
export type SignSort = "shape" | "block" | "login";

/** Letters without case, digits as one, the signs of tokens. The first two end a run: all else, and the dot. */
const GROUPS = new Uint8Array(1 << 16);
const DOT = 1;
const DIGIT = 28;
for (let letter = 1; letter <= 26; letter++) GROUPS[64 + letter] = GROUPS[96 + letter] = letter + DOT;
GROUPS.fill(DIGIT, "0".charCodeAt(0), "9".charCodeAt(0) + 1);
const UNDERSCORE = 29;
for (const [signs, group] of [
  [".", DOT],
  ["_", UNDERSCORE],
  ["-", 30],
  ["/+", 31],
] as const)
  for (const sign of signs) GROUPS[sign.charCodeAt(0)] = group;
const TRIGRAMS = 1 << 15;

/** What to look for: the first three characters of each. */
export type LeadStarts = Readonly<Record<keyof typeof SORTS, readonly string[]>>;

export function createLeadTable(starts: LeadStarts): Uint8Array {
  const table = new Uint8Array(TRIGRAMS);
  for (const sort of Object.keys(SORTS) as (keyof typeof SORTS)[])
    for (const start of starts[sort]) table[trigramOf(start)]! |= SORTS[sort];
  return table;
}

function trigramOf(start: string): number {
  if (start.length !== 3)
    throw new RangeError(`A lead must be three characters, not ${JSON.stringify(start)}.`);
  return [...start].reduce((trigram, sign) => (trigram << 5) | GROUPS[sign.charCodeAt(0)]!, 0);
}

export function leadsIn(text: string, table: Uint8Array, shortestRun: number): Leads {
  const openings: number[] = [];
  const names: number[] = [];
  const runs: Run[] = [];
  let trigram = 0;
  let seen = 0;
  let gap = -1;
  for (let at = 0; at < text.length; at++) {
    const group = GROUPS[text.charCodeAt(at)]!;
    trigram = ((trigram << 5) | group) & (TRIGRAMS - 1);
    if (group <= DOT) {
      if (at - gap > shortestRun) runs.push({ start: gap + 1, end: at });
      gap = at;
    }
    const flag = table[trigram]!;
    if (flag === 0) continue;
    seen |= flag;
    if ((flag & SORTS.name) !== 0) names.push(at - 2);
    if ((flag & SORTS.opening) !== 0 && !isWordAt(text, at - 3)) openings.push(at - 2);
  }
  if (text.length - gap > shortestRun) runs.push({ start: gap + 1, end: text.length });
  return { openings, names, runs, maySign: (sort) => (seen & SORTS[sort]) !== 0 };
}

function isWordAt(text: string, at: number): boolean {
  const group = at < 0 ? 0 : GROUPS[text.charCodeAt(at)]!;
  return group > DOT && group <= UNDERSCORE;
}
