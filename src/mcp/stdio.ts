/** The MCP server on stdin and stdout: one client, as long as it keeps the pipe open. */
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { MakeServer } from "./server.ts";

export interface StdioOptions {
  /** Ends it early. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Settles when the client has gone or the signal has come, and nothing is read or written any more. */
export async function serveOnStdio(makeServer: MakeServer, { signal, log }: StdioOptions): Promise<void> {
  const transport = new WatchedTransport();
  const connection = serveStdio(makeServer, {
    transport,
    onerror: (error) => log(error.message),
  });
  const stop = () => void connection.close();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await transport.closed;
  signal.removeEventListener("abort", stop);
  await connection.close();
}

/** The transport closes by itself when the pipe ends or a message is larger than 10 MB; this one says so. */
class WatchedTransport extends StdioServerTransport {
  readonly closed: Promise<void>;
  private readonly sayClosed: () => void;

  constructor() {
    super();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.sayClosed = resolve;
  }

  override async close(): Promise<void> {
    await super.close();
    this.sayClosed();
  }
}
