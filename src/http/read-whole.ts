/** readWhole: all that a stream brings, such as the body of a request that came in, within a limit. */
import type { Readable } from "node:stream";

export interface ReadWholeOptions<Whole extends Buffer> {
  /** Puts the pieces together, where it matters in which memory. @default Buffer.concat */
  readonly join?: (chunks: readonly Buffer[], bytes: number) => Whole;
  /** Hears of the bytes of each piece before it is kept; what it throws ends the reading. */
  readonly hold?: ((bytes: number) => void) | undefined;
}

/** Undefined when it is longer than `maxBytes`; the rest is let go by, so that the client can hear of it. */
export function readWhole<Whole extends Buffer = Buffer<ArrayBuffer>>(
  incoming: Readable,
  maxBytes: number,
  { join = Buffer.concat as never, hold }: ReadWholeOptions<Whole> = {},
): Promise<Whole | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] | undefined = [];
    let bytes = 0;
    incoming.on("data", (chunk: Buffer) => {
      if (!chunks) return;
      bytes += chunk.length;
      try {
        if (bytes <= maxBytes) {
          hold?.(chunk.length);
          chunks.push(chunk);
          return;
        }
        resolve(undefined);
      } catch (error) {
        reject(error);
      }
      chunks = undefined;
    });
    incoming.once("end", () => chunks && resolve(join(chunks, bytes)));
    incoming.once("error", reject);
    incoming.once("close", () => incoming.readableEnded || reject(new Error("The connection was closed.")));
  });
}
