/**
 * Rendering: a message in its place. What was said and asked is there whole; of what was printed and of huge arguments what is chosen,
 * old thinking whole or not at all. With all of it the message is the one that came in.
 */
import { type Message, withParts } from "../conversation/message.ts";
import { type Part, type ToolCallPart, type ToolResultPart, textOfPart } from "../conversation/part.ts";
import { withLongValues } from "./arguments.ts";
import type { Call } from "./calls.ts";
import { type Item, isChosen, newPiece, type Piece } from "./items.ts";
import { NUMBERS } from "./numbers.ts";
import { linesOf } from "./open.ts";
import { hasFailed, howItEnded } from "./outcome.ts";
import type { Reading } from "./reading.ts";
import { spokenIn, thinkingEnd } from "./thinking.ts";
import { join, render, type Stretch } from "./write.ts";

/** The id under which a text can be opened, where there is an archive. */
export type IdOf = ((text: string) => string) | undefined;

export interface Place {
  readonly reading: Reading;
  readonly items: readonly Item[];
  /** What can be less than the original. */
  readonly texts: readonly Text[];
  /** The message when the first `chosen` of the ranking are chosen. */
  readonly write: (chosen: number) => Message;
}
/** A text of a message in its place that can be less than the original. */
interface Text {
  readonly of: Part;
  readonly item: Item | undefined;
  readonly pieces: readonly Piece[];
  /** What the original costs beside the pieces, when it is more than what stands between them. */
  readonly rest: Piece | undefined;
  /** The lines of the long values of a call, found once. */
  readonly values: Map<string, readonly (Stretch & { readonly says: string })[]>;
}

export function placeOf(
  reading: Reading,
  items: readonly Item[],
  itemOf: ReadonlyMap<Call, Item>,
  currentTurn: number,
  idOf: IdOf,
): Place {
  const { source, calls, answers } = reading;
  let made = 0;
  const texts = source.parts.flatMap((part): Text[] => {
    if (part.type === "tool-call") {
      const item = itemOf.get(calls[made++]!);
      const canShrink = !part.server && !item?.call?.broken && part.arguments.length > NUMBERS.huge;
      return item && canShrink ? [textIn(part, item, "<")] : [];
    }
    if (part.type === "tool-result") {
      const answer = answers.find((each) => each.part === part);
      const item = answer && itemOf.get(answer.call);
      return item && !part.server && !part.shaped ? [textIn(part, item, "|")] : [];
    }
    const isOld = source.role === "assistant" && source.position < currentTurn;
    return isOld && spokenIn(part)[0] !== part ? [thinkingIn(part, items[0])] : [];
  });
  const ranks = new Map<Text, Piece[]>(
    texts.map((text) => [text, [...text.pieces, ...(text.rest ? [text.rest] : [])]]),
  );
  const all = [...ranks.values()].flat();
  const known = new Map<number, Message>();
  return {
    reading,
    items,
    texts,
    write: (chosen) => {
      const count = all.reduce((sum, piece) => (isChosen(piece, chosen) ? sum + 1 : sum), 0);
      let message = known.get(count);
      if (message === undefined) {
        message = count === all.length ? source : shortened(source, texts, chosen, idOf);
        known.set(count, message);
      }
      return message;
    },
  };
}

function textIn(part: ToolCallPart | ToolResultPart, item: Item, mark: "<" | "|"): Text {
  const original = part.type === "tool-call" ? part.arguments : part.text;
  const section = item.sections.findIndex((one) => one.mark === mark);
  const pieces = section < 0 ? [] : item.pieces.filter((one) => one.section === section);
  const missing = original.length - pieces.reduce((sum, { from, to }) => sum + to - from + 2, 0);
  const isShort = original.length <= NUMBERS.answer;
  const rest = isShort || missing <= NUMBERS.answer ? undefined : restOf(item, missing / NUMBERS.characters);
  return { of: part, item, pieces, rest, values: new Map() };
}

function thinkingIn(part: Part, item: Item | undefined): Text {
  const [length, sealed = 0] =
    part.type === "reasoning" ? [part.text.length, part.sealed] : [thinkingEnd(textOfPart(part))];
  const tokens = Math.max(length, sealed) / NUMBERS.characters;
  return { of: part, item, pieces: [], rest: item && restOf(item, tokens), values: new Map() };
}

