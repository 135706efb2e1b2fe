/** Between node:http and the web's Request and Response, which the MCP handler speaks. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { readWhole } from "../http/read-whole.ts";

/** A request with its whole body; undefined when that is too large. Its signal says when the client has gone. */
export async function readWebRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  maxBytes: number,
): Promise<Request | undefined> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const headers = new Headers();
  for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
    headers.append(incoming.rawHeaders[at]!, incoming.rawHeaders[at + 1]!);
  }
  const body = await readWhole(incoming, maxBytes);
  if (!body) return undefined;
  return new Request(new URL(incoming.url ?? "/", "http://localhost"), {
    method: incoming.method ?? "GET",
    headers,
    signal: gone.signal,
    ...(body.length > 0 && { body }),
  });
}

/** Settles when all of it was taken, or the client has gone. */
export async function sendWebResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) {
    outgoing.end();
    return;
  }
  try {
    await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), outgoing);
  } catch (error) {
    if (!outgoing.destroyed) throw error;
  }
}
