/** Fates: what a compacted conversation means for the pieces of the file, and what is told that the file does not have. */
import type { Conversation } from "../conversation/conversation.ts";
import { findHandoff } from "../conversation/handoffs/prefixes.ts";
import type { Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { rewriteOf } from "../conversation/rewrite.ts";
import { isObject } from "../json/wire-value.ts";
import { places as anthropicPlaces } from "../providers/anthropic-messages/read.ts";
import { places as openAIPlaces } from "../providers/openai-chat/read.ts";
import { alignParts } from "../providers/places.ts";
import type { Said, TranscriptPiece } from "./transcript.ts";
import { pieceOfBlock } from "./wire-body.ts";

/** What becomes of a piece; a piece without a fate stays as it is. */
export type Fate = { readonly kind: "dropped" } | { readonly kind: "changed"; readonly part: Part };

export interface Fates {
  readonly pieces: ReadonlyMap<TranscriptPiece, Fate>;
  /** Messages of which nothing was taken away or changed, and the others that stay, in order; new texts among them. */
  readonly order: readonly (Said | NewText)[];
}

export interface NewText {
  readonly text: string;
  readonly role: "user" | "assistant";
}

/** `said` by position, as in `wireBody`. With `keepsMerged` a merged hand-off stays in its message. */
export function fatesOf(said: readonly Said[], after: Conversation, keepsMerged: boolean): Fates {
  const pieces = new Map<TranscriptPiece, Fate>();
  for (const { pieces: each } of said) for (const piece of each) pieces.set(piece, { kind: "dropped" });
  const order: (Said | NewText)[] = [];
  for (const [at, { from, written }] of rewriteOf(after.messages).entries()) {
    const origin = said[from];
    if (origin === undefined) {
      const { parts, role } = after.messages[at]!;
      order.push({ text: textOf(parts), role: role === "assistant" ? "assistant" : "user" });
      continue;
    }
    if (!written) {
      for (const piece of origin.pieces) pieces.delete(piece);
      order.push(origin);
      continue;
    }
    const merged = changedMessage(written, origin, after.format, pieces);
    const host = keepsMerged ? origin.pieces.find(({ kind }) => kind === "text") : undefined;
    for (const { text } of host ? merged : []) putBefore(host!, text, pieces);
    const apart = host ? [] : merged;
    // Nothing may be between a call and its results: what is told with results is told after them.
    const answers = origin.pieces.some(({ kind }) => kind === "result");
    order.push(...(answers ? [origin, ...apart] : [...apart, origin]));
  }
  return { pieces, order };
}

/** Writes down the fates of a changed message's pieces; gives the hand-off that was merged into it. */
function changedMessage(
  message: Message,
  origin: Said,
  format: string,
  pieces: Map<TranscriptPiece, Fate>,
): readonly NewText[] {
  const { raw, parts } = message;
  const own = parts.filter((part) => !isMergedHandoff(part, format));
  const merged = parts.filter((part) => isMergedHandoff(part, format));
  const key = Array.isArray(raw?.value) ? "" : "content";
  const notes: Part[] = [];
  for (const { part, same, piece: block } of alignParts(own, {
    places: placesOf(format),
    raw,
    key,
    replaces,
  })) {
    const piece = pieceOfBlock(block);
    if (piece === undefined) notes.push(part);
    else if (same) pieces.delete(piece);
    else pieces.set(piece, { kind: "changed", part });
  }
  for (const note of notes) noteIn(origin, note, pieces);
  return merged.length === 0 ? [] : [{ text: textOf(merged), role: "user" }];
}

/** A remark that has no piece of its own takes the place of one that goes, or joins a text that stays. */
function noteIn({ pieces: all }: Said, note: Part, pieces: Map<TranscriptPiece, Fate>): void {
  const free = all.find(
    (piece) => (piece.kind === "text" || piece.kind === "other") && pieces.get(piece)?.kind === "dropped",
  );
  if (free !== undefined) {
    pieces.set(free, { kind: "changed", part: note });
    return;
  }
  const host = all.find((piece) => piece.kind === "text");
  if (host !== undefined) setText(host, joined(textNow(host, pieces), textOf([note])), pieces);
}

function putBefore(host: TranscriptPiece, text: string, pieces: Map<TranscriptPiece, Fate>): void {
  setText(host, joined(text, textNow(host, pieces)), pieces);
}

function setText(piece: TranscriptPiece, text: string, pieces: Map<TranscriptPiece, Fate>): void {
  pieces.set(piece, { kind: "changed", part: { type: "text", text } });
}

function textNow(piece: TranscriptPiece, pieces: ReadonlyMap<TranscriptPiece, Fate>): string {
  const fate = pieces.get(piece);
  if (fate?.kind === "dropped" || piece.kind !== "text") return "";
  return fate === undefined ? piece.text : textOf([fate.part]);
}

function joined(...texts: readonly string[]): string {
  return texts.filter(Boolean).join("\n\n");
}

function isMergedHandoff(part: Part, format: string): boolean {
  return part.type === "text" && !placesOf(format).has(part) && findHandoff(part.text)?.rest === "";
}

/** A text-only body may have been read as openai-chat: its content lists are the same. */
function placesOf(format: string) {
  return format === "openai-chat" ? openAIPlaces : anthropicPlaces;
}

function replaces(part: Part, block: unknown): boolean {
  if (!isObject(block)) return false;
  switch (part.type) {
    case "text":
      return block.type === "text";
    case "reasoning":
      return block.type === "thinking";
    case "tool-call":
      return block.type === "tool_use" && block.id === part.pairId;
    case "tool-result":
      return block.type === "tool_result" && block.tool_use_id === part.pairId;
    case "opaque":
      return block.type === part.kind;
    default:
      return false;
  }
}

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => ("text" in part ? part.text : "")).join("\n\n");
}
