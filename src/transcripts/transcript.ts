/** Transcript: the contract between the session files that agent programs write and the engine. */
import type { Conversation } from "../conversation/conversation.ts";
import type { WireObject } from "../json/wire-value.ts";
import type { SourceText } from "./source-text.ts";

/** A session file, read. Its text is never rewritten as a whole: what nobody changed stays the very bytes that came in. */
export interface Transcript {
  /** The format's name, such as `claude-code`. */
  readonly format: string;
  readonly text: string;
  /** The conversation that the program would send next, as a request body: give this to `compact`. */
  readonly body: TranscriptBody;
  /** The same, read. Positions of its messages are those of `lines`. */
  readonly conversation: Conversation;
  /** For each message, by position, the lines of the file that it came from, counted from 1. */
  readonly lines: readonly (readonly number[])[];
  /** Positions of messages that the program itself would never take away: give them to `compact` as `pins`. */
  readonly pins: readonly number[];
  /** What the provider reported for the last request, where the file holds it: give it to `compact` as `usage`. */
  readonly usage?: unknown;
  /** What the file says of the session itself. */
  readonly session: SessionFacts;
  /** For each message, by position, when it was said, in milliseconds since the epoch; undefined where the file does not say. */
  readonly times: readonly (number | undefined)[];
  /** What was passed over. It stays in the file. */
  readonly problems: readonly Problem[];
  /** What the format found; for writing. */
  readonly reading: TranscriptReading;
}

/** A body in the anthropic-messages format, whatever the program: its blocks can say everything that transcripts hold. */
export interface TranscriptBody {
  readonly model?: string;
  readonly system?: readonly object[];
  readonly messages: readonly object[];
}

export interface SessionFacts {
  /** By which the program knows it. */
  readonly id?: string;
  /** As the program shows it in its list of sessions. */
  readonly title?: string;
}

export interface Problem {
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** One transcript format. */
export interface TranscriptFormat {
  /** The name used in options, in the Report and on the command line. */
  readonly name: string;
  /** Whether only this program writes such a line. A file is of the format of its first line that tells one. */
  readonly tells?: (line: WireObject) => boolean;
  /** How surely a file in which no line tells is of this format, 0 (no) to 1; the surest wins. @default 0 */
  readonly detect?: (source: SourceText) => number;
  readonly read: (source: SourceText, options: ReadingOptions) => TranscriptReading;
  /** When a record was written, as the file has it: a date, or a number of seconds or milliseconds. */
  readonly timeOf?: (value: WireObject) => unknown;
  /**
   * Two neighbours of one role are refused or misread: a hand-off that the engine merged into a message stays in it.
   * Otherwise it becomes a record of its own.
   */
  readonly keepsMerged?: boolean;
  /** The records that new texts become, and what must change in other records since some are gone. */
  readonly compose: (writing: Writing) => Changes;
}

export interface ReadingOptions {
  /** Not only what the program would send next: also what it compacted away, and its summaries of that left out. */
  readonly whole: boolean;
}

/** What a format finds in a file. */
export interface TranscriptReading {
  /** In the order of the file. */
  readonly records: readonly FileRecord[];
  /** What was said, in the order in which the model reads it. */
  readonly said: readonly Said[];
  readonly problems: readonly Problem[];
  readonly model?: string;
  /** The provider's figures for the last request, under the names of one of the APIs. */
  readonly usage?: unknown;
  /** Empty texts are as good as none. `startedAt` is for messages that have no time of their own, as with `timeOf`. */
  readonly session?: { readonly id?: string; readonly title?: string; readonly startedAt?: unknown };
}

/** A piece of the file that stays or goes as a whole: a line, an element of a list, a section. */
export interface FileRecord {
  readonly start: number;
  readonly end: number;
  /** What it was parsed to; of a section of text only what is known about it, if anything. */
  readonly value: unknown;
  /** `line` goes with its line break, `element` with its comma, `text` by itself. */
  readonly kind: "line" | "element" | "text";
  /** Which list an element belongs to: elements of one list have the same number. */
  readonly list?: number;
  /** A record that says nothing to the model goes when the record of this index goes. */
  readonly follows?: number;
  /** It is not removed even when nothing of what it said is left. */
  readonly stays?: boolean;
}

/** One message to be. */
export interface Said {
  readonly role: "system" | "user" | "assistant";
  /** The program itself never takes it away. */
  readonly pinned?: boolean;
  readonly pieces: readonly TranscriptPiece[];
}

export type Path = readonly (string | number)[];

/** Something said, and where in the file it is. */
export type TranscriptPiece = Content & RecordPlace;

export type Content =
  | { readonly kind: "text"; readonly text: string }
  /** `signature` where it is one that the Anthropic API gave; others seal their thoughts in ways of their own. */
  | {
      readonly kind: "thinking";
      readonly text: string;
      readonly signed: boolean;
      readonly signature?: string;
    }
  /** `input` is the arguments' value, or their JSON text. */
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly kind: "result";
      readonly id: string;
      readonly text: string;
      readonly isError?: boolean;
      readonly images?: number;
    }
  /** `block` is the image or document as the Anthropic API has it, where the file holds it. */
  | { readonly kind: "image"; readonly block?: object }
  /** What no one but the program said, such as the content of an attached file. */
  | { readonly kind: "other"; readonly type: string; readonly text: string };

export interface RecordPlace {
  /** The index of the record. */
  readonly record: number;
  /** Where in the record's value the text, the arguments or the result is; absent in a section of text. */
  readonly path?: Path;
  /** What the file has before the text, and nobody said or printed. */
  readonly lead?: string;
  /** What goes with it: a list element or an object's member. Without it the text becomes empty. */
  readonly drop?: Path;
  /** What else goes with it, such as the seal of a thought. */
  readonly dropsToo?: readonly Path[];
  /** It is left as it is when it changes: the program would not read anything else there. */
  readonly fixed?: boolean;
  /** How changed text is written in a section of text. */
  readonly encode?: (text: string) => string;
}

/** A file that is being written. */
export interface Writing {
  readonly source: SourceText;
  readonly reading: TranscriptReading;
  /** Records that vanish. */
  readonly removed: ReadonlySet<number>;
  /** The hand-off, or none; more than one only where the caller put in messages of its own. */
  readonly told: readonly Told[];
  /** The value of a record as it will be written. */
  readonly valueAfter: (record: number) => unknown;
  /** Gives a new id for each call; the same ones for the same file. */
  readonly newId: () => string;
}

/** A message that the file does not have. */
export interface Told {
  readonly text: string;
  readonly role: "user" | "assistant";
  /** The record that it is before, and the one that it is after: of the messages that stay. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

export interface Changes {
  /** New records: JSON values, or texts for sections. */
  readonly inserts: readonly Insert[];
  readonly sets?: readonly ValueSet[];
}

export interface Insert {
  readonly value: unknown;
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** A value inside a record is exchanged. */
export interface ValueSet {
  readonly record: number;
  readonly path: Path;
  readonly value: unknown;
  /** How far a level is indented, where the value is written over several lines. */
  readonly indent?: number;
}
