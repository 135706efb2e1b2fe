/** Rebuilt message: an SDK's own message with those pieces exchanged that the engine changed. */
import type { Part } from "../conversation/part.ts";
import type { ContentPiece, MessageKind, SdkMessage } from "./message-view.ts";
import type { Placed } from "./sessions.ts";

export function rebuilt<Native>(
  kind: MessageKind<Native>,
  origin: Native,
  { from, messages }: SdkMessage,
): Placed<Native>[] {
  const parts = messages.flatMap((message) => message.parts);
  const pieces = kind.piecesOf(origin);
  const texts = alignTexts(pieces, parts);
  // Where not all may stay, it is the last that do.
  const riding = parts.filter(({ type }) => type === "media" || type === "opaque").length;
  const rides = new Set(pieces.filter(isRiding).slice(-riding || pieces.length));
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
        return rides.has(piece) ? [piece.value] : [];
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

function isRiding({ kind }: ContentPiece): boolean {
  return kind === "media" || kind === "other";
}

/** The piece as it was, with its new text, or gone. */
function exchanged(
  { text, value, media = [], edited }: ContentPiece,
  now: Now | undefined,
): readonly unknown[] {
  if (now === undefined) return [];
  const kept = now.attachments?.length ?? 0;
  return [(now.text === text && kept === media.length) || !edited ? value : edited(now.text, kept)];
}

/** What a piece says after the engine changed its message. */
interface Now {
  readonly text: string;
  readonly attachments?: readonly unknown[];
}

function callArguments(parts: readonly Part[], id: string | undefined): Now | undefined {
  const call = parts.find((part) => part.type === "tool-call" && part.pairId === id);
  return call?.type === "tool-call" ? { text: call.arguments } : undefined;
}

function resultText(parts: readonly Part[], id: string | undefined): Now | undefined {
  const result = parts.find((part) => part.type === "tool-result" && part.pairId === id);
  return result?.type === "tool-result" ? result : undefined;
}

/** Which text each piece has now, and which texts are new: those that are before all that changed. */
function alignTexts(pieces: readonly ContentPiece[], parts: readonly Part[]) {
  const now = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const kept = new Map<ContentPiece, { readonly text: string }>();
  const open: ContentPiece[] = [];
  for (const piece of pieces.filter(({ kind }) => kind === "text")) {
    const at = now.indexOf(piece.text);
    if (at < 0) open.push(piece);
    else kept.set(piece, { text: now.splice(at, 1)[0]! });
  }
  const added = now.splice(0, Math.max(0, now.length - open.length));
  for (const [index, text] of now.entries()) kept.set(open[index]!, { text });
  return { kept, added };
}
