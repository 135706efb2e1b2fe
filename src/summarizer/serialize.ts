/** serializeTurns: the messages as text for a summarizer to read: labelled, fenced, bounded and without secrets (F47). */
import type { Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { findHandoff } from "../handoff/prefixes.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";
import { clip } from "./clip.ts";
import { fenceFor } from "./fence.ts";
import { type Piece, sampleTurns } from "./sample-turns.ts";
import { stripThinking } from "./strip-thinking.ts";

export interface SerializeOptions {
  /** What the summarizer may be given to read; more is sampled. @default no limit but `MOST_CHARS` */
  readonly maxTokens?: number;
  /** @default a third of the characters, a whole token for each that is not ASCII */
  readonly tokensOf?: (text: string) => number;
}

export interface SerializedTurns {
  /** Each turn as `[USER]: …` in its fence, a blank line between. */
  readonly text: string;
  /** The fence's tags, to be named in the prompt. */
  readonly open: string;
  readonly close: string;
  /** The newest earlier hand-off among the messages: it is told apart from the turns, and updated. */
  readonly previousSummary?: string;
  /** A person spoke in these turns (R15). */
  readonly hasUser: boolean;
  /** Turns that sampling left out. */
  readonly leftOut: number;
  /** Secrets that were masked. */
  readonly redacted: number;
}

/** Where no window is known. */
const MOST_CHARS = 160_000;
const MESSAGE_CLIP = { most: 6_000, head: 4_000, tail: 1_500 };
const ARGUMENTS_CLIP = { most: 1_500, head: 1_200, tail: 0 };
/** Where the heading of such a document would stand. */
const SESSION_LOG = /^(?:#+ *SESSION_LOG\b|## Token Usage @ )/m;
const LOOKED_AT_CHARS = 400;

/** System prompts, tool schemas and SESSION_LOG stay out (F24); so does reasoning. */
export function serializeTurns(
  messages: readonly Message[],
  { maxTokens, tokensOf = roughTokens }: SerializeOptions = {},
): SerializedTurns {
  let previousSummary: string | undefined;
  let redacted = 0;
  const pieces: Piece[] = [];
  const add = (label: string, text: string): void => {
    const clean = redactSecrets(text);
    redacted += clean.found.length;
    if (clean.text.trim() !== "") pieces.push({ label, text: clip(clean.text.toWellFormed(), MESSAGE_CLIP) });
  };
  for (const message of messages) {
    if (message.role === "system") continue;
    const results = message.parts.filter((part) => part.type === "tool-result");
    for (const part of results) if (!isSessionLog(part.text)) add("TOOL", textOf(part));
    const said = message.parts.filter((part) => part.type !== "tool-result" && !isLog(part));
    const text = said.map(textOf).filter(Boolean).join("\n");
    const handoff = message.role === "tool" ? undefined : findHandoff(text);
    if (handoff) previousSummary = redactSecrets(handoff.body).text.toWellFormed();
    add(message.role.toUpperCase(), handoff ? handoff.rest : text);
  }
  const cost = maxTokens === undefined ? (text: string) => text.length : tokensOf;
  const sampled = sampleTurns(pieces, maxTokens ?? MOST_CHARS, cost);
  const fence = fenceFor([...sampled.turns.map(({ text }) => text), previousSummary ?? ""]);
  const lines = sampled.turns.map(({ label, text, leftOutBefore }) => {
    const turn = `${fence.open}\n[${label}]: ${text}\n${fence.close}`;
    return leftOutBefore > 0 ? `[… ${leftOutBefore} turns left out here …]\n\n${turn}` : turn;
  });
  if (sampled.leftOutAfter > 0) lines.push(`[… ${sampled.leftOutAfter} turns left out here …]`);
  return {
    text: lines.join("\n\n"),
    ...fence,
    ...(previousSummary === undefined ? {} : { previousSummary }),
    hasUser: pieces.some(({ label }) => label === "USER"),
    leftOut: pieces.length - sampled.turns.length,
    redacted,
  };
}

function isLog(part: Part): boolean {
  return part.type === "text" && isSessionLog(part.text);
}

function isSessionLog(text: string): boolean {
  return SESSION_LOG.test(text.slice(0, LOOKED_AT_CHARS));
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
