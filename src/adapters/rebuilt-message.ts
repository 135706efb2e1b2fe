/** Rebuilt message: an SDK's own message with those pieces exchanged that the engine changed. */
import type { Part } from "../conversation/part.ts";
import type { Group, MessageKind, Piece } from "./message-view.ts";
import type { Placed } from "./sessions.ts";

export function rebuilt<Native>(
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
