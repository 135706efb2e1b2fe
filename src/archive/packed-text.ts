/** PackedText: a text as an archive keeps it, compressed, with the codec beside it and the hash of what it says. */
import crypto from "node:crypto";
import * as zlib from "node:zlib";

export interface PackedText {
  /** Which codec reads `bytes`: see `CODECS`. Stored with each text, so that another Node reads it, too. */
  readonly codec: number;
  readonly bytes: Uint8Array;
  /** SHA-256 of the text's bytes before compression. */
  readonly hash: Uint8Array;
}

/** Zstandard where this Node has it (22.15 and later), brotli otherwise; short texts stay as they are. */
export function packText(text: string): PackedText {
  return compressed(encodeText(text));
}

/** The text as bytes with their hash, not yet compressed: enough to see whether it is stored already. */
export function encodeText(text: string): PackedText {
  const codec = text.isWellFormed() ? CODECS.plain : CODECS.utf16;
  const bytes = Buffer.from(text, codec === CODECS.plain ? "utf8" : "utf16le");
  return { codec, bytes, hash: crypto.hash("sha256", bytes, "buffer") };
}

/** The same text in fewer bytes, where that is possible. */
export function compressed(encoded: PackedText): PackedText {
  if (encoded.bytes.length < WORTH_COMPRESSING) return encoded;
  const codec = "zstdCompressSync" in zlib ? CODECS.zstd : CODECS.brotli;
  const bytes = compress(codec, encoded.bytes);
  return bytes.length < encoded.bytes.length ? { ...encoded, codec: encoded.codec | codec, bytes } : encoded;
}

/** The text, or undefined when the bytes are damaged: they cannot be read, or say another thing than the hash. */
export function unpackText({ codec, bytes, hash }: PackedText): string | undefined {
  const encoded = decompress(codec & ~CODECS.utf16, bytes);
  if (!encoded || !crypto.hash("sha256", encoded, "buffer").equals(hash)) return undefined;
  return encoded.toString(codec & CODECS.utf16 ? "utf16le" : "utf8");
}

/** One of the first three, plus `utf16` for the rare text that UTF-8 cannot hold: one with half a surrogate pair. */
export const CODECS = { plain: 0, zstd: 1, brotli: 2, utf16: 8 } as const;

/** Shorter texts hardly shrink, and a call costs more time than their bytes. */
const WORTH_COMPRESSING = 512;
/** No string is longer than half of it; whatever says it is was made to fill the memory. */
const LIMITS = { maxOutputLength: 2 ** 30 };
const ZSTD_LEVEL = 3;
const BROTLI_QUALITY = 5;

function compress(codec: number, bytes: Uint8Array): Buffer {
  const { constants } = zlib;
  return codec === CODECS.zstd
    ? zlib.zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } })
    : zlib.brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

function decompress(codec: number, bytes: Uint8Array): Buffer | undefined {
  try {
    if (codec === CODECS.zstd) return zlib.zstdDecompressSync(bytes, LIMITS);
    if (codec === CODECS.brotli) return zlib.brotliDecompressSync(bytes, LIMITS);
  } catch {
    // Damaged bytes are an answer here: the caller knows what they were and says so.
    return undefined;
  }
  return codec === CODECS.plain ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : undefined;
}
