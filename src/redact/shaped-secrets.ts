/** Secrets with a shape of their own, whole or broken over lines. */
import { allMatches } from "./all-matches.ts";
import type { FoundSecret } from "./found-secret.ts";
import type { Run } from "./leads.ts";
import {
  continuedEnd,
  countContinuing,
  type LinePiece,
  lineEndBefore,
  matchAt,
  piecesAfter,
} from "./line-breaks.ts";
import { openedKinds, openingAnywhere, openingHere, type SecretKind } from "./secret-kinds.ts";
import { isVaried } from "./varied.ts";

/**
 * Linear in the text: nearly always no opening is in it.
 * @param openings where one may begin
 * @param varied the long runs of mixed characters
 */
export function findShaped(
  text: string,
  openings: readonly number[],
  varied: readonly Run[],
): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  let skipTo = 0;
  for (const index of openings) {
    const opening = index < skipTo ? undefined : matchAt(openingHere, text, index);
    const secret = opening && firstOpened(text, index, index + opening.length);
    if (!secret) continue;
    found.push(secret);
    skipTo = secret.end;
  }
  return [...found, ...findCutOpenings(text, varied)];
}

/** What a match of a kind masks; undefined where its characters are not those of a secret. */
export function secretOf({ kind, varied }: SecretKind, match: RegExpExecArray): FoundSecret | undefined {
  const secret = match.groups?.secret ?? match[0];
  if (varied && !isVaried(secret)) return undefined;
  // Where a group is masked, it closes the match.
  const end = match.index + match[0].length;
  return { kind, start: end - secret.length, end };
}

/** Of the kinds that begin so, the first that is whole where it is or when its lines are joined. */
function firstOpened(text: string, index: number, openingEnd: number): FoundSecret | undefined {
  for (const secretKind of openedKinds) {
    if (matchAt(secretKind.opens, text, index) === undefined) continue;
    const secret =
      wholeSecret(secretKind, text, index) ?? brokenSecret([secretKind], text, index, openingEnd);
    if (secret) return secret;
  }
  return undefined;
}

/** The lines after it are taken where they go on with it. */
function wholeSecret(secretKind: SecretKind, text: string, index: number): FoundSecret | undefined {
  const secret = secretAt(secretKind, text, index);
  if (secret === undefined || secretKind.fixed) return secret;
  return { ...secret, end: continuedEnd(text, secret.end) };
}

function secretAt(secretKind: SecretKind, text: string, index: number): FoundSecret | undefined {
  secretKind.pattern.lastIndex = index;
  const match = secretKind.pattern.exec(text);
  return match ? secretOf(secretKind, match) : undefined;
}

/** A shape is looked for over this many lines; one in more is not wrapped but spelled. */
const MOST_LINES = 12;
const RUN = /[A-Za-z0-9_.~+/=%:-]{0,400}/y;

/** One that is a secret only when its lines are joined. */
function brokenSecret(
  kinds: readonly SecretKind[],
  text: string,
  index: number,
  openingEnd: number,
): FoundSecret | undefined {
  RUN.lastIndex = openingEnd;
  const end = openingEnd + (RUN.exec(text)?.[0].length ?? 0);
  const head = { text: text.slice(index, end), start: index, end };
  return joinedSecret(kinds, head, piecesAfter(text, end, MOST_LINES), text);
}

/** The shortest that the head and the first of its pieces make together. */
function joinedSecret(
  kinds: readonly SecretKind[],
  head: Pick<LinePiece, "text" | "start" | "end">,
  pieces: readonly LinePiece[],
  text: string,
): FoundSecret | undefined {
  let joined = head.text;
  for (const [count, piece] of pieces.entries()) {
    joined += piece.text;
    const secret = firstWhole(kinds, joined);
    if (secret === undefined) continue;
    const all = piecesAfter(text, head.end);
    return {
      kind: secret.kind,
      start: head.start + secret.start,
      end: all[countContinuing(all, count + 1) - 1]!.end,
    };
  }
  return undefined;
}

const LINE_END = /[A-Za-z0-9_.~+/=%:-]{1,40}$/;
const MOST_HEAD_CHARS = 40;

/** Those that a line break cuts apart in their opening, where a random run before or after it shows where to join. */
function findCutOpenings(text: string, varied: readonly Run[]): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { start, end } of varied) {
    for (const lineEnd of [lineEndBefore(text, start), end]) {
      const secret = lineEnd === undefined ? undefined : cutOpening(text, lineEnd);
      if (secret && secret.start >= (found.at(-1)?.end ?? 0)) found.push(secret);
    }
  }
  return found;
}

function cutOpening(text: string, lineEnd: number): FoundSecret | undefined {
  const pieces = piecesAfter(text, lineEnd, MOST_LINES);
  if (pieces.length === 0) return undefined;
  const line = LINE_END.exec(text.slice(Math.max(0, lineEnd - MOST_HEAD_CHARS), lineEnd))?.[0] ?? "";
  const joined = line + pieces.map((piece) => piece.text).join("");
  for (const { index, 0: opening } of allMatches(openingAnywhere, joined)) {
    if (index >= line.length) return undefined;
    if (index + opening.length <= line.length) continue;
    const kinds = openedKinds.filter(({ opens }) => matchAt(opens, joined, index) !== undefined);
    const head = { text: line.slice(index), start: lineEnd - line.length + index, end: lineEnd };
    const secret = joinedSecret(kinds, head, pieces, text);
    if (secret) return secret;
  }
  return undefined;
}

function firstWhole(kinds: readonly SecretKind[], joined: string): FoundSecret | undefined {
  for (const secretKind of kinds) {
    const secret = secretAt(secretKind, joined, 0);
    if (secret?.end === joined.length) return secret;
  }
  return undefined;
}
