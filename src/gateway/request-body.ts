/** The body of a request as text, where it can be. */
import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import zlib from "node:zlib";

type Decode = (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const DECODERS: Readonly<Record<string, Decode | undefined>> = {
  gzip: promisify(zlib.gunzip),
  "x-gzip": promisify(zlib.gunzip),
  br: promisify(zlib.brotliDecompress),
  deflate: promisify(zlib.inflate),
  // In Node 22.15 and later.
  ...(typeof zlib.zstdDecompress === "function" && { zstd: promisify(zlib.zstdDecompress) as Decode }),
};

/** Undefined where it cannot be read: an unknown encoding, damaged, too long when unpacked, or no UTF-8. */
export async function textOfBody(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<string | undefined> {
  const name = (encoding ?? "identity").trim().toLowerCase();
  const plain = name === "identity" ? body : await unpacked(body, DECODERS[name], maxBytes);
  return plain && isUtf8(plain) ? plain.toString("utf8") : undefined;
}

async function unpacked(body: Buffer, decode: Decode | undefined, maxBytes: number) {
  try {
    return await decode?.(body, { maxOutputLength: maxBytes });
  } catch {
    // Whoever gets it next will say what is wrong with it.
    return undefined;
  }
}
