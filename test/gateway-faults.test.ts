/** Faults at the gateway, told apart: who ended an exchange, what is sent once, and who may not ask at all. */

import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { readUpstreams } from "../src/gateway/upstream.ts";
import { modulesRead } from "./gateway-talk.ts";
import { wires } from "./gateway-wires.ts";
import {
  eventsOf,
  gatewayTo,
  outcomesOf,
  post,
  type Respond,
  speaking,
  startProvider,
} from "./gateway-world.ts";
import { until } from "./until.ts";

const [chat, messages] = [wires[0]!, wires[1]!];
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const fine = speaking(() => ({ text: "Fine.", calls: [] }));

async function provider(respond: Respond = fine) {
  const started = await startProvider(respond);
  closing.push(started.close);
  return started;
}

async function gateway(...given: Parameters<typeof gatewayTo>) {
  const started = await gatewayTo(...given);
  closing.push(started.stop);
  return started;
}

/** Answers the first request of each connection, and resets the connection once it has read another whole one. */
async function resettingUpstream() {
  const read: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = "";
    let count = 0;
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      text += chunk;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (text.length < text.indexOf("\r\n\r\n") + 4 + length) return;
      read.push(text.slice(0, text.indexOf(" HTTP")));
      text = "";
      if (count++ > 0) socket.resetAndDestroy();
      else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, read };
}

test("a request that the upstream has read is not sent again after a reset, unless that is safe", async () => {
  const { url, read } = await resettingUpstream();
  const asked = await gateway(url);
  const ask = (path: string, headers?: Record<string, string>) =>
    post(`${asked.url}${path}`, chat.body([chat.user("hi")]), headers);
  expect((await ask(chat.path)).status).toBe(200);
  const lost = await ask(chat.path);
  expect([lost.status, await lost.json()]).toMatchObject([502, { error: { code: "pith_upstream_failed" } }]);
  expect(read).toEqual([`POST ${chat.path}`, `POST ${chat.path}`]);
  read.length = 0;
  expect((await ask(chat.path)).status).toBe(200);
  expect((await ask("/v1/messages/count_tokens")).status).toBe(200);
  expect(read.slice(1)).toEqual(["POST /v1/messages/count_tokens", "POST /v1/messages/count_tokens"]);
  read.length = 0;
  // Whether a provider heeds this is not known.
  expect((await ask(chat.path, { "idempotency-key": "k1" })).status).toBe(502);
  expect(read).toEqual([`POST ${chat.path}`]);
});

test("a client that cancels and an upstream that breaks off are told apart, in the log and the metrics", async () => {
  const upstream = await provider((request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: {}\n\n", () => request.path.includes("cut") && response.destroy());
  });
  const asked = await gateway(upstream.url);
  const begin = (query: string): http.ClientRequest =>
    http.request(`${asked.url}${chat.path}${query}`, { method: "POST" }).on("error", () => {});
  const body = JSON.stringify(chat.body([chat.user("hi")], { stream: true }));
  const cancelled = begin("").on("response", (answer) => answer.once("data", () => cancelled.destroy()));
  cancelled.end(body);
  await until(() => eventsOf(asked, "request-failed").length === 1);
  begin("?cut")
    .on("response", (answer) => answer.on("error", () => {}).resume())
    .end(body);
  await until(() => eventsOf(asked, "request-failed").length === 2);
  expect(eventsOf(asked, "request-failed")).toMatchObject([
    { level: "info", fault: "client-gone" },
    { level: "warn", fault: "upstream-cut" },
  ]);
  const metrics = await (await fetch(`${asked.url}/metrics`)).text();
  expect(metrics).toContain('pith_gateway_faults_total{fault="client-gone"} 1');
  expect(metrics).toContain('pith_gateway_faults_total{fault="upstream-cut"} 1');
});

test("a body with a byte order mark, and a path with a slash at its end, are compacted as any", async () => {
  const upstream = await provider();
  const asked = await gateway(upstream.url, { window: 8_000 });
  const body = (title: string): string => JSON.stringify(chat.body(modulesRead(chat, { title, turns: 90 })));
  expect((await post(`${asked.url}${chat.path}`, `\ufeff${body("Marked")}`)).status).toBe(200);
  expect((await post(`${asked.url}${chat.path}/`, body("Slash"))).status).toBe(200);
  expect(outcomesOf(asked)).toEqual(["compacted", "compacted"]);
  expect(upstream.received.map(({ path }) => path)).toEqual([chat.path, `${chat.path}/`]);
  for (const { text } of upstream.received) expect(text.length).toBeLessThan(body("Slash").length / 2);
});

