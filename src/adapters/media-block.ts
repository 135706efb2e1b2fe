/** Media block: a picture, a sound or a file of an SDK's message as the block of openai-chat that holds the same. */

/** A piece of an SDK's message: its data under one of several names, as text, as bytes or as an address. */
export type MediaPiece = Readonly<Record<string, unknown>>;

/** `{ type: "file", mediaType: "image/png", data: bytes }` → `{ type: "image_url", image_url: { url: "data:image/png;…" } }` */
export function mediaBlock(piece: MediaPiece): object {
  const mediaType = mediaTypeOf(piece);
  const url = urlOf(piece, mediaType ?? "application/octet-stream");
  const kind = `${String(piece.type)} ${mediaType}`;
  if (/image/.test(kind)) return { type: "image_url", image_url: { url } };
  if (/audio/.test(kind)) return { type: "input_audio", input_audio: { data: url } };
  return { type: "file", file: { file_data: url } };
}

const TYPE_KEYS = ["mediaType", "mimeType", "mime_type", "media_type"];
/** Under which names SDKs keep the data, or an object that has it. */
const DATA_KEYS = ["data", "image", "image_url", "url", "source", "file", "file_data", "input_audio", "text"];

function mediaTypeOf(piece: MediaPiece): string | undefined {
  const own = TYPE_KEYS.map((key) => piece[key]).find((each) => typeof each === "string");
  if (typeof own === "string") return own;
  const inner = DATA_KEYS.map((key) => piece[key]).find(isFields);
  return inner && mediaTypeOf(inner);
}

/** What is known only by the provider's name for it has no data here. */
function urlOf(value: unknown, mediaType: string): string {
  if (typeof value === "string")
    return /^(?:data|https?|file):/.test(value) ? value : `data:${mediaType};base64,${value}`;
  if (value instanceof URL) return value.href;
  if (value instanceof ArrayBuffer) return urlOf(new Uint8Array(value), mediaType);
  if (value instanceof Uint8Array)
    return `data:${mediaType};base64,${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")}`;
  if (!isFields(value)) return "data:,";
  const inner = DATA_KEYS.map((key) => value[key]).find((each) => each !== undefined && each !== null);
  return inner === undefined ? "data:," : urlOf(inner, mediaType);
}

function isFields(value: unknown): value is MediaPiece {
  return (
    typeof value === "object" &&
    value !== null &&
    !(value instanceof URL || value instanceof Uint8Array || value instanceof ArrayBuffer)
  );
}
