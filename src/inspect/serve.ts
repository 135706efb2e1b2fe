/** serveInspector: the inspector on an address of its own, for this machine alone. */
import { createServer, type Server } from "node:http";
import { OptionsError } from "../errors/options-error.ts";
import { createAccess, oneTimeToken } from "./access.ts";
import { routeAnswers } from "./answer-route.ts";
import { createCostReader } from "./cost.ts";
import { createHandler } from "./http-handler.ts";
import { createInspector, type InspectorOptions } from "./inspector.ts";
import { createLiveRows } from "./live-rows.ts";
import { readPageFiles } from "./page-files.ts";

export interface ServeOptions extends InspectorOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly log: (line: string) => void;
}

export interface InspectorServer {
  /** Opens the page once; the address without its token is for those who came in by it. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const HOST = "127.0.0.1";
const VISITOR = "visitor";

/** Listens when it resolves. Throws OptionsError where the port is taken or the page was not built. */
export async function serveInspector({ port, log, ...options }: ServeOptions): Promise<InspectorServer> {
  const page = readPageFiles();
  const inspector = createInspector(options);
  // Counted before anybody waits for it: the file's conversation whole, of an archive the newest.
  await (options.given ? inspector.conversation(options.given.conversation) : inspector.conversations());
  const answers = routeAnswers(inspector, createCostReader({ look: inspector.look }));
  const live = createLiveRows(inspector.conversations, log);
  const { token, check } = oneTimeToken(VISITOR);
  const stopped = new AbortController();
  const server = createServer((incoming, outgoing) => void handler(incoming, outgoing));
  await listen(server, port);
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  const handler = createHandler({
    access: createAccess({ cookieName: `pith_inspect_${bound}`, path: "/", check }),
    prefix: "/",
    isLoopback: true,
    page: () => page,
    answersFor: () => answers,
    liveFor: () => live,
    stopped: stopped.signal,
    entrance: "link",
    log,
  });
  return {
    url: `http://${HOST}:${bound}/?token=${token}`,
    stop: () => {
      stopped.abort();
      const freed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return freed;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "another program listens there already" : error.message;
      reject(new OptionsError("--port", `--port ${port}: ${why}. Give another one; 0 takes a free one.`));
    });
    server.listen(port, HOST, resolve);
  });
}
