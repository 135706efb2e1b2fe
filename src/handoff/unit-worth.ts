/** What a unit of the agent's words is worth to a reader who has to go on from it. */
import type { Unit, Weight } from "./story.ts";

/** Words by which findings, decisions, outcomes and what is open are told. */
const TELLS =
  /\b(?:found|because|caus(?:e|ed|es)|root|issue|bug|problem|turns out|actually|instead|however|but|fail(?:s|ed|ing|ure)?|error|fix(?:ed|es)?|added|removed|renamed|moved|updated|created|implemented|changed|replac\w+|decid\w+|chose|approach|option|recommend\w*|should|must|won't|can't|cannot|doesn't|not|only|pass(?:es|ed|ing)?|done|complete[d]?|remaining|still|next|pending|blocked|verified|confirmed|commit\w*|push\w*|merged|inconsisten\w*|mismatch|missing|important|why|unable|wrong|already)\b/gi;
/** How an intention opens: what came of it is below. */
const INTENDS =
  /^(?:now,? )?(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|now i|next,? i|great|perfect|good|excellent|ok(?:ay)?|sure|you['’]re right|i see)\b/i;
/** How a sentence opens that says only what the next call is for, whatever that call is to mend. */
const ANNOUNCES =
  /^(?:(?:ok(?:ay)?|great|perfect|good|excellent|sure|now|next|then|first|finally)\b[,.!]? +){0,3}(?:let me|let['’]s|i['’]ll|i will|i['’]m going to)\b/i;
/** What makes a decision or a finding of it. */
const REASONS =
  /\b(?:because|since|so that|caus\w+|turns out|actually|instead|rather|however|but|unless|decid\w+|should|must|(?:wo|ca|does|is|do)n['’]t|cannot|not|only|why|unable|wrong|already)\b/i;
const SENTENCE_END = /[.!?]["')]?\s+\S/;
/** Courtesy. */
const POLITE =
  /\b(?:let me know|would you like|is there anything else|happy to|thank you for|feel free|please provide|how would you like|great news|congratulations|hold on|one moment)\b/i;
/** Names, numbers, paths, quotes: what only this conversation knows. Each alternative begins where a run of its characters does: linear. */
const SPECIFIC =
  /`[^`\n]+`|(?<![\w./-])[\w./-]+\.\w{1,5}\b|\b[a-z]+[A-Z]\w+\b|[#$€]?\b\w*\d[\w.,:%/-]*|"[^"\n]{3,60}"|https?:\S+|\b[A-Z]{2,}\w*/g;

export interface Circumstance {
  /** The agent's last words of the turn. */
  readonly isClosing: boolean;
  /** Nothing of the agent's comes after them in the conversation. */
  readonly isNewest: boolean;
  /** Calls follow in the same breath: mostly what it is about to do. */
  readonly beforeCalls: boolean;
  /** Whether somebody took a value up again later. */
  readonly isUsed?: (value: string) => boolean;
}

/** Words on the way, and what nobody knows the place of. */
export const NARRATION: Circumstance = { isClosing: false, isNewest: false, beforeCalls: false };

/** What the agent is about to do: what came of it outlives it. */
export function isIntention(
  { text, leads }: Pick<Unit, "text" | "leads">,
  { isNewest }: Pick<Circumstance, "isNewest">,
): boolean {
  if (isNewest || leads) return false;
  const bare = text.trim();
  if (!SENTENCE_END.test(bare) && ANNOUNCES.test(bare) && !REASONS.test(bare)) return true;
  return INTENDS.test(bare) && countOf(TELLS, bare, 2) < 2;
}

/** Of a unit that says how things are in a few words and then what is done next, those few words: `Still running.` */
export function statusIn(text: string): string | undefined {
  const [, status, rest] = STATUS.exec(text) ?? [];
  return status !== undefined && (rest === undefined || isWaiting(rest)) ? status : undefined;
}

const STATUS = /^([^.!?\d\n]{4,60}[.!])(?:\s+(\S[^\n]*))?$/;

function isWaiting(text: string): boolean {
  return ANNOUNCES.test(text) || /^i['’]m \w+ing\b/i.test(text);
}

/** Of what a unit says, what it is worth by its words. */
type Said = Pick<Unit, "text" | "kind" | "leads">;

export function weighWords(
  units: readonly Unit[],
  circumstance: Circumstance,
  factor = 1,
): readonly Weight[] {
  return units.map((each) => ({ worth: worthOf(each, circumstance) * factor, minor: each.minor }));
}

export function worthOf(unit: Said, { isClosing, isNewest, beforeCalls, isUsed }: Circumstance): number {
  const { text, kind, leads } = unit;
  if (leads) return 0;
  if (!TWO_LETTERS.test(text)) return BARE;
  let worth: number;
  if (kind === "code") {
    // Code can be read again where it went; a block is dear and tells less than the sentence before it.
    worth = 1 + countOf(SPECIFIC, text, MOST_COUNTED) * 0.2;
  } else {
    const tells = countOf(TELLS, text, MOST_COUNTED);
    const { specifics, used } = specificsIn(text, isUsed);
    worth = 0.6 + tells * 0.9 + specifics * 0.45 + used * 0.5;
    if (isFigures(text)) worth *= 0.4;
  }
  if (isLinks(text)) worth *= 0.3;
  const bare = text.trim();
  // A few words tell less than a sentence, whatever they are.
  worth *= Math.min(1, 0.3 + bare.length / 40);
  if (!SMALL_LETTER.test(bare) && bare === bare.toUpperCase()) worth *= 0.3;
  if (INTENDS.test(bare)) worth *= isNewest ? 0.8 : beforeCalls ? 0.25 : 0.5;
  else if (beforeCalls && bare.length < 60) worth *= 0.7;
  if (POLITE.test(bare) && !saysMore(bare)) worth *= 0.3;
  return worth * (isClosing ? CLOSING : 1);
}

/**
 * The closing words of a turn, its own report, outlive its narration; the same in every room, since worth and rank are read once
 * for all of them (candidates.ts). A rule for small rooms would go into `chooseUnits`, the first that knows the room: a class
 * with a share of its own (shares.ts), taken before `rest` as people's words and facts are.
 */
const CLOSING = 1.9;

/** Whether a sentence beside the courtesy names something. */
function saysMore(text: string): boolean {
  const sentences = text.split(/(?<=[.!?])\s+/);
  return (
    sentences.length > 1 && sentences.some((each) => !POLITE.test(each) && countOf(SPECIFIC, each, 1) > 0)
  );
}

/** Marks and numbers alone tell nothing. */
const TWO_LETTERS = /\p{L}{2}/u;
const BARE = 0.05;
const SMALL_LETTER = /[a-z]/;
const ADDRESS = /\(?(?:https?:)?\/\/[^\s)]+\)?|\]\([^)\s]*\)/g;

/** A line of a page that is mostly addresses. */
function isLinks(text: string): boolean {
  if (!text.includes("//") && !text.includes("](")) return false;
  let chars = 0;
  for (const [address] of text.matchAll(ADDRESS)) chars += address.length;
  return chars > 40 && chars > text.length * 0.4;
}

/** How many specifics it has, and how many of its first ones were taken up later; more are not worth more. */
function specificsIn(
  text: string,
  isUsed: Circumstance["isUsed"],
): { readonly specifics: number; readonly used: number } {
  const most = isUsed ? MOST_LOOKED_AT : MOST_COUNTED;
  let found = 0;
  let used = 0;
  SPECIFIC.lastIndex = 0;
  while (found < most && (used < MOST_USED || found < MOST_COUNTED)) {
    const specific = SPECIFIC.exec(text)?.[0];
    if (specific === undefined) break;
    found++;
    if (isUsed && used < MOST_USED && isUsed(bareOf(specific))) used++;
  }
  return { specifics: Math.min(found, MOST_COUNTED), used };
}

const MOST_COUNTED = 4;
const MOST_LOOKED_AT = 8;
const MOST_USED = 3;

/** Without the marks of a quote. */
function bareOf(specific: string): string {
  const start = isQuote(specific.charCodeAt(0)) ? 1 : 0;
  const end = specific.length - (isQuote(specific.charCodeAt(specific.length - 1)) ? 1 : 0);
  return end - start === specific.length ? specific : specific.slice(start, end);
}

function isQuote(code: number): boolean {
  return code === BACKTICK || code === QUOTE;
}

const BACKTICK = 0x60;
const QUOTE = 0x22;

/** A row of figures and marks rather than words. */
function isFigures(text: string): boolean {
  let letters = 0;
  let marks = 0;
  for (let at = 0; at < text.length && at < 400; at++) {
    const code = text.charCodeAt(at) | 32;
    if ((code >= 97 && code <= 122) || code > 127) letters++;
    else if (code !== 32) marks++;
  }
  return marks > letters;
}

function countOf(pattern: RegExp, text: string, most: number): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (count < most && pattern.exec(text) !== null) count++;
  return count;
}