/** What comes with an original beside its pieces; last of all. */
function restOf(item: Item, tokens: number): Piece {
  return { ...newPiece(item, -1), tokens, worth: 0 };
}

function shortened(source: Message, texts: readonly Text[], chosen: number, idOf: IdOf): Message {
  const parts = source.parts.flatMap((part): Part[] => {
    const text = texts.find(({ of }) => of === part);
    if (!text || isAll(text, chosen)) return [part];
    if (part.type === "tool-call") return [shortenCall(part, text, chosen, idOf)];
    return part.type === "tool-result" ? [shortenResult(part, text, chosen, idOf)] : [...spokenIn(part)];
  });
  const isSame = parts.length === source.parts.length && parts.every((part, i) => part === source.parts[i]);
  // A message that was all thinking stays: nothing would be left to send.
  return isSame || parts.length === 0 ? source : withParts(source, parts);
}

function isAll({ pieces, rest }: Text, chosen: number): boolean {
  return pieces.every((piece) => isChosen(piece, chosen)) && (rest === undefined || isChosen(rest, chosen));
}

/** What is shown of a result, with the id of the whole; a text that would not be shorter stays. */
function shortenResult(part: ToolResultPart, { item }: Text, chosen: number, idOf: IdOf): ToolResultPart {
  const section = item!.sections.findIndex((one) => one.mark === "|");
  const shown = section < 0 ? "" : withVerdict(render(item!, section, chosen), item!.call);
  // Of what nothing is shown, at least how it ended.
  const body = shown === "" ? `…${item!.call ? howItEnded(item!.call.outcome) : ""}` : shown;
  const of = `${countLines(shown)} of ${countLines(part.text)} lines shown`;
  const text = `${body}\n[pith shaped: digest, ${of}; ${restOfText(part.text, idOf)}]`;
  return text.length < part.text.length ? { ...part, text } : part;
}

/** What is shown of a failure, with the line that says it: who reads it again knows how it ended. */
function withVerdict(shown: string, call: Call | undefined): string {
  if (shown === "" || !call || !hasFailed(call.outcome)) return shown;
  const { output = "", outcome } = call;
  const isVerdict = (line: string) => line.trim() !== "" && outcome.evidence.startsWith(line.trim());
  const lines = output.trim().split("\n");
  const [first = ""] = lines;
  const line = [first, ...lines.slice(-12)].find(isVerdict)?.trim();
  if (line === undefined || shown.includes(line)) return shown;
  return isVerdict(first) ? `${line}\n${shown}` : `${shown}\n${line}`;
}

/** The whole is what is there now: a note under it may be a tool's own. */
function restOfText(text: string, idOf: IdOf): string {
  return idOf ? `rest: ${idOf(text)}` : "rest not kept: run the tool again";
}

function countLines(text: string): number {
  return text === "" ? 0 : text.split("\n").length;
}

/** A line of an argument as it is, however its call is told. */
function plain(line: string): string {
  return line.replace(/^[+-] |^[\w.-]+: /, "").trim();
}

/** Its long values less of what they are; arguments that would not be shorter stay. */
function shortenCall(part: ToolCallPart, text: Text, chosen: number, idOf: IdOf): ToolCallPart {
  const shorter = shortenArguments(part.arguments, text, chosen, idOf);
  return shorter.length < part.arguments.length ? { ...part, arguments: shorter } : part;
}

/** The same arguments; of a long text in them the lines that are shown. */
function shortenArguments(args: string, { pieces, values }: Text, chosen: number, idOf: IdOf): string {
  const shown = new Set(
    pieces
      .filter((piece) => isChosen(piece, chosen))
      .map(({ item, section, from, to }) => plain(item.sections[section]!.text.slice(from, to))),
  );
  const digest = (text: string): string => {
    const all =
      values.get(text) ??
      linesOf(text).map((line) => ({ ...line, says: plain(text.slice(line.from, line.to)) }));
    values.set(text, all);
    const lines = all.filter(({ says }) => shown.has(says));
    const body = join(text, lines);
    const of = `${lines.length} of ${countLines(text)} lines shown`;
    return `[pith: ${of}; ${restOfText(text, idOf)}]${body === "" ? "" : `\n${body}`}`;
  };
  return withLongValues(args, NUMBERS.huge, digest);
}
