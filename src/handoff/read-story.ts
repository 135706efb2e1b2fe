/** Reads a story back from the text that write-story.ts made of it. */
import { actsForGood } from "../reading/calls/lasting.ts";
import { itemHeads } from "./item-lines.ts";
import { looksUp } from "./looks-up.ts";
import { splitUnits, withAsked } from "./split-units.ts";
import {
  type AskStatus,
  CUT,
  type Entry,
  entry,
  LINE_GAP,
  type Story,
  type Unit,
  unit,
  type Voice,
  wordsEntry,
} from "./story.ts";
import { DEED, LABELS, SHOWN, standingOf, TURN, unquotedWords } from "./story-lines.ts";
import { isDoneLine } from "./tell-lasting.ts";
import { isIntention, NARRATION, weighWords } from "./unit-worth.ts";

/** Reads what `writeStory` wrote. Text before the first turn is told as an earlier summary. */
export function readStory(text: string): Story {
  return linesIn(text).map(({ number, standing, entries }) => ({
    number,
    standing,
    entries: entries.map(({ voice, lines }) => readEntry(voice, lines)),
    isWritten: false,
  }));
}

/** What a story that `writeStory` wrote quotes of people, in order. */
export function askedIn(text: string): readonly string[] {
  return linesIn(text).flatMap(({ entries }) =>
    entries.flatMap(({ voice, lines }) => (voice === "user" ? [lines.join("\n").trim()] : [])),
  );
}

interface TurnLines {
  readonly number: number;
  standing: AskStatus;
  readonly entries: { readonly voice: Voice; readonly lines: string[] }[];
}

function linesIn(text: string): readonly TurnLines[] {
  if (text.trim() === "") return [];
  const turns: TurnLines[] = [];
  const open = (number: number) => turns.push({ number, standing: "answered", entries: [] });
  for (const written of text.split("\n")) {
    const start = TURN.exec(written);
    if (start) open(Number(start[1]));
    else if (turns.length === 0) open(1);
    const turn = turns.at(-1)!;
    const line = start ? written.slice(start[0].length) : written;
    const standing = standingOf(line);
    if (standing) {
      turn.standing = standing;
      continue;
    }
    const label = (Object.keys(LABELS) as (keyof typeof LABELS)[]).find((voice) =>
      line.startsWith(LABELS[voice]),
    );
    const entry = turn.entries.at(-1);
    if (label) {
      const lines = [unquotedWords(line.slice(LABELS[label].length))];
      // What was written for the hand-off that is read is an earlier summary to the next.
      turn.entries.push({ voice: label === "summary" ? "earlier" : label, lines });
    } else if (DEED.test(line) || (start && line.startsWith("("))) {
      turn.entries.push({ voice: "deed", lines: [line] });
    } else if (entry) entry.lines.push(entry.voice === "deed" ? line : unquotedWords(line));
    else if (line.trim() !== "") turn.entries.push({ voice: "earlier", lines: [line] });
  }
  return turns;
}

/** What was worth telling once is weighed again: by who said it, not by where it once was. */
function readEntry(voice: Voice, lines: readonly string[]): Entry {
  if (voice === "deed") return entry(voice, readDeed(lines));
  const text = lines.join("\n").trim();
  if (voice === "user") return entry(voice, [unit(text, USER_WORTH)]);
  const circumstance = { ...NARRATION, isClosing: voice === "answer" };
  const bare = splitUnits(text);
  const units = voice === "earlier" ? withAsked(bare) : bare;
  if (voice === "earlier") return wordsEntry(voice, units, () => weighWords(units, circumstance));
  return wordsEntry(voice, units, () =>
    weighWords(units, circumstance).map((weight, at) =>
      isIntention(units[at]!, circumstance) ? { ...weight, minor: "intended" } : weight,
    ),
  );
}

/** How the keys of a table open it (told-records.ts): its rows are two spaces further in. */
const TABLE =
  /^ {2}(?:\S.{0,200}?: )?(?:[\d,]+ of )?[\d,]+ rows(?:, all .*)?; |^ {2}(?:\S.{0,200}?: )?1 row; /;

function readDeed(lines: readonly string[]): readonly Unit[] {
  const texts = withBlocks(lines);
  const heads = itemHeads(texts.map((text) => text.split("\n", 1)[0]!));
  let table: number | undefined;
  return texts.map((text, at): Unit => {
    const isRow = table !== undefined && text.startsWith("    ");
    const opensTable = TABLE.test(text) && (texts[at + 1]?.startsWith("    ") ?? false);
    const leads = opensTable || text === SHOWN;
    if (opensTable) table = at;
    else if (!isRow) table = undefined;
    const under = at === 0 ? undefined : isRow && !opensTable ? table : (heads[at] ?? 0);
    return {
      ...unit(text, leads || text === CUT ? 0 : at > 0 ? PRINTED_WORTH : deedWorth(text)),
      under,
      minor: at > 0 || onlyLooked(text) ? "printed" : undefined,
      leads,
      isLine: at > 0 && !leads && !isRow,
      lasting: at === 0 && isLasting(text),
      kind: text.replace(LINE_GAP, "").includes("\n") ? "code" : undefined,
    };
  });
}

/** The lines under a deed, blocks of code in one piece: a fence and all in it, a line and those further in, what closes it. */
function withBlocks(lines: readonly string[]): readonly string[] {
  const blocks: string[][] = [];
  let indent = 0;
  let fence: string | undefined;
  let isTable = false;
  for (const [at, line] of lines.entries()) {
    const marks = UNDER_FENCE.exec(line)?.[1];
    const start = line.search(/\S/);
    const goesOn = start < 0 || start > indent || (start === indent && CLOSES.test(line)) || line === CUT;
    if (fence !== undefined || (at > 1 && marks === undefined && goesOn && !isTable)) {
      blocks.at(-1)!.push(line);
      if (marks?.startsWith(fence ?? marks)) fence = undefined;
      continue;
    }
    blocks.push([line]);
    if (at === 0) continue;
    fence = marks;
    indent = start;
    isTable = TABLE.test(line) || (isTable && line.startsWith("    "));
  }
  return blocks.map((block) => block.join("\n"));
}

const UNDER_FENCE = /^\s{0,10}(`{3,}|~{3,})/;
const CLOSES = /^\s*[)\]}]/;
const USER_WORTH = 40;
/** What was printed is told after all that was said, however often it is read back. */
const PRINTED_WORTH = 0.5;

function isLasting(line: string): boolean {
  const tool = /^→ ([^\s(:]+)\(/.exec(line)?.[1];
  return isDoneLine(line) || (tool !== undefined && actsForGood(tool) && !looksUp(tool));
}

/** `→ Read src/a.ts`, `→ get_user(id 7)`, `→ (skill pdf)`: a file tool, a look, a program; but not what nobody answered or allowed. */
function onlyLooked(line: string): boolean {
  const [, name, next] = /^→ ([^\s(:]*)(.?)/.exec(line) ?? [];
  if (name === undefined || next === ":" || UNDONE.test(line)) return false;
  return next !== "(" || name === "" || looksUp(name);
}

const UNDONE = /: the user declined it$|\(no answer yet\)$/;

function deedWorth(line: string): number {
  if (line.startsWith("Changed: ") || isDoneLine(line)) return 3;
  if (line.startsWith("✗ ")) return 1.5;
  if (line.startsWith("→ ")) return onlyLooked(line) ? 0.3 : 2;
  return 1;
}
