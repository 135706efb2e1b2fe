/** The lines that only a story itself may write, and the words of others made safe to be among them. */

import {
  mayNeedMark,
  plainAfterLabel,
  plainText,
  quotedLine,
  quotedPlainLine,
  unquotedText,
  withLines,
} from "../reading/handoffs/quoted.ts";
import { VOICE_LABELS } from "../reading/handoffs/reserved.ts";
import type { AskStatus, Voice } from "./story.ts";

/** Who speaks. */
export const LABELS: Readonly<Record<Exclude<Voice, "deed">, string>> = VOICE_LABELS;

/** How a turn ended. */
export const STANDINGS: Readonly<Record<AskStatus, string>> = {
  answered: "(answered)",
  interrupted: "(interrupted by the user)",
  replaced: "(no closing words)",
  open: "(open)",
  "under way": "(under way: its ask is below)",
  "goes on below": "(goes on below)",
  "open below": "(open; goes on below)",
};

/** In place of an ask that is still there. Where the ask comes after the hand-off, how the turn stands says so. */
export const ASK_IN_VIEW = "(on an ask that is still in view)";

/** What opens a deed, a turn or its end: besides the labels of those who speak, lines that only the story itself may write. */
export const DEED = /^(?:→|✗|\$|Changed:|Done:|Done until here:) /;
export const TURN = /^\[(\d+)\] /;

/** How a turn ended, where a line says that. */
export function standingOf(line: string): AskStatus | undefined {
  return (Object.keys(STANDINGS) as AskStatus[]).find((standing) => STANDINGS[standing] === line);
}

/** A line of somebody's words that looks like one of the story's own is marked as a quote, whatever marks it has already. */
export function quotedWords(text: string, opensLine: boolean): string {
  const plain = plainText(text);
  const from = opensLine ? 0 : plain.indexOf("\n") + 1;
  return from === 0 && !opensLine ? plain : withLines(plain, from, mayBeQuoted, quotedOnce);
}

function mayBeQuoted(text: string, at: number): boolean {
  return STORYS_FIRST.includes(text.charAt(at)) || mayNeedMark(text, at);
}

/** What the story's own lines open with, labels aside. */
const STORYS_FIRST = "→✗$CD[(";

function quotedOnce(line: string): string {
  const own = quotedPlainLine(line);
  return isStorys(own) ? `${MARK}${own}` : own;
}

export function unquotedWords(line: string): string {
  return unquotedText(
    line.startsWith(MARK) && isStorys(line.slice(MARK.length)) ? line.slice(MARK.length) : line,
  );
}

const MARK = "> ";

function isStorys(line: string): boolean {
  if (!MAY_BE_STORYS.test(line)) return false;
  // A mark of a gap may follow: what it would make of the line counts, too.
  const bare = `${line.replace(/^(?:> )+/, "")} `;
  return DEED.test(bare) || TURN.test(bare) || standingOf(bare.trimEnd()) !== undefined;
}

/** One look that spares most lines the others. */
const MAY_BE_STORYS = new RegExp(`^(?:> )*[${STORYS_FIRST}]`);

/** A deed's own line, and under it, two spaces in, every line of what was printed. */
export function quotedDeed(text: string, isUnder: boolean): string {
  const plain = plainText(text);
  if (!plain.includes("\n")) return isUnder ? quotedUnder(plain) : plainAfterLabel(plain);
  return plain
    .split(/\r?\n/)
    .map((line, at) => (at > 0 || isUnder ? quotedUnder(line) : plainAfterLabel(line)))
    .join("\n");
}

function quotedUnder(line: string): string {
  return `${UNDER}${quotedLine(line.startsWith(UNDER) ? line.slice(UNDER.length) : line)}`;
}

const UNDER = "  ";

/** What is over what was printed where nobody called for it: without that it says nothing. */
export const SHOWN = "→ shown:";
/** The same where its speaker says in a few words what was done; read back, it is a look like any other. */
export const SHOWN_AFTER = "→ shown after: ";
