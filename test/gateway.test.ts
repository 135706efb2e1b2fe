/** The gateway on the wire: what passes through it, whom it lets in, and what it does when something fails. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http, { type IncomingMessage } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { GatewaySettings } from "../src/gateway/settings.ts";
import { readUpstreams } from "../src/gateway/upstream.ts";
import { createKeyring } from "../src/keys/keyring.ts";
import { readKeys } from "../src/keys/read-keys.ts";
import { modulesRead } from "./gateway-talk.ts";
import { type Json, type Wire, wires } from "./gateway-wires.ts";
import {
  gatewayTo,
  type Provider,
  post,
  type Respond,
  speaking,
  startProvider,
  type TestGateway,
} from "./gateway-world.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-gateway-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [chat, messages] = wires as readonly [Wire, Wire, Wire];

const hello = speaking(() => ({ text: "Hello, you.", calls: [] }));

type World = { readonly provider: Provider; readonly gateway: TestGateway };
/** Those with the same settings share a gateway: a new one takes its time to start. */
const worlds = new Map<string, World & { respond: Respond }>();
afterAll(async () => {
  for (const { provider, gateway } of worlds.values()) {
    await gateway.stop();
    await provider.close();
  }
});

/** A provider and a gateway to it, of which nothing was asked yet. */
async function world(respond: Respond = hello, settings: Partial<GatewaySettings> = {}): Promise<World> {
  const key = JSON.stringify(settings);
  const known = worlds.get(key);
  if (known) {
    known.respond = respond;
    known.provider.received.length = 0;
    known.gateway.log.length = 0;
    return known;
  }
  const provider = await startProvider((...given) => worlds.get(key)!.respond(...given));
  const made = { provider, gateway: await gatewayTo(provider.url, settings), respond };
  worlds.set(key, made);
  return made;
}

/** A start waits up to twenty seconds for an archive that is silent; the other tests run meanwhile. */
let withoutArchive: Promise<readonly World[]>;
const silent = createTcpServer(() => {});
beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as { port: number };
  const archives = ["postgres://u:p@127.0.0.1:1/nothing", `postgres://u:p@127.0.0.1:${port}/silent`];
  withoutArchive = Promise.all(
    archives.map((archive) => world(hello, { archive, window: 8_000, deadlineMs: 500 })),
  );
});
afterAll(() => silent.close());

interface Answer {
  readonly status: number | undefined;
  readonly headers: readonly string[];
  readonly bytes: Buffer;
}

/** A request without any help by a client library. */
function ask(
  url: string,
  { method = "POST", path = "/v1/chat/completions", headers = {}, body = Buffer.alloc(0) }: Asked = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = http.request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({ status: answer.statusCode, headers: answer.rawHeaders, bytes: Buffer.concat(chunks) }),
      );
    });
    request.on("error", reject);
    request.end(body);
  });
}

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: Buffer | string;
}

