/** Private keys in PEM form and its kin: whole blocks, with line ends plain or escaped, whole or cut short. */
import { allMatches } from "./all-matches.ts";
import type { FoundSecret } from "./found-secret.ts";

/** Where a line break may be between any two letters. */
const BREAK = String.raw`[\s"'+\\]{0,12}`;
const spread = (words: string): string => words.split("").map(escaped).join(BREAK);
const escaped = (letter: string): string => (letter === " " ? " ?" : letter);
const NAME = `[A-Z0-9 ]{0,40}${BREAK}[A-Z0-9 ]{0,40}${spread("PRIVATE KEY")}(?:${BREAK} ${spread("BLOCK")})?${BREAK} ?(?:-${BREAK}){4,5}`;
const BEGIN = new RegExp(
  String.raw`-{4,5} ?BEGIN ${NAME}|PuTTY-User-Key-File-\d: |\bPrivate-Lines: \d+`,
  "g",
);
const END = new RegExp(`-{4,5} ?END ${NAME}|Private-MAC: [0-9a-f]+`, "g");
/** The first three characters of what a text with a block must hold. */
export const blockStarts: readonly string[] = ["--b", "e-l"];
/** The key of a long certificate chain is shorter; an end further away belongs to another block. */
const LONGEST_BLOCK = 20_000;
const GAP = String.raw`[\s"'\`,+>|#*\\]{1,60}`;
const HEADER = String.raw`(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash)\\?: [^\n\\]{0,100}${GAP}){0,6}`;
const CUT_BLOCK = new RegExp(
  String.raw`(?:${GAP})?${HEADER}(?:[A-Za-z0-9+/=]{12,}(?:${GAP}|$)){1,400}(?:[A-Za-z0-9+/=]{1,64}(?![\w ]))?`,
  "y",
);

/** Linear in the text: each block is looked at once, and a cut one for at most its own lines. */
export function findPrivateKeys(text: string): readonly FoundSecret[] {
  if (!text.includes("--BEGIN ") && !text.includes("Private-Lines")) return [];
  const found: FoundSecret[] = [];
  const ends = allMatches(END, text);
  let nextEnd = 0;
  for (const { index, 0: begin } of allMatches(BEGIN, text)) {
    if (index < (found.at(-1)?.end ?? 0)) continue;
    const body = index + begin.length;
    while (nextEnd < ends.length && ends[nextEnd]!.index < body) nextEnd++;
    const end = blockEnd(text, body, ends[nextEnd]);
    if (end !== undefined) found.push({ kind: "private-key", start: index, end });
  }
  return found;
}

function blockEnd(text: string, body: number, end: RegExpMatchArray | undefined): number | undefined {
  const distance = (end?.index ?? Number.POSITIVE_INFINITY) - body;
  if (end !== undefined && distance <= LONGEST_BLOCK && holdsKey(text.slice(body, body + distance)))
    return body + distance + end[0].length;
  CUT_BLOCK.lastIndex = body;
  const cut = CUT_BLOCK.exec(text)?.[0];
  return cut !== undefined && holdsKey(cut) ? body + cut.trimEnd().length : undefined;
}

/** Something random is in it: `-----BEGIN PRIVATE KEY-----\n...` in a manual is none. */
function holdsKey(body: string): boolean {
  return !body.includes("BEGIN") && /(?=[A-Za-z+/=]{0,40}\d)[A-Za-z0-9+/=]{12,}/.test(body);
}
