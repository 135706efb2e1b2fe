/** readWhole: the body of a request that came in, all of it, within a limit. */
import type { IncomingMessage } from "node:http";

/**
 * Undefined when it is longer than `maxBytes`; the rest is let go by, so that the client can hear of it.
 *
 * @param join puts the pieces together, where it matters in which memory
 */
export function readWhole<Whole extends Buffer = Buffer<ArrayBuffer>>(
  incoming: IncomingMessage,
  maxBytes: number,
  join: (chunks: readonly Buffer[], bytes: number) => Whole = Buffer.concat as never,
): Promise<Whole | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else resolve(undefined);
    });
    incoming.once("end", () => resolve(join(chunks, bytes)));
    incoming.once("error", reject);
    incoming.once("close", () => incoming.readableEnded || reject(new Error("The connection was closed.")));
  });
}
