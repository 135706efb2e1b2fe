/** Gathers the lines of a span: numbered through all messages, with what each costs and is worth by itself. */
import type { RankedMessage, Speaker, Specifics } from "./gather-specifics.ts";
import { lineChars, specificsBefore } from "./line-index.ts";

/** What a line is worth whatever specifics it holds, as a chance to be needed; a failure more, and more the newer it is. */
const LINE_VALUE: Readonly<Record<Speaker, number>> = { user: 0.009, assistant: 0.0045, tool: 0.0015 };
const FAILURE_VALUE = 0.02;

/** A line of less says too little by itself to come before others for being short. */
const LEAST_TOKENS = 8;

/** What cannot be told as a line. */
const NEVER = Number.POSITIVE_INFINITY;

export interface Lines {
  readonly firstLine: Int32Array;
  readonly messageOf: Int32Array;
  readonly costs: Float32Array;
  readonly base: Float32Array;
  /** Where each line's specifics start in `Specifics.ids`. */
  readonly first: Int32Array;
}

export function gatherLines(messages: readonly RankedMessage[], { offsets }: Specifics): Lines {
  const firstLine = new Int32Array(messages.length + 1);
  messages.forEach(({ index }, at) => {
    firstLine[at + 1] = firstLine[at]! + index.lines;
  });
  const count = firstLine[messages.length]!;
  const lines = {
    firstLine,
    messageOf: new Int32Array(count),
    costs: new Float32Array(count),
    base: new Float32Array(count),
    first: new Int32Array(count + 1),
  };
  for (let at = 0; at < messages.length; at++) {
    lines.messageOf.fill(at, firstLine[at]!, firstLine[at + 1]!);
    addLines(lines, messages[at]!, {
      from: firstLine[at]!,
      offset: offsets[at]!,
      recency: 0.35 + at / messages.length,
    });
  }
  lines.first[count] = offsets[messages.length]!;
  return lines;
}

interface Standing {
  /** The number of the message's first line. */
  readonly from: number;
  /** Where the message's specifics start. */
  readonly offset: number;
  readonly recency: number;
}

/** A function of its own: it runs for every message, and is compiled for the first few. */
function addLines(
  { costs, base, first }: Lines,
  { index, speaker, tokensPerChar }: RankedMessage,
  { from, offset, recency }: Standing,
): void {
  base.fill(LINE_VALUE[speaker] * recency, from, from + index.lines);
  for (let own = 0; own < index.lines; own++) {
    const tokens = Math.max(LEAST_TOKENS, 2 + lineChars(index, own) * tokensPerChar);
    costs[from + own] = own < index.namesFrom ? tokens : NEVER;
    first[from + own] = offset + specificsBefore(index, own);
  }
  if (speaker === "tool") for (const own of index.failures) base[from + own]! += FAILURE_VALUE * recency;
}
