/** fetchThrough: `fetch` by the way out that all requests take; the global one knows no proxy. Redirects are not followed. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { Proxies } from "./proxies.ts";
import type { WayOut } from "./way-out.ts";

export function fetchThrough(proxies: Proxies | undefined): typeof globalThis.fetch {
  let opened: Promise<WayOut> | undefined;
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    // Node's own clients take longer to load than a small compaction takes: they are loaded if something is sent.
    opened ??= import("./way-out.ts").then(({ createWayOut }) => createWayOut(proxies));
    const wayOut = await opened;
    const body = Buffer.from(await request.arrayBuffer());
    const headers = [...request.headers, ["host", url.host], ["content-length", String(body.length)]].flat();
    return new Promise((resolve, reject) => {
      const path = `${url.pathname}${url.search}`;
      const outgoing = wayOut.request({ url, method: request.method, path, headers, signal: request.signal });
      outgoing.once("response", (answer) => resolve(responseOf(answer)));
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  };
}

/** An answer from the wire as `fetch` gives it; of its headers, what its body is. */
export function responseOf(answer: IncomingMessage): Response {
  return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, {
    status: answer.statusCode ?? 500,
    headers: { "content-type": answer.headers["content-type"] ?? "application/json" },
  });
}
