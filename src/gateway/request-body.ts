/** The body of a request that is read before it goes on: all of it, within a limit, and as text where it can be. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import zlib from "node:zlib";

/** Undefined when it is longer than `maxBytes`; the rest is let go by, so that the client can hear of it. */
export function readWhole(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else resolve(undefined);
    });
    incoming.once("end", () => resolve(Buffer.concat(chunks)));
    incoming.once("error", reject);
    incoming.once("close", () => incoming.readableEnded || reject(new Error("The connection was closed.")));
  });
}

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
