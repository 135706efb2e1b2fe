/** Embedded media: pictures, sounds and files that are base64 in the JSON of messages, and the JSON with a note in place of each. */
import { isObject, parsedJson, type WireObject } from "../json/wire-value.ts";
import { thousands } from "../tokens/number-words.ts";

export interface EmbeddedMedia {
  /** Such as "image/png". */
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

export interface NotedJson {
  /** The JSON, with `[image/png, 34,512 bytes, pith:…]` in place of the data. */
  readonly text: string;
  /** In their order, each with where its note starts. */
  readonly media: readonly (EmbeddedMedia & { readonly at: number })[];
}

/** Every other character stays as it is. What is no JSON comes as it is. */
export function noteMedia(json: string, id: string): NotedJson {
  const media: NotedJson["media"][number][] = [];
  const pieces: string[] = [];
  let from = 0;
  let length = 0;
  const add = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  // A message that takes several elements of its list has commas between them.
  for (const { value, ...found } of mediaIn(parsedJson(json) ?? parsedJson(`[${json}]`))) {
    const at = json.indexOf(JSON.stringify(value), from);
    // A writer that escapes slashes has it in other characters.
    const written = at < 0 ? JSON.stringify(value).replaceAll("/", "\\/") : JSON.stringify(value);
    const start = at < 0 ? json.indexOf(written, from) : at;
    if (start < 0) continue;
    add(json.slice(from, start + 1));
    media.push({ ...found, at: length });
    add(`[${found.mediaType}, ${thousands(bytesOf(found.data))} bytes, ${id}]`);
    from = start + written.length - 1;
  }
  add(json.slice(from));
  return { text: pieces.join(""), media };
}

interface Found extends EmbeddedMedia {
  /** The string of the JSON that holds it. */
  readonly value: string;
}

function mediaIn(value: unknown): readonly Found[] {
  if (Array.isArray(value)) return value.flatMap(mediaIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner !== "string") return mediaIn(inner);
    const found = key === "text" ? undefined : mediaOf(inner, DATA_KEYS.has(key) ? value : {});
    return found ? [{ ...found, value: inner }] : [];
  });
}

/** Under these the data is beside what it is. */
const DATA_KEYS: ReadonlySet<string> = new Set(["data", "image", "file_data", "blob"]);

function mediaOf(text: string, holder: WireObject): EmbeddedMedia | undefined {
  const comma = text.startsWith("data:") ? text.indexOf(",") : -1;
  if (comma >= 0 && text.slice(0, comma).endsWith(";base64")) {
    const [mediaType = ""] = text.slice("data:".length, comma).split(";");
    return { mediaType, data: text.slice(comma + 1) };
  }
  const mediaType = declaredType(holder) ?? typeByFirstBytes(text);
  return mediaType !== undefined && text.length >= LEAST_CHARS && BASE64.test(text)
    ? { mediaType, data: text }
    : undefined;
}

/** What is shorter names something. */
const LEAST_CHARS = 32;
const BASE64 = /^[A-Za-z0-9+/_-]+=*$/;

function declaredType({
  media_type,
  mime_type,
  mimeType,
  mediaType,
  format,
}: WireObject): string | undefined {
  const told = [media_type, mime_type, mimeType, mediaType].find((each) => typeof each === "string");
  if (typeof told === "string") return told;
  return typeof format === "string" ? `audio/${format}` : undefined;
}

/** How files of these kinds begin, in base64. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ["iVBORw0KGg", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
  ["JVBERi0", "application/pdf"],
];

function typeByFirstBytes(text: string): string | undefined {
  return BEGINNINGS.find(([beginning]) => text.startsWith(beginning))?.[1];
}

function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
}
