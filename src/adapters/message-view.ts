/**
 * Message view: messages of an SDK that are in no wire format, shown to the engine as openai-chat. What comes back
 * changed is the SDK's own message with only those pieces exchanged that changed.
 */
import type { Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import type { Rewrite } from "../conversation/rewrite.ts";
import { hasCacheMarks } from "./cache-marks.ts";
import { type MediaPiece, mediaBlock } from "./media-block.ts";
import { rebuilt } from "./rebuilt-message.ts";
import type { Placed, View } from "./sessions.ts";
import { takingTurns } from "./taking-turns.ts";

/** A piece of a message's content. */
export interface ContentPiece {
  readonly kind: "text" | "reasoning" | "call" | "result" | "media" | "other";
  /** What it says; of a call the arguments as JSON. */
  readonly text: string;
  /** Of a call and its result. */
  readonly id?: string;
  /** Of a call. */
  readonly name?: string;
  readonly isError?: boolean;
  /** Of reasoning: its signature or ciphertext. */
  readonly seal?: string;
  /** The SDK's own piece. */
  readonly value: unknown;
  /** Pictures, sounds and files: itself, or those in a result. */
  readonly media?: readonly MediaPiece[];
  /** The same with another text; of a result, with the last `kept` of its media. */
  readonly edited?: (text: string, kept: number) => unknown;
}

/** How to read and write one SDK's messages. */
export interface MessageKind<Native> {
  readonly roleOf: (message: Native) => "system" | "user" | "assistant" | "tool";
  readonly piecesOf: (message: Native) => readonly ContentPiece[];
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
    noted: (message, note) => withNote(kind, message, note),
    messages: ({ conversation, rewrite }, given) => {
      const origins = given.flatMap((message, index) => wiresOf(message).map(() => index));
      const placed: Placed<Native>[] = [];
      for (const group of grouped(conversation.messages, rewrite, origins)) {
        const [first] = group.messages;
        const origin = given[group.from];
        if (origin === undefined)
          placed.push({ message: kind.create(roleOf(first!), textOf(first!.parts)), from: -1 });
        else if (group.messages.length === wiresOf(origin).length && !group.isWritten)
          placed.push({ message: origin, from: group.from });
        else placed.push(...rebuilt(kind, origin, group));
      }
      return takingTurns(placed, kind);
    },
  };
}

/** Behind what the user says, or what the last tool gave; not where the caller wants the cache to end with this message. */
function withNote<Native>(kind: MessageKind<Native>, message: Native, note: string): Native {
  const role = kind.roleOf(message);
  if (hasCacheMarks(message) || (role !== "user" && role !== "tool")) return message;
  const pieces = kind.piecesOf(message);
  const values = pieces.map(({ value }) => value);
  if (role === "user") return kind.withPieces(message, [...values, kind.text(note)]);
  const last = pieces.at(-1);
  if (last?.kind !== "result" || !last.edited) return message;
  const told = last.edited(`${last.text}\n\n${note}`, last.media?.length ?? 0);
  return kind.withPieces(message, [...values.slice(0, -1), told]);
}

function toWire(role: string, pieces: readonly ContentPiece[]): readonly object[] {
  const results = pieces.filter(({ kind }) => kind === "result");
  const answers = results.map(({ id, text, media }) => ({
    role: "tool",
    tool_call_id: id,
    content: media?.length ? [{ type: "text", text }, ...media.map(mediaBlock)] : text,
  }));
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
        reasoning_details: thoughts.map(({ text, seal }, at) => {
          // One seal may be on each piece of the same thinking; it is sent once.
          const isRepeated = thoughts.slice(0, at).some((before) => before.seal === seal);
          return { type: "reasoning.text", text, signature: (!isRepeated && seal) || "kept" };
        }),
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

function contentOf({ kind, text, media = [] }: ContentPiece): readonly object[] {
  if (kind === "text") return text === "" ? [] : [{ type: "text", text }];
  if (kind === "media") return media.map(mediaBlock);
  return kind === "other" ? [{ type: "other", value: text }] : [];
}

/** What came of one message of the SDK. */
export interface SdkMessage {
  readonly from: number;
  readonly messages: Message[];
  /** Something else was written for one of them. */
  isWritten: boolean;
}

/** The messages that came of one message of the SDK, together again. */
function grouped(
  messages: readonly Message[],
  rewrite: Rewrite,
  origins: readonly number[],
): readonly SdkMessage[] {
  const groups: SdkMessage[] = [];
  for (const [at, { from, written }] of rewrite.entries()) {
    const origin = origins[from] ?? -1;
    const last = groups.at(-1);
    const isNext = origin >= 0 && last?.from === origin;
    const group = isNext ? last : { from: origin, messages: [], isWritten: false };
    if (!isNext) groups.push(group);
    group.messages.push(messages[at]!);
    group.isWritten ||= written !== undefined;
  }
  return groups;
}

function roleOf({ role }: Message): "system" | "user" | "assistant" {
  return role === "system" || role === "assistant" ? role : "user";
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => ("text" in part && part.text !== "" ? [part.text] : [])).join("\n\n");
}

function textOfPieces(pieces: readonly ContentPiece[]): string {
  return pieces.map(({ text }) => text).join("\n");
}
