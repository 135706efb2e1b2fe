/** The MCP server over streamable HTTP, on one path of one address. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { OptionsError } from "../errors/options-error.ts";
import { reasonOf } from "../errors/reason-of.ts";
import type { Keyring } from "../keys/keyring.ts";
import { callerOf, refusing, type Welcome, welcomeOf } from "./guard.ts";
import type { MakeServer } from "./server.ts";
import { readWebRequest, sendWebResponse } from "./web-request.ts";

/** Where the server answers. */
export const MCP_PATH = "/mcp";
export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 7484;
/** More than any call needs: the longest argument is a question. */
const MAX_BODY_BYTES = 1 << 20;
/** How long a stop waits for the answers that are under way. */
const PATIENCE_MS = 2_000;

export interface HttpOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** What a client must present as its bearer token; needed on any host that others can reach. */
  readonly key?: string | undefined;
  /** Instead of one key: each tenant has its own, and sees its own conversations alone. */
  readonly keys?: Keyring | undefined;
  readonly log: (line: string) => void;
}

export interface HttpDoor {
  readonly url: string;
  /** Takes no more requests, lets those under way end, and settles when the port is free. */
  readonly stop: () => Promise<void>;
}

/**
 * Listens when it resolves. Throws OptionsError for an address that cannot or must not be listened on.
 *
 * @param makerFor what makes the servers of a tenant, or of everybody
 */
export async function serveOverHttp(
  makerFor: (tenant?: string) => MakeServer,
  options: HttpOptions,
): Promise<HttpDoor> {
  const { host, port, log } = options;
  const welcome = welcomeOf(options);
  const handlers = new Map<string | undefined, McpHttpHandler>();
  const handlerFor = (tenant?: string): McpHttpHandler => {
    const known = handlers.get(tenant);
    if (known) return known;
    const handler = createMcpHandler(makerFor(tenant), { onerror: (error) => log(error.message) });
    handlers.set(tenant, handler);
    return handler;
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing, { handlerFor, welcome }).catch((error: unknown) => {
      log(reasonOf(error));
      outgoing.destroy();
    });
  });
  await listen(server, host, port);
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}${MCP_PATH}`,
    stop: () => stop(server, [...handlers.values()]),
  };
}

interface Answering {
  readonly handlerFor: (tenant?: string) => McpHttpHandler;
  readonly welcome: Welcome;
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answering: Answering,
): Promise<void> {
  const response = await responseTo(incoming, outgoing, answering);
  await sendWebResponse(response, outgoing);
}

async function responseTo(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { handlerFor, welcome }: Answering,
): Promise<Response> {
  const caller = callerOf(incoming, welcome);
  if ("refused" in caller) return caller.refused;
  if (incoming.url?.split("?")[0] !== MCP_PATH) return refusing(404, `The server is at ${MCP_PATH}.`);
  const request = await readWebRequest(incoming, outgoing, MAX_BODY_BYTES);
  if (!request) return refusing(413, `A request may have ${MAX_BODY_BYTES} bytes at most.`);
  return handlerFor(caller.tenant).fetch(request);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "another program listens there already" : error.message;
      reject(new OptionsError("--port", `--host ${host} --port ${port}: ${why}. Give another address.`));
    });
    server.listen(port, host, resolve);
  });
}

async function stop(server: Server, handlers: readonly McpHttpHandler[]): Promise<void> {
  const closeAll = () => Promise.all(handlers.map((handler) => handler.close()));
  const freed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose answer was under way would else stay open for the client's next request.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const patience = setTimeout(() => {
    void closeAll();
    server.closeAllConnections();
  }, PATIENCE_MS);
  await freed;
  clearInterval(sweep);
  clearTimeout(patience);
  await closeAll();
}
