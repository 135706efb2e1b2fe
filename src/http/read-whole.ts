/** readWhole: the body of a request that came in, all of it, within a limit. */
import type { IncomingMessage } from "node:http";

/** Undefined when it is longer than `maxBytes`; the rest is let go by, so that the client can hear of it. */
export function readWhole(
  incoming: IncomingMessage,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer> | undefined> {
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
