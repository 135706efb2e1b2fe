/** The body of a request: its bytes, unpacked where they were packed. */
import { isUtf8 } from "node:buffer";
import type { Transform } from "node:stream";
import zlib from "node:zlib";
import { readWhole } from "../http/read-whole.ts";
import { GatewayRefusal } from "./refusals.ts";

const DECODERS: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: zlib.createGunzip,
  "x-gzip": zlib.createGunzip,
  br: zlib.createBrotliDecompress,
  deflate: zlib.createInflate,
  // In Node 22.15 and later.
  ...(typeof zlib.createZstdDecompress === "function" && { zstd: () => zlib.createZstdDecompress() }),
};

export interface Unpacking {
  readonly maxBytes: number;
  /** Hears of what is unpacked, piece by piece: a GatewayRefusal that it throws ends that. */
  readonly hold?: (bytes: number) => void;
}

/** UTF-8. Undefined where it cannot be read: an unknown encoding, damaged, too long when unpacked, or no UTF-8. */
export async function plainBody(
  body: Buffer,
  encoding: string | undefined,
  unpacking: Unpacking,
): Promise<Buffer | undefined> {
  const name = (encoding ?? "identity").trim().toLowerCase();
  const plain = name === "identity" ? body : await unpacked(body, DECODERS[name]?.(), unpacking);
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

async function unpacked(body: Buffer, decoder: Transform | undefined, { maxBytes, hold }: Unpacking) {
  try {
    return decoder && (await readWhole(decoder.end(body), maxBytes, { join: sharedBody, hold }));
  } catch (error) {
    if (error instanceof GatewayRefusal) throw error;
    // Whoever gets it next will say what is wrong with it.
    return undefined;
  } finally {
    // A short body may be packed from one without end.
    decoder?.destroy();
  }
}
