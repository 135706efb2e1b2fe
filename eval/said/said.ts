/**
 * What was said: how much of people's and the agent's words a result still holds word for word, in characters. What tools
 * printed and were given does not count, and neither does what programs put under the user's name.
 */
import type { WireMessage } from "../measure/wire-message.ts";

export interface Share {
  readonly held: number;
  readonly all: number;
}

export interface Said {
  readonly user: Share;
  readonly agent: Share;
  /** The last long answer of the agent, 1 where it is whole; nothing where there is none. */
  readonly last: Share;
}

const shortestLine = 12;
const longestTyped = 4000;
const longAnswer = 200;
/** Rounding, and a line that a marker took the end of. */
const wholeFrom = 0.98;

export function saidOf(past: readonly WireMessage[], result: readonly WireMessage[]): Said {
  const kept = flat(result.map(wordsOf).join("\n"));
  const lastLong = past.findLastIndex(
    (message) => message.role === "assistant" && wordsOf(message).length > longAnswer,
  );
  const of = (role: string): readonly Share[] =>
    past.flatMap((message) => (message.role === role ? [heldOf(ownWords(message), kept)] : []));
  const last = lastLong < 0 ? none : heldOf(ownWords(past[lastLong]!), kept);
  const isWhole = last.held >= last.all * wholeFrom;
  return {
    user: sumOf(of("user")),
    agent: sumOf(of("assistant")),
    last: lastLong < 0 ? none : { held: isWhole ? 1 : 0, all: 1 },
  };
}

const none: Share = { held: 0, all: 0 };

export function sumOf(shares: readonly Share[]): Share {
  return shares.reduce((sum, { held, all }) => ({ held: sum.held + held, all: sum.all + all }), none);
}

/** A line counts whole, or by those of its sentences that are there. */
function heldOf(text: string, kept: string): Share {
  const lines = text
    .split("\n")
    .map(flat)
    .filter((line) => line.length >= shortestLine);
  return sumOf(lines.map((line) => ({ held: heldChars(line, kept), all: line.length })));
}

function heldChars(line: string, kept: string): number {
  if (kept.includes(line)) return line.length;
  const sentences = line.split(/(?<=[.!?])\s+/).filter((sentence) => sentence.length >= shortestLine);
  return sentences.reduce((sum, sentence) => sum + (kept.includes(sentence) ? sentence.length : 0), 0);
}

/** What the author of a message wrote, or nothing where a program did. */
function ownWords(message: WireMessage): string {
  if (message.role !== "user") return wordsOf(message);
  const typed = wordsOf(message).replace(programTags, "");
  return typed.length > longestTyped || programOpening.test(typed.trim()) ? "" : typed;
}

const programTags = /<(system-reminder|local-command-[a-z]+|command-[a-z]+|[a-z]+_[a-z]+)>[\s\S]*?<\/\1>/g;
const programOpening =
  /^(?:This session is being continued|Base directory for this skill|Caveat: |<|\[Request interrupted|# \w+ Command)/;

function wordsOf({ content }: WireMessage): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? "").join("\n") : "";
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
