/**
 * Message view: messages of an SDK that are in no wire format, shown to the engine as openai-chat. What comes back
 * changed is the SDK's own message with only those pieces exchanged that changed.
 */
import type { Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { BRIDGE } from "../plan/bridges.ts";
import type { Placed, View } from "./sessions.ts";

/** A piece of a message's content. */
export interface Piece {
  readonly kind: "text" | "reasoning" | "call" | "result" | "media" | "other";
  /** What it says; of a call the arguments as JSON. */
  readonly text: string;
  /** Of a call and its result. */
  readonly id?: string;
  /** Of a call. */
  readonly name?: string;
  readonly isError?: boolean;
  /** The SDK's own piece. */
  readonly value: unknown;
  /** The same with another text. */
  readonly edited?: (text: string) => unknown;
}

/** How to read and write one SDK's messages. */
export interface MessageKind<Native> {
  readonly roleOf: (message: Native) => "system" | "user" | "assistant" | "tool";
  readonly piecesOf: (message: Native) => readonly Piece[];
  /** The same message with these pieces. */
  readonly withPieces: (message: Native, values: readonly unknown[]) => Native;
  /** A new message. */
  readonly create: (role: "system" | "user" | "assistant", text: string) => Native;
  /** A new piece of text. */
  readonly text: (text: string) => unknown;
  readonly identity?: (message: Native) => unknown;
}

export function messageView<Native extends object>(kind: MessageKind<Native>): View<Native> {
  const known = new WeakMap<Native, readonly object[]>();
  /** A message with several results is several messages in the wire format. */
  const wiresOf = (message: Native): readonly object[] => {
    const wires = known.get(message) ?? toWire(kind.roleOf(message), kind.piecesOf(message));
    known.set(message, wires);
    return wires;
  };
  return {
    format: "openai-chat",
    isSystem: (message) => kind.roleOf(message) === "system",
    ...(kind.identity && { identity: kind.identity }),
    body: (messages) => messages.flatMap(wiresOf),
    messages: ({ conversation }, given) => {
      const origins = given.flatMap((message, index) => wiresOf(message).map(() => index));
      const placed: Placed<Native>[] = [];
      for (const group of grouped(conversation.messages, origins)) {
        const [first] = group.messages;
        const origin = given[group.from];
        if (origin === undefined)
          placed.push({ message: kind.create(roleOf(first!), textOf(first!.parts)), from: -1 });
        else if (group.messages.length === wiresOf(origin).length && !group.messages.some(isChanged))
          placed.push({ message: origin, from: group.from });
        else placed.push(...rebuilt(kind, origin, group));
      }
      return takingTurns(placed, kind);
    },
  };
}

/**
 * Which provider the SDK speaks to is not known here, and some want speakers to take turns, results being the user's: where
 * what stood between two of one is left out, a note stands.
 */
function takingTurns<Native>(
  placed: readonly Placed<Native>[],
  { roleOf: nativeRole, create }: MessageKind<Native>,
): readonly Placed<Native>[] {
  const speakerOf = ({ message }: Placed<Native>) => nativeRole(message).replace("tool", "user");
  return placed.flatMap((each, at) => {
    const before = placed[at - 1];
    const speaker = speakerOf(each);
    const stoodThere =
      before !== undefined && before.from >= 0 && each.from - before.from <= 1 && each.from >= 0;
    if (!before || stoodThere || speaker === "system" || speakerOf(before) !== speaker) return [each];
    return [{ message: create(speaker === "user" ? "assistant" : "user", BRIDGE), from: -1 }, each];
  });
}

function toWire(role: string, pieces: readonly Piece[]): readonly object[] {
  const results = pieces.filter(({ kind }) => kind === "result");
  const answers = results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
  if (role === "tool")
    return answers.length > 0 ? answers : [{ role: "user", content: textOfPieces(pieces) }];
  const calls = pieces.filter(({ kind }) => kind === "call");
  const thoughts = pieces.filter(({ kind }) => kind === "reasoning");
  const content = pieces.flatMap((piece) => contentOf(piece));
  return [
    {
      role,
      content: content.length === 0 ? "" : content,
      ...(thoughts.length > 0 && {
        reasoning_details: thoughts.map(({ text }) => ({ type: "reasoning.text", text, signature: "kept" })),
      }),
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, name, text }) => ({
          id,
          type: "function",
          function: { name, arguments: text },
        })),
      }),
    },
    // What the provider ran itself is answered in the same message.
    ...answers,
  ];
}

