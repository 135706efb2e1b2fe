/** Features of a specific: what can be told of it that says whether it will be needed again. Names in the order of the numbers. */
import { isKnownName } from "../salience/known-names.ts";
import { specificEnd } from "../salience/specifics.ts";
import {
  BY,
  FIRST,
  FIRST_BY,
  LAST,
  LAST_AT,
  LAST_LINE,
  LINES,
  MENTIONS,
  NUMBERS,
  type RankedMessage,
  SHORTEST_LINE,
  type Specifics,
  TOOL,
  WORDS,
} from "./gather-specifics.ts";
import { placeOf } from "./line-index.ts";

export const FEATURES = [
  // How it is written.
  "chars",
  "slashes",
  "dots",
  "underscores",
  "colons",
  "hyphens",
  "digits",
  "capitals",
  "starts with a capital",
  "humps",
  "hexadecimal",
  "called",
  "quoted",
  "key",
  "known",
  "chars before a dot",
  "member starts with a capital",
  "escaped",
  // How it was used. Ages are shares of the span, 1 for never.
  "messages",
  "lines",
  "messages by words",
  "messages by calls",
  "messages by users",
  "messages by tools",
  "age",
  "age in words",
  "age in calls",
  "age in user messages",
  "age in results",
  "age of the first mention",
  "first said by",
  "shortest line",
  "place in its message",
] as const;

/** Where a specific last stands, in which message. */
export interface Place {
  readonly message: number;
  readonly line: number;
  /** In the message's text, as is the line. */
  readonly start: number;
  readonly end: number;
}

export function lastPlace(
  { known, offsets }: Specifics,
  messages: readonly RankedMessage[],
  id: number,
): Place {
  const base = id * NUMBERS;
  const message = known[base + LAST]!;
  const { index } = messages[message]!;
  const start = placeOf(index, known[base + LAST_AT]! - offsets[message]!);
  return { message, line: known[base + LAST_LINE]!, start, end: specificEnd(index.text, start) };
}

/** Writes the features of a specific into `row`. */
export function writeFeatures(
  row: Float32Array,
  { known, offsets }: Specifics,
  messages: readonly RankedMessage[],
  id: number,
): void {
  const base = id * NUMBERS;
  const message = known[base + LAST]!;
  const { index } = messages[message]!;
  const start = placeOf(index, known[base + LAST_AT]! - offsets[message]!);
  writeShape(row, index.text, start, specificEnd(index.text, start));
  let at = SHAPES;
  row[at++] = known[base + MENTIONS]!;
  row[at++] = known[base + LINES]!;
  for (let by = WORDS; by <= TOOL; by++) row[at++] = known[base + BY + 2 * by]!;
  row[at++] = ageOf(message, messages.length);
  for (let by = WORDS; by <= TOOL; by++) row[at++] = ageOf(known[base + BY + 2 * by + 1]!, messages.length);
  row[at++] = ageOf(known[base + FIRST]!, messages.length);
  row[at++] = known[base + FIRST_BY]!;
  row[at++] = Math.min(2000, known[base + SHORTEST_LINE]!);
  row[at++] = known[base + LAST_LINE]! / index.lines;
}

const SHAPES = 18;

/** How long ago a message was, as a share of them all. */
function ageOf(message: number, messages: number): number {
  return message < 0 ? 1 : 1 - (message + 1) / messages;
}

function writeShape(row: Float32Array, text: string, start: number, end: number): void {
  row.fill(0, 0, SHAPES);
  let humps = 0;
  let hexadecimal = 1;
  let capitals = 0;
  let lower = false;
  let beforeDot = 0;
  let memberCapital = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const isLower = code >= 97 && code <= 122;
    const isUpper = code >= 65 && code <= 90;
    const isDigit = code >= 48 && code <= 57;
    if (isUpper) capitals++;
    if (isUpper && lower) humps++;
    lower = isLower;
    if (isDigit) row[6]!++;
    else if (code === 47) row[1]!++;
    else if (code === 46) {
      if (row[2] === 0) beforeDot = at - start;
      row[2]!++;
      const next = text.charCodeAt(at + 1);
      memberCapital = next >= 65 && next <= 90 ? 1 : 0;
    } else if (code === 95) row[3]!++;
    else if (code === 58) row[4]!++;
    else if (code === 45) row[5]!++;
    if (!isDigit && code !== 45 && !(isLower && code <= 102)) hexadecimal = 0;
  }
  const first = text.charCodeAt(start);
  row[0] = end - start;
  row[7] = capitals;
  row[8] = first >= 65 && first <= 90 ? 1 : 0;
  row[9] = humps;
  row[10] = end - start >= 7 ? hexadecimal : 0;
  row[11] = text.charCodeAt(end) === 40 ? 1 : 0;
  const before = start > 0 ? text.charCodeAt(start - 1) : 0;
  row[12] = before === 34 || before === 39 || before === 96 ? 1 : 0;
  const after = text.charCodeAt(end) === 34 ? end + 1 : end;
  row[13] = text.charCodeAt(after) === 58 ? 1 : 0;
  row[14] = isKnownName(text, start, end) ? 1 : 0;
  row[15] = beforeDot;
  row[16] = memberCapital;
  row[17] = before === 92 ? 1 : 0;
}
