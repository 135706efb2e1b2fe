/** serializeTurns: the messages as text for a summarizer to read: labelled, fenced, bounded and without secrets (F47). */

import { findHandoff } from "../conversation/handoffs/prefixes.ts";
import { agentOf, type Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { SESSION_LOG } from "../conversation/protected.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";
import { type Clip, clip } from "./clip.ts";
import { fenceFor } from "./fence.ts";
import { allFit, type LabelledText, sampleTurns } from "./sample-turns.ts";
import { stripThinking } from "./strip-thinking.ts";

export interface SerializeOptions {
  /** What the summarizer may be given to read; more is sampled. @default no limit but `MOST_CHARS` */
  readonly maxTokens?: number;
  /** @default a third of the characters, a whole token for each that is not ASCII */
  readonly tokensOf?: (text: string) => number;
  /** What the last compaction's summary said. @default the newest earlier hand-off among the messages */
  readonly previousSummary?: string;
  /** Nothing is clipped or left out as long as it fits, and without `maxTokens` everything does. @default false */
  readonly isWhole?: boolean;
}

export interface SerializedTurns {
  /** Each turn as `[USER]: …` in its fence, a blank line between. */
  readonly text: string;
  /** The fence's tags, to be named in the prompt. */
  readonly open: string;
  readonly close: string;
  /** The earlier summary, without secrets: it is told apart from the turns, and updated. Empty when there is none. */
  readonly previousSummary: string;
  /** A person spoke in these turns, or earlier (R15). */
  readonly hasUser: boolean;
  /** Turns that sampling left out. */
  readonly leftOut: number;
  /** Secrets that were masked. */
  readonly redacted: number;
}

/** Where no window is known. */
const MOST_CHARS = 160_000;
/** Room for a glance at the newest turn, whatever else is to be read. */
const LEAST_BUDGET = 200;
const MESSAGE_CLIP = { most: 6_000, head: 4_000, tail: 1_500 };
const ARGUMENTS_CLIP = { most: 1_500, head: 1_200, tail: 0 };
/** Where the heading of such a document would be. */
const LOOKED_AT_CHARS = 400;

/** An earlier summary knows of a person who no longer speaks in the turns. */
export function speaksOfUser(summary: string): boolean {
  return /\b(?:user|asked|ask)\b/i.test(summary);
}

/** System prompts, tool schemas and SESSION_LOG stay out (F24); so does reasoning. */
export function serializeTurns(
  messages: readonly Message[],
  { maxTokens, tokensOf = roughTokens, previousSummary, isWhole = false }: SerializeOptions = {},
): SerializedTurns {
  const { pieces: whole, handoff, redacted } = piecesOf(messages);
  const cost = maxTokens === undefined ? (text: string) => text.length : tokensOf;
  const budget = maxTokens ?? (isWhole ? Number.POSITIVE_INFINITY : MOST_CHARS);
  const earlier = redactSecrets(previousSummary ?? handoff).text.trim();
  const previous = isWhole && cost(earlier) <= budget / 4 ? earlier : clip(earlier, summaryClip(budget));
  const room = Math.max(LEAST_BUDGET, budget - cost(previous));
  const clipped = () => whole.map(({ label, text }) => ({ label, text: clip(text, MESSAGE_CLIP) }));
  const pieces = isWhole && allFit(whole, room, cost) ? whole : clipped();
  const sampled = sampleTurns(pieces, room, cost);
  const fence = fenceFor([...sampled.turns.map(({ text }) => text), previous]);
  const lines = sampled.turns.map(({ label, text, leftOutBefore }) => {
    const turn = `${fence.open}\n[${label}]: ${text}\n${fence.close}`;
    return leftOutBefore > 0 ? `[… ${leftOutBefore} turns left out here …]\n\n${turn}` : turn;
  });
  if (sampled.leftOutAfter > 0) lines.push(`[… ${sampled.leftOutAfter} turns left out here …]`);
  return {
    text: lines.join("\n\n"),
    ...fence,
    previousSummary: previous.toWellFormed(),
    hasUser: pieces.some(({ label }) => label === "USER") || speaksOfUser(previous),
    leftOut: pieces.length - sampled.turns.length,
    redacted,
  };
}

/** What the messages say, piece by piece, and the newest hand-off among them. */
function piecesOf(messages: readonly Message[]): {
  readonly pieces: readonly LabelledText[];
  readonly handoff: string;
  readonly redacted: number;
} {
  const pieces: LabelledText[] = [];
  let handoff = "";
  let redacted = 0;
  const add = (label: string, text: string): void => {
    const clean = redactSecrets(text);
    redacted += clean.found.length;
    if (clean.text.trim() !== "") pieces.push({ label, text: clean.text.toWellFormed() });
  };
  for (const message of messages) {
    const { role, parts } = message;
    if (role === "system") continue;
    const read = parts.filter((part) => !isSessionLog(part));
    for (const part of read) if (part.type === "tool-result") add("TOOL", textOf(part));
    const said = read.filter((part) => part.type !== "tool-result");
    const text = said.map(textOf).filter(Boolean).join("\n");
    const found = role === "tool" ? undefined : findHandoff(text);
    if (found) handoff = found.body;
    add((agentOf(message) ?? role).toUpperCase(), found ? found.rest : text);
  }
  return { pieces, handoff, redacted };
}

/** A summary has a ceiling; one that was made without it leaves room for the turns. */
function summaryClip(budget: number): Clip {
  const most = Math.min(16_000, Math.max(1_000, Math.floor(budget)));
  return { most, head: Math.floor(most * 0.6), tail: Math.floor(most * 0.3) };
}

function isSessionLog(part: Part): boolean {
  if (part.type !== "text" && part.type !== "tool-result") return false;
  return SESSION_LOG.test(part.text.slice(0, LOOKED_AT_CHARS));
}

function textOf(part: Part): string {
  switch (part.type) {
    case "text":
      return stripThinking(part.text);
    case "reasoning":
      return "";
    case "tool-call":
      return `Called ${part.name} with ${clip(redactSecrets(part.arguments).text, ARGUMENTS_CLIP)}`;
    case "tool-result":
      return [part.isError ? `FAILED: ${part.text}` : part.text, ...part.attachments.map(textOf)]
        .filter(Boolean)
        .join("\n");
    case "media":
      return `[${part.kind}]`;
    case "opaque":
      return part.text === "" ? `[${part.kind}]` : `[${part.kind}] ${part.text}`;
  }
}

/** Rather too many than too few: a summarizer's tokenizer is rarely known. */
export function roughTokens(text: string): number {
  let others = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) others++;
  return Math.ceil((text.length - others) / 3) + others;
}