/** Sends raw bytes and gives back all that comes. */
function sendRaw(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

const CONNECTION = new Set(["connection", "keep-alive", "transfer-encoding", "x-request-id"]);
const lasting = (headers: readonly string[]): readonly string[] =>
  Array.from({ length: headers.length / 2 }, (_, at) => `${headers[at * 2]}: ${headers[at * 2 + 1]}`).filter(
    (line) => !CONNECTION.has(line.split(":")[0]!.toLowerCase()),
  );

test.each([true, false])(
  "an answer has the bytes and headers that it has without the gateway (stream %s)",
  async (stream) => {
    const events = chat.events({ text: "Grüße, 世界. ".repeat(200), calls: [] }, "x").join("");
    const { provider, gateway } = await world((_, response) => {
      const headers = [
        "Date",
        "Thu, 01 Jan 2026 00:00:00 GMT",
        "X-RateLimit-Remaining",
        "7",
        "x-twice",
        "1",
        "x-twice",
        "2",
      ];
      if (stream)
        response.writeHead(200, "Fine", ["Content-Type", "text/event-stream", ...headers]).end(events);
      else response.writeHead(200, "Fine", ["Content-Encoding", "gzip", ...headers]).end(gzipSync(events));
    });
    const body = JSON.stringify(chat.body([chat.user("hi")], { stream }));
    const [direct, through] = [await ask(provider.url, { body }), await ask(gateway.url, { body })];
    expect(through.status).toBe(200);
    expect(through.bytes.equals(direct.bytes)).toBe(true);
    expect(lasting(through.headers)).toEqual(lasting(direct.headers));
    expect((stream ? through.bytes : gunzipSync(through.bytes)).toString()).toBe(events);
  },
);

test("a request has its bytes, path, query and headers upstream, whatever it is about", async () => {
  const { provider, gateway } = await world();
  const odd = Buffer.from([0, 255, 254, 10, 13]);
  await ask(gateway.url, {
    method: "PUT",
    path: "/v1/files/a%20b?x=1&x=2",
    headers: {
      Authorization: "Bearer sk-own",
      "X-Odd": "a, b",
      Connection: "keep-alive, X-Gone",
      "X-Gone": "1",
    },
    body: odd,
  });
  const [{ method, path, headers, bytes }] = provider.received as [(typeof provider.received)[number]];
  expect([method, path]).toEqual(["PUT", "/v1/files/a%20b?x=1&x=2"]);
  expect(bytes.equals(odd)).toBe(true);
  expect(headers).toMatchObject({
    authorization: "Bearer sk-own",
    "x-odd": "a, b",
    host: new URL(provider.url).host,
  });
  expect(headers["x-gone"]).toBeUndefined();
});

test("a packed body passes as it is, and is read to be compacted where that is due", async () => {
  const { provider, gateway } = await world(hello, { window: 8_000 });
  const small = gzipSync(JSON.stringify(chat.body([chat.user("hi")])));
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  await ask(gateway.url, { headers, body: small });
  await ask(gateway.url, { headers, body: gzipSync(JSON.stringify(chat.body(longHistory(chat)))) });
  await ask(gateway.url, { headers, body: "no gzip at all" });
  const [first, second, third] = provider.received;
  expect(first!.bytes.equals(small)).toBe(true);
  expect(first!.headers["content-encoding"]).toBe("gzip");
  expect(second!.headers["content-encoding"]).toBeUndefined();
  expect(second!.text).toContain("[Pith hand-off]");
  expect(chat.faults(second!.body)).toEqual([]);
  expect(third!.text).toBe("no gzip at all");
});

/** A conversation of about 12,000 tokens. */
function longHistory(wire: Wire, turns = 40): readonly Json[] {
  const textOf = (turn: number) => `export const port${turn} = ${7000 + turn};\n`.repeat(20);
  return modulesRead(wire, { title: "Ports", turns, textOf });
}

test("a request keeps its id, or gets one, and the answer and the log name it", async () => {
  const { provider, gateway } = await world();
  const body = JSON.stringify(chat.body([chat.user("hi")]));
  const kept = await ask(gateway.url, { body, headers: { "x-request-id": "mine-1" } });
  await ask(gateway.url, { body });
  expect(kept.headers.join()).toContain("mine-1");
  expect(gateway.log.join()).toContain('"request":"mine-1"');
  expect(provider.received[0]!.headers["x-request-id"]).toBe("mine-1");
  expect(provider.received[1]!.headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
});

test("a client that goes away takes its request upstream along", async () => {
  const closed = Promise.withResolvers<void>();
  const { gateway } = await world((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: {}\n\n");
    response.on("close", closed.resolve);
  });
  const request = http.request(`${gateway.url}/v1/chat/completions`, { method: "POST" }, (answer) => {
    answer.on("error", () => {});
    answer.once("data", () => request.destroy());
  });
  request.on("error", () => {});
  request.end(JSON.stringify(chat.body([chat.user("hi")], { stream: true })));
  await closed.promise;
});

test("an upstream that breaks off breaks the client's answer off too", async () => {
  const { gateway } = await world((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: {}\n\n", () => response.destroy());
  });
  await expect(ask(gateway.url, { body: JSON.stringify(chat.body([chat.user("hi")])) })).rejects.toThrow();
});

test("a client that reads slowly slows the upstream down", async () => {
  let written = 0;
  const { gateway } = await world((_, response) => {
    const chunk = Buffer.alloc(64 * 1024);
    const pump = (): void => {
      while (!response.destroyed && written < 256 * 1024 ** 2) {
        written += chunk.length;
        if (!response.write(chunk)) {
          response.once("drain", pump);
          return;
        }
      }
      response.end();
    };
    pump();
  });
  const answer = await new Promise<IncomingMessage>((resolve) => {
    http.get(`${gateway.url}/v1/files/big`, resolve);
  });
  let before = -1;
  while (before !== written) {
    before = written;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  answer.destroy();
  expect(written).toBeLessThan(64 * 1024 ** 2);
});

test("keys decide who is let in, tenants do not share what is known, and a key never goes upstream", async () => {
  const file = join(folder, "keys");
  const digest = (key: string): string => createHash("sha256").update(key).digest("hex");
  writeFileSync(file, `# who\nalpha ${digest("key-a")}\n\nbeta ${digest("key-b")} # the other\n`);
  const { provider, gateway } = await world(hello, { keys: createKeyring(file), window: 8_000 });
  const history = longHistory(chat);
  const url = `${gateway.url}${chat.path}`;
  expect((await post(url, chat.body(history))).status).toBe(401);
  expect((await post(url, chat.body(history), { "x-pith-key": "key-c" })).status).toBe(401);
  expect(provider.received).toHaveLength(0);
  for (const key of ["key-a", "key-b", "key-a"]) {
    expect((await post(url, chat.body(history), { "x-pith-key": key })).status).toBe(200);
  }
  expect(provider.received.every(({ headers }) => headers["x-pith-key"] === undefined)).toBe(true);
  const outcomes = gateway.log.flatMap((line) => JSON.parse(line).outcome ?? []);
  expect(outcomes).toEqual(["compacted", "compacted", "replayed"]);
});

test.each([
  ["alpha", "a tenant's name and the SHA-256"],
  ["alpha 1234", "a tenant's name and the SHA-256"],
  ["# nobody", "no key in it"],
])("a file of keys that says %o is refused", (line, why) => {
  const file = join(folder, "bad-keys");
  writeFileSync(file, `${line}\n`);
  expect(() => readKeys(file)).toThrow(why);
});

test("limits hold: a body, headers, a target, and a client that never ends its headers", async () => {
  const { provider, gateway } = await world(hello, {
    maxBodyBytes: 10_000,
    maxHeaderBytes: 8_192,
    headersTimeoutMs: 500,
  });
  const body = JSON.stringify(chat.body([chat.user("x".repeat(20_000))]));
  const large = await ask(gateway.url, { body });
  expect([large.status, large.bytes.toString()]).toEqual([413, expect.stringContaining("10000 bytes")]);
  expect((await ask(gateway.url, { body: "{}", headers: { "x-long": "x".repeat(9_000) } })).status).toBe(431);
  // Packed, it is short: it is passed on unread.
  await ask(gateway.url, { body: gzipSync(body), headers: { "content-encoding": "gzip" } });
  expect(provider.received).toHaveLength(1);
  expect(await sendRaw(gateway.url, "POST /v1/messages HTTP/1.1\r\nHost: x\r\nX-Slow: ")).toContain("408");
});

test("no request reaches another host than the upstream", async () => {
  const { provider, gateway } = await world();
  const elsewhere = await startProvider(hello);
  const host = new URL(elsewhere.url).host;
  const get = (target: string, more = ""): Promise<string> =>
    sendRaw(gateway.url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`);
  expect(await get(`http://${host}/v1/models`)).toContain("400");
  expect(await get(`/v1/../../admin`)).toContain("400");
  expect(await get(`/v1/%2e%2e/admin`)).toContain("400");
  expect(await get(`@${host}/`)).toContain("400");
  await get(`//${host}/v1/models`, `X-Forwarded-Host: ${host}\r\n`);
  expect(await sendRaw(gateway.url, `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).not.toContain(
    " 200 ",
  );
  expect(provider.received.map(({ path, headers }) => [path, headers.host])).toEqual([
    [`//${host}/v1/models`, new URL(provider.url).host],
  ]);
  expect(elsewhere.received).toHaveLength(0);
  await elsewhere.close();
});

test.each([
  ["ftp://x", "http(s) address"],
  ["https://key@x", "without a key"],
  ["nothing", "http(s) address"],
])("an upstream of %o is refused", (address, why) => {
  expect(() => readUpstreams([address])).toThrow(why);
});

test("two providers have an upstream each, and one that was given with its version has it once", async () => {
  const [openai, anthropic] = [await startProvider(hello), await startProvider(hello)];
  const upstreams = readUpstreams([`openai=${openai.url}/v1`, `anthropic=${anthropic.url}/base`]);
  const gateway = await gatewayTo(openai.url, { upstreams });
  await post(`${gateway.url}${chat.path}`, chat.body([chat.user("hi")]));
  await ask(gateway.url, {
    method: "GET",
    path: "/v1/models",
    headers: { "anthropic-version": "2023-06-01" },
  });
  await ask(gateway.url, { path: "/v1/messages?beta=true", body: "{}" });
  await gateway.stop();
  await Promise.all([openai.close(), anthropic.close()]);
  expect(openai.received.map(({ path }) => path)).toEqual(["/v1/chat/completions"]);
  expect(anthropic.received.map(({ path }) => path)).toEqual([
    "/base/v1/models",
    "/base/v1/messages?beta=true",
  ]);
});

const tooLong = JSON.stringify({
  error: { message: "This model's maximum context length is 6000 tokens.", code: "context_length_exceeded" },
});

test("a request that the provider finds too long is compacted and sent once more", async () => {
  const { provider, gateway } = await world((request, response, index) => {
    if (request.text.length > 20_000)
      response.writeHead(400, { "content-type": "application/json" }).end(tooLong);
    else hello(request, response, index);
  });
  const history = longHistory(chat);
  const answer = await post(`${gateway.url}${chat.path}`, chat.body(history));
  expect(answer.status).toBe(200);
  expect(provider.received).toHaveLength(2);
  expect(chat.faults(provider.received[1]!.body)).toEqual([]);
  // The next turn builds on it: what is too long is not sent again.
  await post(
    `${gateway.url}${chat.path}`,
    chat.body([...history, ...chat.heard((await answer.json()) as Json), chat.user("Go on.")]),
  );
  expect(provider.received).toHaveLength(3);
  const before = provider.received[1]!.body.messages as Json[];
  expect((provider.received[2]!.body.messages as Json[]).slice(0, before.length)).toEqual(before);
});

test("another refusal, and a second one, come back to the client as they are", async () => {
  const { provider, gateway } = await world((request, response) => {
    const text = request.body.wrong ? '{"error":{"message":"no such model"}}' : tooLong;
    response.writeHead(400, { "content-type": "application/json", "content-length": text.length }).end(text);
  });
  const wrong = await post(`${gateway.url}${chat.path}`, chat.body(longHistory(chat), { wrong: true }));
  expect([wrong.status, await wrong.text()]).toEqual([400, '{"error":{"message":"no such model"}}']);
  expect(provider.received).toHaveLength(1);
  const refused = await post(`${gateway.url}${chat.path}`, chat.body(longHistory(chat)));
  expect([refused.status, await refused.text()]).toEqual([400, tooLong]);
  expect(provider.received).toHaveLength(3);
});

test("past the deadline the original goes on where it fits; where it does not, the compaction is waited for", async () => {
  // A preset that compacts at half of the window: with the default one, what fits is seldom due.
  const { provider, gateway } = await world(hello, { window: 8_000, deadlineMs: 1, preset: "gptme" });
  const url = `${gateway.url}${chat.path}`;
  const fitting = chat.body(longHistory(chat, 22));
  await post(url, fitting);
  expect(provider.received[0]!.body).toEqual(fitting);
  expect(gateway.log.join()).toContain('"outcome":"failed-open"');
  await post(url, chat.body(longHistory(chat, 70)));
  expect(provider.received[1]!.body).not.toEqual(chat.body(longHistory(chat, 70)));
  expect(gateway.log.join()).toContain('"outcome":"compacted"');
});

test("no key of a provider and no secret of a conversation is in the log or in the archive", async () => {
  const archive = join(folder, "secrets.sqlite");
  const { provider, gateway } = await world(hello, { archive, window: 8_000 });
  const keys = ["sk-proj-4f9aT0vQx7LmZk2Wn8Rb3Yc6", "sk-ant-api03-Zp4Qm8Xv2Lk9Wt6Rb1Yc7Nd3"];
  const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  const history = longHistory(chat).map((message, at) =>
    at === 0 ? chat.user(`Use the token ${token} for GitHub, always. Read the modules.`) : message,
  );
  const headers = { authorization: `Bearer ${keys[0]}`, "x-api-key": keys[1]! };
  await post(`${gateway.url}${chat.path}?key=${keys[0]}`, chat.body(history), headers);
  expect(provider.received[0]!.headers).toMatchObject(headers);
  expect(gateway.log.join()).toContain('"outcome":"compacted"');
  const stored = readdirSync(folder)
    .filter((name) => name.startsWith("secrets.sqlite"))
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join();
  for (const secret of [...keys, token]) {
    expect(gateway.log.join()).not.toContain(secret);
    expect(stored).not.toContain(secret);
  }
  expect(JSON.stringify(provider.received[0]!.body)).not.toContain(token);
});

test("health, readiness and metrics are told", async () => {
  const { provider, gateway } = await world(hello, { window: 8_001 });
  await post(`${gateway.url}${messages.path}`, messages.body(longHistory(messages)));
  await post(`${gateway.url}/v1/messages/count_tokens`, messages.body(longHistory(messages)));
  expect(provider.received[1]!.body.messages).toEqual(provider.received[0]!.body.messages);
  const read = async (path: string) => (await fetch(`${gateway.url}${path}`)).text();
  expect(await read("/healthz")).toBe("ok\n");
  expect(await read("/readyz")).toBe("ready\n");
  const metrics = await read("/metrics");
  expect(metrics).toContain('pith_gateway_preparations_total{outcome="compacted"} 1');
  expect(metrics).toContain('pith_gateway_preparations_total{outcome="replayed"} 1');
  expect(metrics).toContain('pith_gateway_requests_total{api="messages",status="200"} 1');
  expect(metrics).toMatch(/pith_gateway_tokens_saved_total \d{4,}/);
});

test("an upstream that is not there is said to be so", async () => {
  const gateway = await gatewayTo("http://127.0.0.1:1");
  const answer = await post(`${gateway.url}${messages.path}`, messages.body([messages.user("hi")]));
  await gateway.stop();
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({ type: "error", error: { code: "pith_upstream_failed" } });
});

test("an archive that is down or silent stops nothing: what fits goes as it is, and the rest is compacted without it", async () => {
  for (const { provider, gateway } of await withoutArchive) {
    const url = `${gateway.url}${chat.path}`;
    const fitting = chat.body(longHistory(chat, 22));
    expect((await post(url, fitting)).status).toBe(200);
    expect(provider.received[0]!.body).toEqual(fitting);
    const history = longHistory(chat, 70);
    expect((await post(url, chat.body(history))).status).toBe(200);
    expect(provider.received[1]!.text.length).toBeLessThan(JSON.stringify(history).length / 2);
    expect(chat.faults(provider.received[1]!.body)).toEqual([]);
    expect(provider.received[1]!.text).not.toMatch(/pith:[0-9a-z]{8}/);
    await post(url, chat.body([...history, { role: "assistant", content: "Done." }, chat.user("Go on.")]));
    const before = provider.received[1]!.body.messages as Json[];
    expect((provider.received[2]!.body.messages as Json[]).slice(0, before.length)).toEqual(before);
    const outcomes = gateway.log.flatMap((line) => JSON.parse(line).outcome ?? []);
    expect(outcomes.slice(0, 2)).toEqual(["failed-open", "compacted-without-archive"]);
    expect(gateway.log.join()).not.toContain("u:p@");
  }
});
