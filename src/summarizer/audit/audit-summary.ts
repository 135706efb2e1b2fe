/** Audits a summary both ways: what it dropped is listed to be put back, what it invented is struck with its sentence. */
import { splitSentences } from "../../text/sentences.ts";
import { specificsOf } from "../../text/specifics.ts";
import { knownFrom } from "./known.ts";

export interface AuditRequest {
  readonly summary: string;
  /** Everything that the summary was made from, and whatever else it may rightly know. */
  readonly source: string;
  /** Lines that must be in the hand-off; a summary that says them has them covered. */
  readonly mustKeep: readonly string[];
}

export interface Audit {
  /** The summary without the sentences that hold something invented. */
  readonly text: string;
  /** Specifics that the source does not hold. */
  readonly invented: readonly string[];
  /** How many sentences were struck for them. */
  readonly struck: number;
  /** Must-keeps that the summary does not say: to be put back from the ledger. */
  readonly dropped: readonly string[];
  /** Share of the must-keeps that the summary itself holds, 0 to 1; 1 when there are none. */
  readonly coverage: number;
  /** Why the whole summary is not to be used, where so much was invented that the rest cannot be believed either. */
  readonly refused?: string;
}

/** Above this share of struck sentences the summary is a story. */
const MAX_STRUCK_SHARE = 0.5;

export function auditSummary({ summary, source, mustKeep }: AuditRequest): Audit {
  const known = knownFrom(source);
  const isInvented = (specific: string) => !known.has(specific);
  const invented = [...specificsOf(summary)].filter(isInvented);
  const { text, struck, sentences } = strike(summary, invented.length === 0 ? undefined : isInvented);
  const dropped = missingIn(text, mustKeep);
  const refused =
    struck > sentences * MAX_STRUCK_SHARE
      ? `${struck} of its ${sentences} sentences name things that the conversation does not hold, such as ${invented[0]}`
      : undefined;
  return {
    text,
    invented,
    struck,
    dropped,
    coverage: mustKeep.length === 0 ? 1 : 1 - dropped.length / mustKeep.length,
    ...(refused === undefined ? {} : { refused }),
  };
}

/** The lines that a text says in no words: neither by every specific of theirs, of a path its last part, nor by nearly all of their words. */
export function missingIn(text: string, lines: readonly string[]): readonly string[] {
  const said = text.toLowerCase();
  const named = new Set([...specificsOf(text)].map(lastPart));
  const words = new Set(wordsOf(text));
  return lines.filter((line) => {
    if (said.includes(line.toLowerCase())) return false;
    const specifics = [...specificsOf(line)].map(lastPart);
    if (specifics.length > 0) return !specifics.every((specific) => named.has(specific));
    const own = wordsOf(line);
    return own.length === 0 || own.filter((word) => words.has(word)).length < own.length * SAID_SHARE;
  });
}

/** Of so many of its words a line is said, in whatever order. */
const SAID_SHARE = 0.8;

/** `src/parser.ts` → `parser.ts` */
function lastPart(specific: string): string {
  return specific.slice(specific.lastIndexOf("/", specific.length - 2) + 1);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}

/** Removes whole sentences; headings and blank lines stay, a heading left with nothing under it goes too. */
function strike(summary: string, isInvented: ((specific: string) => boolean) | undefined) {
  const spans = splitSentences(summary);
  if (!isInvented) return { text: summary, struck: 0, sentences: spans.length };
  let text = "";
  let struck = 0;
  let at = 0;
  for (const { start, end } of spans) {
    const bad = [...specificsOf(summary.slice(start, end))].some(isInvented);
    if (bad) struck++;
    text += bad ? summary.slice(at, start).trimEnd() : summary.slice(at, end);
    at = end;
  }
  text += summary.slice(at);
  return { text: withoutEmptyHeadings(text), struck, sentences: spans.length };
}

function withoutEmptyHeadings(text: string): string {
  const lines = text.split("\n");
  const isHeading = (line: string | undefined) => line !== undefined && /^#{1,6} /.test(line);
  return lines
    .filter((line, at) => {
      if (/^\s*(?:[-*•]|\d+[.)])?\s*$/.test(line) && line.trim() !== "") return false;
      if (!isHeading(line)) return true;
      const next = lines.slice(at + 1).find((each) => each.trim() !== "");
      return next !== undefined && !isHeading(next);
    })
    .join("\n")
    .trim();
}
