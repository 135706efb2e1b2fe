/** Result content: the content of a tool result, a string or a list of blocks, read and rewritten alike by all formats. */
import type { MediaPart, OpaquePart, ToolResultPart } from "../conversation/part.ts";
import { firstText, isObject, jsonText, type WireObject } from "../json/wire-value.ts";
import { type Places, pieceAt, type RawPlace } from "./places.ts";

export type Attachment = MediaPart | OpaquePart;

export interface ResultContent {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** Reads the content. `attach` names a piece that is not text. */
export function readResultContent(
  content: unknown,
  attach: (piece: unknown, index: number) => Attachment,
): ResultContent {
  if (typeof content === "string") return { text: content, attachments: [] };
  if (!Array.isArray(content)) {
    return { text: content === undefined || content === null ? "" : jsonText(content), attachments: [] };
  }
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const [index, piece] of content.entries()) {
    const text = textOfPiece(piece);
    if (text === undefined) attachments.push(attach(piece, index));
    else texts.push(text);
  }
  return { text: texts.join("\n"), attachments };
}

/** The text of a text block or of a bare string; undefined for any other piece. */
export function textOfPiece(piece: unknown): string | undefined {
  if (typeof piece === "string") return piece;
  return isObject(piece) && TEXT_TYPES.has(piece.type) && typeof piece.text === "string"
    ? piece.text
    : undefined;
}

/** A piece that the format has no name for, as a part. */
export function opaquePart(piece: unknown): OpaquePart {
  const object = isObject(piece) ? piece : {};
  return {
    type: "opaque",
    kind: firstText(object.type) || (piece === null ? "null" : typeof piece),
    text: piece === null ? "" : firstText(object.text, object.content, piece) || jsonText(piece),
  };
}

/**
 * The content of a changed result: still a string where it was one. In a list, the first text block takes the new
 * text and keeps its other keys, the other text blocks go, and attachments that the part no longer has go.
 */
export function writeResultContent(part: ToolResultPart, content: unknown, places: Places): unknown {
  if (!Array.isArray(content)) {
    if (part.attachments.length === 0) return part.text;
    return [
      ...textBlocks(part.text),
      ...part.attachments.map((attachment) => attachmentPiece(attachment, places)),
    ];
  }
  const kept = new Set(part.attachments.map((attachment) => attachmentPiece(attachment, places)));
  const textUnchanged =
    content
      .map(textOfPiece)
      .filter((text) => text !== undefined)
      .join("\n") === part.text;
  const cacheControl = content.findLast(
    (piece) => isObject(piece) && "cache_control" in piece,
  )?.cache_control;
  const written: unknown[] = [];
  let said = false;
  for (const piece of content) {
    if (textOfPiece(piece) === undefined) {
      if (kept.delete(piece)) written.push(piece);
    } else if (textUnchanged) written.push(piece);
    else if (!said) {
      said = true;
      if (part.text !== "") written.push(isObject(piece) ? { ...piece, text: part.text } : part.text);
    }
  }
  if (!said && !textUnchanged) written.unshift(...textBlocks(part.text));
  written.push(...kept);
  return written.length === 0 ? "" : withCacheControl(written, cacheControl);
}

/** `input_text` and `output_text` are what other APIs of the same provider call their text blocks. */
const TEXT_TYPES: ReadonlySet<unknown> = new Set(["text", "input_text", "output_text"]);

function textBlocks(text: string): readonly WireObject[] {
  return text === "" ? [] : [{ type: "text", text }];
}

function attachmentPiece(attachment: Attachment, places: Places): unknown {
  const place: RawPlace | undefined = places.get(attachment);
  if (place !== undefined) return pieceAt(place);
  return { type: "text", text: attachment.type === "opaque" ? attachment.text : `[${attachment.kind}]` };
}

/** A cache breakpoint that was on a block which is gone moves to the last block that is left. */
function withCacheControl(pieces: readonly unknown[], cacheControl: unknown): readonly unknown[] {
  const last = pieces.at(-1);
  if (cacheControl === undefined || !isObject(last)) return pieces;
  if (pieces.some((piece) => isObject(piece) && "cache_control" in piece)) return pieces;
  return [...pieces.slice(0, -1), { ...last, cache_control: cacheControl }];
}