test("no key is sent to the other provider's upstream", async () => {
  const [openai, anthropic] = [await provider(), await provider()];
  const asked = await gateway("http://127.0.0.1:9", {
    upstreams: readUpstreams([`openai=${openai.url}`, `anthropic=${anthropic.url}`]),
  });
  const [proj, old, ant] = [
    "sk-proj-aaaaaaaaaaaaaaaa",
    "sk-aaaaaaaaaaT3BlbkFJaaaaaaaa",
    "sk-ant-api03-aaaaaaaa",
  ];
  const hello = chat.body([chat.user("hi")]);
  const ask = async (path: string, headers: Record<string, string>) =>
    (await post(`${asked.url}${path}`, hello, headers)).status;
  expect(await ask(messages.path, { authorization: `Bearer ${proj}` })).toBe(400);
  expect(await ask(messages.path, { "x-api-key": old })).toBe(400);
  expect(await ask(chat.path, { authorization: `Bearer ${ant}` })).toBe(400);
  expect(await ask("/v1/files", { "anthropic-version": "2023-06-01", "x-api-key": proj })).toBe(400);
  expect([openai.received, anthropic.received]).toEqual([[], []]);
  expect(await ask("/v1/files", { "x-api-key": ant })).toBe(200);
  expect(await ask(messages.path, { "x-api-key": ant })).toBe(200);
  expect(await ask(chat.path, { authorization: `Bearer ${proj}` })).toBe(200);
  expect(await ask("/v1/files", { authorization: `Bearer ${old}` })).toBe(200);
  expect([openai.received.length, anthropic.received.length]).toEqual([2, 2]);
  const one = await gateway(openai.url);
  expect((await post(`${one.url}${messages.path}`, hello, { "x-api-key": old })).status).toBe(200);
});

test("a web page may not ask: told by its Origin, by the Host of a name that was bound to this machine, and by the browser", async () => {
  const upstream = await provider();
  const asked = await gateway(upstream.url);
  const { port } = new URL(asked.url);
  const ask = (headers: http.OutgoingHttpHeaders): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = { port, host: "127.0.0.1", method: "POST", path: chat.path, headers };
      http
        .request(options, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
        .on("error", reject)
        .end(JSON.stringify(chat.body([chat.user("hi")])));
    });
  expect(await ask({ origin: "https://evil.example" })).toBe(403);
  expect(await ask({ origin: "null" })).toBe(403);
  expect(await ask({ host: `evil.example:${port}` })).toBe(403);
  expect(await ask({ "sec-fetch-site": "cross-site" })).toBe(403);
  expect(upstream.received).toEqual([]);
  expect(await ask({})).toBe(200);
  expect(await ask({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(200);
  expect(await ask({ host: `host.docker.internal:${port}` })).toBe(200);
});

test("a proxy's name is one of the gateway's own where it is allowed, on any port; the refusal of another says how", async () => {
  const upstream = await provider();
  const folder = mkdtempSync(join(tmpdir(), "pith-allowed-"));
  const archive = join(folder, "archive.sqlite");
  const asked = await gateway(upstream.url, { archive, allowHosts: ["pith.example"] });
  closing.push(async () => rmSync(folder, { recursive: true }));
  const { port } = new URL(asked.url);
  const ask = (path: string, headers: http.OutgoingHttpHeaders): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const method = path === chat.path ? "POST" : "GET";
      http
        .request({ port, host: "127.0.0.1", method, path, headers }, async (answer) => {
          const chunks = await answer.toArray();
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        })
        .on("error", reject)
        .end(method === "POST" ? JSON.stringify(chat.body([chat.user("hi")])) : undefined);
    });
  expect((await ask(chat.path, { host: "pith.example" })).status).toBe(200);
  expect((await ask(chat.path, { host: "Pith.Example:8443" })).status).toBe(200);
  expect((await ask(chat.path, { host: "localhost" })).status).toBe(200);
  expect((await ask("/inspect/", { host: "pith.example" })).status).toBe(401);
  for (const host of ["evil.example", "pith.example.evil.example", "evil-pith.example", "pith.example:x"]) {
    for (const path of [chat.path, "/inspect/"]) {
      const { status, text } = await ask(path, { host });
      expect([status, text], `${path} ${host}`).toEqual([403, expect.stringContaining("--allow-host")]);
    }
  }
  const fromPage = { host: "pith.example", origin: "https://evil.example" };
  expect((await ask(chat.path, fromPage)).status).toBe(403);
});

test("an upgrade to WebSocket is refused clearly; one to HTTP/2 is passed over", async () => {
  const upstream = await provider();
  const asked = await gateway(upstream.url);
  const { port } = new URL(asked.url);
  const raw = (upgrade: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), "127.0.0.1", () =>
        socket.write(
          `GET /v1/responses HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`,
        ),
      );
      socket.once("data", (chunk) => {
        socket.destroy();
        resolve(String(chunk));
      });
      socket.on("error", reject);
    });
  const refused = await raw("websocket");
  expect(refused).toMatch(/^HTTP\/1\.1 426 /);
  expect(refused).toContain("pith gateway: it does not speak WebSocket");
  expect(upstream.received).toEqual([]);
  expect(await raw("h2c")).toMatch(/^HTTP\/1\.1 200 /);
});
