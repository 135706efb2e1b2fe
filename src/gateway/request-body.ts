/** The body of a request: its bytes, unpacked where they were packed. */
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

/** UTF-8. Undefined where it cannot be read: an unknown encoding, damaged, too long when unpacked, or no UTF-8. */
export async function plainBody(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const name = (encoding ?? "identity").trim().toLowerCase();
  const plain = name === "identity" ? body : await unpacked(body, DECODERS[name], maxBytes);
  return plain && isUtf8(plain) ? plain : undefined;
}

/** Shared memory costs more to have than a short body costs to copy. */
const SHARED_BYTES = 16_000;

/** Puts a body together; a long one where the worker can see it as well, so that it is not copied between threads. */
export function sharedBody(chunks: readonly Buffer[], bytes: number): Buffer {
  if (bytes < SHARED_BYTES) return Buffer.concat(chunks);
  const body = Buffer.from(new SharedArrayBuffer(bytes));
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(body, at);
  return body;
}

async function unpacked(body: Buffer, decode: Decode | undefined, maxBytes: number) {
  try {
    return await decode?.(body, { maxOutputLength: maxBytes });
  } catch {
    // Whoever gets it next will say what is wrong with it.
    return undefined;
  }
}
