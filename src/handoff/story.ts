/** Story: what happened, turn by turn, as a value. Words are verbatim; a story gets shorter by leaving units out, never by re-wording. */

/** The smallest piece that stays or goes: a sentence, a line, an item of a list, a block of code, a deed. */
export interface Unit {
  readonly text: string;
  /** What is between it and the unit before it in the same entry. */
  readonly join: "" | " " | "\n" | "\n\n";
  /** What it is worth to a reader who has to go on; compared per token. Of words that are not weighed yet, nothing. */
  readonly worth: number;
  /** The heading or lead-in that it is under, by its index in the entry: one without the other tells nothing. */
  readonly under?: number | undefined;
  /** Told only when everything else is: what was merely intended, then what was printed or looked at. */
  readonly minor?: "intended" | "printed" | undefined;
  /** What no edit takes back: told for every turn, however old, within its share. */
  readonly lasting?: boolean | undefined;
  /** Printed, and taken up later or still to be used: has a share of the room before what was merely intended. */
  readonly isFact?: boolean | undefined;
  /** Of a summary: it says what the user had asked for, whose own words are gone. */
  readonly isAsked?: boolean | undefined;
  /** What edits of the turn in hand did to a file: has a share of the room. */
  readonly isEdit?: boolean | undefined;
  /** Stays whatever the room. */
  readonly must?: boolean | undefined;
  /** A heading or lead-in: never told alone. */
  readonly leads?: boolean | undefined;
  /** A line of a text that was printed: where others were between it and the next that is told, a mark says so. */
  readonly isLine?: boolean | undefined;
  /** Of what was said: how it is set. */
  readonly kind?: "prose" | "item" | "heading" | "code" | "data" | undefined;
}

/** Of a unit, by what it is chosen among others. */
export type Weight = Pick<Unit, "worth" | "minor">;

export function unit(text: string, worth: number, join: Unit["join"] = "\n"): Unit {
  return unitOf(text, worth, join, undefined, undefined, undefined);
}

/** A unit as all of them are made: thousands of one shape are read much faster than as many of ten, and made faster than by a spread. */
export function unitOf(
  text: string,
  worth: number,
  join: Unit["join"],
  kind: Unit["kind"],
  under: Unit["under"],
  leads: Unit["leads"],
): Unit {
  return {
    text,
    join,
    worth,
    under,
    minor: undefined,
    lasting: undefined,
    isFact: undefined,
    isAsked: undefined,
    isEdit: undefined,
    must: undefined,
    leads,
    isLine: undefined,
    kind,
  };
}

/** A mark of the lines that were left out after a line that was printed. */
export const LINE_GAP = "\n  …";
/** The same as a line. */
export const CUT = LINE_GAP.slice(1);

export type Voice =
  /** A person typed it. */
  | "user"
  /** The agent said it on its way. */
  | "agent"
  /** The agent's last words of a turn: its own report. */
  | "answer"
  /** What was done, and how it ended. */
  | "deed"
  /** A model wrote it for this hand-off. */
  | "summary"
  /** What was said in the summary of an earlier hand-off or of another program, or in a hand-off that is no story. */
  | "earlier";

export interface Entry {
  readonly voice: Voice;
  /** Of words that are weighed when that is asked for, `weightsOf` says what each is worth. */
  readonly units: readonly Unit[];
  /** What the worth of its units is multiplied by: newer entries are worth more. @default 1 */
  readonly weight?: number;
  /** Of words: what each of the units weighs. Only where not all of a story can be told somebody asks for it. */
  readonly weigh?: (() => readonly Weight[]) | undefined;
  /** Of a deed: what it printed or wrote, told where there is room once everything else is. */
  readonly detail?: Detail | undefined;
}

/** An entry as all of them are made. */
export function entry(voice: Voice, units: readonly Unit[], detail?: Detail): Entry {
  return { voice, units, weight: 1, weigh: undefined, detail };
}

/** An entry of words, which are weighed when their worth is asked for. */
export function wordsEntry(voice: Voice, units: readonly Unit[], weigh: () => readonly Weight[]): Entry {
  return { voice, units, weight: 1, weigh, detail: undefined };
}

export function weightsOf({ units, weigh }: Entry): readonly Weight[] {
  return weigh ? weigh() : units;
}

export interface Detail {
  readonly text: string;
  /** Told whole or not at all: half an instruction misleads. */
  readonly isWhole?: boolean;
  /** The call that it answers, by which its kind is known. */
  readonly toolName?: string;
  readonly toolArguments?: string;
  /** Whether it was written by the call: files can be read again, what a command printed cannot. */
  readonly kind: "written" | "read" | "printed";
  /** What it was read from: the same again in the next compaction. */
  readonly of?: object;
}

/** How an ask stands, by the record alone. */
export type AskStatus =
  | "answered"
  | "interrupted"
  | "replaced"
  | "open"
  /** Open, and the ask itself comes after the hand-off: it must not be taken for a new one. */
  | "under way"
  /** More of it is below; whether it was answered shows there. */
  | "goes on below"
  /** The same of the last ask, which nothing has answered yet. */
  | "open below";

export interface StoryTurn {
  /** Counted from the first of the conversation, whatever was compacted since. */
  readonly number: number;
  readonly standing: AskStatus;
  readonly entries: readonly Entry[];
  /** What a model wrote tells of it. */
  readonly isWritten?: boolean;
}

export type Story = readonly StoryTurn[];

export function isCode({ kind }: Unit): boolean {
  return kind === "code";
}

/** The units of a story of which something holds, in order. */
export function unitsIn(story: Story, holds: (unit: Unit) => boolean | undefined): readonly Unit[] {
  const found: Unit[] = [];
  // By index: until it is compiled, an iterator makes an object for each step, and there are thousands of units.
  for (const { entries } of story) {
    for (let entry = 0; entry < entries.length; entry++) {
      const { units } = entries[entry]!;
      for (let at = 0; at < units.length; at++) if (holds(units[at]!)) found.push(units[at]!);
    }
  }
  return found;
}