function contentOf({ kind, text }: Piece): readonly object[] {
  if (kind === "text") return text === "" ? [] : [{ type: "text", text }];
  if (kind === "media") return [{ type: "image_url", image_url: { url: "data:," } }];
  return kind === "other" ? [{ type: "other", value: text }] : [];
}

interface Group {
  readonly from: number;
  readonly messages: Message[];
}

/** The messages that came of one message of the SDK, together again. */
function grouped(messages: readonly Message[], origins: readonly number[]): readonly Group[] {
  const groups: Group[] = [];
  for (const message of messages) {
    const from = origins[message.position] ?? -1;
    const last = groups.at(-1);
    if (from >= 0 && last?.from === from) last.messages.push(message);
    else groups.push({ from, messages: [message] });
  }
  return groups;
}

function isChanged({ changed }: Message): boolean {
  return changed === true;
}

function roleOf({ role }: Message): "system" | "user" | "assistant" {
  return role === "system" || role === "assistant" ? role : "user";
}

function rebuilt<Native>(
  kind: MessageKind<Native>,
  origin: Native,
  { from, messages }: Group,
): Placed<Native>[] {
  const parts = messages.flatMap((message) => message.parts);
  const pieces = kind.piecesOf(origin);
  const texts = alignTexts(pieces, parts);
  const rides = parts.some(({ type }) => type === "media" || type === "opaque");
  const values = pieces.flatMap((piece): readonly unknown[] => {
    switch (piece.kind) {
      case "text":
        return exchanged(piece, texts.kept.get(piece));
      case "call":
        return exchanged(piece, callArguments(parts, piece.id));
      case "result":
        return exchanged(piece, resultText(parts, piece.id));
      case "reasoning":
        return parts.some((part) => part.type === "reasoning" && part.text === piece.text)
          ? [piece.value]
          : [];
      default:
        return rides ? [piece.value] : [];
    }
  });
  if (kind.roleOf(origin) === "tool") {
    const notes = texts.added.map(
      (text): Placed<Native> => ({ message: kind.create("user", text), from: -1 }),
    );
    return [{ message: kind.withPieces(origin, values), from }, ...notes];
  }
  return [{ message: kind.withPieces(origin, [...texts.added.map(kind.text), ...values]), from }];
}

/** The piece as it was, with its new text, or gone. */
function exchanged(
  { text, value, edited }: Piece,
  now: { readonly text: string } | undefined,
): readonly unknown[] {
  if (now === undefined) return [];
  return [now.text === text || !edited ? value : edited(now.text)];
}

function callArguments(
  parts: readonly Part[],
  id: string | undefined,
): { readonly text: string } | undefined {
  const call = parts.find((part) => part.type === "tool-call" && part.pairId === id);
  return call?.type === "tool-call" ? { text: call.arguments } : undefined;
}

function resultText(parts: readonly Part[], id: string | undefined): { readonly text: string } | undefined {
  const result = parts.find((part) => part.type === "tool-result" && part.pairId === id);
  return result?.type === "tool-result" ? result : undefined;
}

/** Which text each piece has now, and which texts are new: those that stand before all that changed. */
function alignTexts(pieces: readonly Piece[], parts: readonly Part[]) {
  const now = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const kept = new Map<Piece, { readonly text: string }>();
  const open: Piece[] = [];
  for (const piece of pieces.filter(({ kind }) => kind === "text")) {
    const at = now.indexOf(piece.text);
    if (at < 0) open.push(piece);
    else kept.set(piece, { text: now.splice(at, 1)[0]! });
  }
  const added = now.splice(0, Math.max(0, now.length - open.length));
  for (const [index, text] of now.entries()) kept.set(open[index]!, { text });
  return { kept, added };
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => ("text" in part && part.text !== "" ? [part.text] : [])).join("\n\n");
}

function textOfPieces(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("\n");
}
