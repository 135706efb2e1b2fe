/** A provider and a gateway on loopback, for tests: real HTTP, scripted answers. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Gateway, startGateway } from "../src/gateway/gateway.ts";
import { createLog } from "../src/gateway/log.ts";
import { type GatewaySettings, gatewayDefaults } from "../src/gateway/settings.ts";
import { readUpstreams } from "../src/gateway/upstream.ts";
import { type Json, type Said, wires } from "./gateway-wires.ts";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
  /** The body as text. */
  readonly text: string;
  readonly body: Json;
}

export interface Provider {
  readonly url: string;
  readonly received: Received[];
  readonly close: () => Promise<void>;
}

export type Respond = (request: Received, response: ServerResponse, index: number) => void;

export async function startProvider(respond: Respond): Promise<Provider> {
  const received: Received[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    response.on("error", () => {});
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const bytes = Buffer.concat(chunks);
    const text = bytes.toString();
    const { method = "", url: path = "", headers } = incoming;
    const request = { method, path, headers, bytes, text, body: parsed(text) };
    respond(request, response, received.push(request) - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}

/** A provider that answers in whichever API it is asked, streaming where the body says so. */
export function speaking(say: (request: Received, index: number) => Said): Respond {
  return (request, response, index) => {
    const wire = wires.find(({ path }) => request.path.startsWith(path));
    if (!wire) {
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
      return;
    }
    const said = say(request, index);
    if (request.body.stream === true) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of wire.events(said, `a${index}`)) response.write(event);
      response.end();
      return;
    }
    const text = JSON.stringify(wire.answer(said, `a${index}`));
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    });
    response.end(text);
  };
}

/** The same provider with its API's rules for messages: what breaks one is refused, with the rule, as the APIs do. */
export function strict(respond: Respond): Respond {
  return (request, response, index) => {
    const wire = wires.find(({ path }) => request.path.startsWith(path));
    const [fault] = wire ? wire.faults(request.body) : [];
    if (fault === undefined) {
      respond(request, response, index);
      return;
    }
    const error = { type: "invalid_request_error", message: `${wire!.key}: ${fault}` };
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ type: "error", error }));
  };
}

export interface TestGateway extends Gateway {
  /** What it logged, line by line. */
  readonly log: string[];
}

export async function gatewayTo(
  upstream: string,
  settings: Partial<GatewaySettings> = {},
): Promise<TestGateway> {
  const log: string[] = [];
  const gateway = await startGateway(
    {
      ...gatewayDefaults,
      port: 0,
      archive: "none",
      // A busy machine must not decide what is sent.
      deadlineMs: 60_000,
      patienceMs: 60_000,
      graceMs: 0,
      drainMs: 1_000,
      upstreams: readUpstreams([upstream]),
      ...settings,
    },
    createLog((line) => log.push(line)),
  );
  return { ...gateway, log };
}

export function eventsOf({ log }: Pick<TestGateway, "log">, name: string): readonly Json[] {
  return log.map((line) => JSON.parse(line) as Json).filter(({ event }) => event === name);
}

/** What became of each request, in order. */
export function outcomesOf(gateway: Pick<TestGateway, "log">): readonly unknown[] {
  return eventsOf(gateway, "request").map(({ outcome }) => outcome);
}

export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: text,
  });
}
