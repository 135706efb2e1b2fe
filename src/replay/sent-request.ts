/** SentRequest: a request as a provider's cache sees it: its pieces in order, each with its size and its very bytes. */
import type { Message } from "../conversation/message.ts";
import { readConversation } from "../providers/detect.ts";
import type { Setting } from "./strategy.ts";

export interface CountedRequest {
  readonly tokens: number;
  /** The tools, sent first, and then the messages. */
  readonly pieces: readonly SentPiece[];
  readonly messages: readonly Message[];
}

export interface SentPiece {
  readonly bytes: string;
  readonly tokens: number;
}

export function readSent(body: unknown, { format, counter }: Setting): CountedRequest {
  const { messages, tools } = readConversation(body, { format, isPart: true });
  const pieces = messages.map((message) => ({
    bytes: bytesOf(message.raw?.value),
    tokens: counter.message(message),
  }));
  const first = { bytes: JSON.stringify(tools), tokens: counter.tools(tools) };
  const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, first.tokens);
  return { tokens, pieces: [first, ...pieces], messages };
}

/** How many pieces are unchanged at the front of both. */
export function commonPieces(before: CountedRequest, after: CountedRequest): number {
  let count = 0;
  while (count < before.pieces.length && before.pieces[count]!.bytes === after.pieces[count]?.bytes) count++;
  return count;
}

export function tokensOfFirst({ pieces }: CountedRequest, count: number): number {
  let tokens = 0;
  for (let index = 0; index < count; index++) tokens += pieces[index]!.tokens;
  return tokens;
}

const known = new WeakMap<object, string>();

/** Messages that nobody touched are the same objects in every request, and are written out once. */
export function bytesOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const bytes = known.get(value) ?? JSON.stringify(value);
  known.set(value, bytes);
  return bytes;
}
