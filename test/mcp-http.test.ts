/** `pith mcp --http`, spoken to by the official client, and by those who should not be let in. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Archive } from "../src/archive/archive.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { type HttpDoor, serveOverHttp } from "../src/mcp/http.ts";
import { serverMaker } from "../src/mcp/server.ts";
import { mcpTools } from "../src/mcp/tools.ts";
import { ask, eras, fillArchive, idsIn, logId, overHttp } from "./mcp-session.ts";
import { program, runPith } from "./run-pith.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-test-"));
const file = join(folder, "a.sqlite");
let archive: Archive;

beforeAll(async () => {
  await fillArchive(file);
  archive = sqliteArchive({ file, readOnly: true });
});

afterAll(async () => {
  await archive.close!();
  rmSync(folder, { recursive: true, force: true });
});

interface Serving {
  readonly host?: string;
  readonly key?: string;
  readonly log?: (line: string) => void;
}

async function open({ host = "127.0.0.1", key, log = () => {} }: Serving = {}): Promise<HttpDoor> {
  const makeServer = serverMaker({ tools: mcpTools(archive), version: "0.0.0", log });
  return serveOverHttp(() => makeServer, { host, port: 0, key, log });
}

async function serving(options: Serving, work: (url: string) => Promise<void>): Promise<void> {
  const door = await open(options);
  try {
    await work(door.url);
  } finally {
    await door.stop();
  }
}

interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A request as any program may send it: `fetch` would not lie about its Host. */
async function send(
  url: string,
  { method = "POST", path = "/mcp", headers = {}, body = list }: RawRequest = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(url);
  const outgoing = request({
    hostname,
    port,
    path,
    method,
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...headers,
    },
  });
  outgoing.on("error", () => {});
  outgoing.end(method === "POST" ? body : undefined);
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of incoming) text += chunk;
  return { status: incoming.statusCode!, text };
}

const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

for (const era of eras) {
  test(`a client of the ${era} kind lists, searches and opens over HTTP`, () =>
    serving({}, async (url) => {
      const client = await overHttp(url, { era });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["recall_search", "recall_expand"]);
      const found = await ask(client, "recall_search", { query: "what is the bucket called?" });
      expect(found.text).toContain("heron-artifacts-7");
      const opened = await ask(client, "recall_expand", { id: idsIn(found.text)[0] });
      expect(opened.isError).toBe(false);
      const unknown = await ask(client, "recall_expand", { id: "pith:zzzzzzzzzzzz" });
      expect(unknown.isError).toBe(true);
      expect((await ask(client, "recall_search", { query: 7 })).isError).toBe(true);
      await expect(client.callTool({ name: "nope", arguments: {} })).rejects.toMatchObject({ code: -32602 });
      await client.close();
    }));
}

test("two clients ask at once and each gets its own answers", () =>
  serving({}, async (url) => {
    const clients = await Promise.all(eras.map((era) => overHttp(url, { era })));
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        ask(clients[at % 2]!, "recall_expand", { id: logId, grep: `part-${1_000 + at}.c` }),
      ),
    );
    answers.forEach(({ text }, at) => {
      expect(text).toContain(`${1_000 + at}: compiled src/part-${1_000 + at}.c`);
      expect(text).toContain("1 of 1 matching lines");
    });
    for (const client of clients) await client.close();
  }));

test("a web page is refused by its Origin, and one that took the address for its own name by its Host", () =>
  serving({}, async (url) => {
    const { port } = new URL(url);
    expect((await send(url)).status).toBe(200);
    for (const origin of ["https://evil.example", "null", "http://127.0.0.1.evil.example", "file://"]) {
      const { status, text } = await send(url, { headers: { Origin: origin } });
      expect([origin, status]).toEqual([origin, 403]);
      expect(text).not.toContain("recall_search");
    }
    for (const host of ["evil.example", `evil.example:${port}`, "localhost.evil.example", "0.0.0.0"]) {
      expect([host, (await send(url, { headers: { Host: host } })).status]).toEqual([host, 403]);
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect([host, (await send(url, { headers: { Host: host } })).status]).toEqual([host, 200]);
    }
    expect((await send(url, { headers: { Origin: "http://localhost:6274" } })).status).toBe(200);
  }));

test("with a key only those who present it are answered", () =>
  serving({ key: "correct horse" }, async (url) => {
    for (const authorization of [
      undefined,
      "",
      "Bearer",
      "Bearer wrong",
      "Basic correct horse",
      "correct horse",
    ]) {
      const headers = authorization === undefined ? {} : { Authorization: authorization };
      const { status, text } = await send(url, { headers });
      expect([authorization, status]).toEqual([authorization, 401]);
      expect(text).not.toContain("horse");
    }
    await expect(overHttp(url)).rejects.toThrow();
    const client = await overHttp(url, { headers: { Authorization: "Bearer correct horse" } });
    expect((await client.listTools()).tools).toHaveLength(2);
    await client.close();
  }));

test("an address that other machines reach needs a key", async () => {
  for (const host of ["0.0.0.0", "::", "192.0.2.7", "example.org"]) {
    await expect(open({ host })).rejects.toMatchObject({ code: "INVALID_OPTIONS", option: "--host" });
    await expect(open({ host, key: "" })).rejects.toMatchObject({ option: "--host" });
  }
  await serving({ host: "0.0.0.0", key: "k" }, async (url) => {
    const local = url.replace("0.0.0.0", "127.0.0.1");
    expect((await send(local, { headers: { Host: "box.example" } })).status).toBe(401);
    const headers = { Host: "box.example", Authorization: "Bearer k" };
    expect((await send(local, { headers })).status).toBe(200);
    expect((await send(local, { headers: { ...headers, Origin: "http://box.example" } })).status).toBe(403);
  });
});

test("other paths, methods, content types and bodies that are too large or no JSON are refused", () => {
  const lines: string[] = [];
  return serving({ log: (line) => lines.push(line) }, async (url) => {
    expect((await send(url, { path: "/" })).status).toBe(404);
    expect((await send(url, { path: "/mcp/../etc/passwd" })).status).toBe(404);
    expect((await send(url, { path: "//mcp" })).status).toBe(404);
    expect((await send(url, { method: "GET" })).status).toBe(405);
    expect((await send(url, { method: "DELETE" })).status).toBe(405);
    expect((await send(url, { headers: { "Content-Type": "text/plain" } })).status).toBe(415);
    expect((await send(url, { body: "{nope" })).status).toBe(400);
    expect((await send(url, { body: `"${"x".repeat(2 << 20)}"` })).status).toBe(413);
    const chunked = { body: `"${"x".repeat(2 << 20)}"`, headers: { "Transfer-Encoding": "chunked" } };
    expect((await send(url, chunked)).status).toBe(413);
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect((await send(url, { body: deep })).status).toBeGreaterThanOrEqual(400);
    await expect(send(url, { method: "TRACE" })).rejects.toThrow();
    expect((await send(url)).status).toBe(200);
    expect(lines.length).toBeGreaterThan(0);
  });
});

test("a failure inside a tool is told without its details, and logged with them", async () => {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const tools = [
    {
      name: "broken",
      description: "Fails.",
      parameters: { type: "object" },
      run: () => Promise.reject(new TypeError("the secret inside")),
    },
  ];
  const door = await serveOverHttp(() => serverMaker({ tools, version: "0.0.0", log }), {
    host: "127.0.0.1",
    port: 0,
    log,
  });
  const client = await overHttp(door.url);
  const { isError, text } = await ask(client, "broken", {});
  expect(isError).toBe(true);
  expect(text).not.toContain("secret");
  expect(lines.join("\n")).toContain("the secret inside");
  await client.close();
  await door.stop();
});

test("stopping waits for the answer that is under way and frees the port", async () => {
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const tools = [
    {
      name: "slow",
      description: "Takes its time.",
      parameters: { type: "object" },
      run: async () => {
        begun.resolve();
        await finish.promise;
        return { text: "done after all", isError: false };
      },
    },
  ];
  const door = await serveOverHttp(() => serverMaker({ tools, version: "0.0.0", log: () => {} }), {
    host: "127.0.0.1",
    port: 0,
    log: () => {},
  });
  const client = await overHttp(door.url);
  const answer = ask(client, "slow", {});
  await begun.promise;
  const stopped = door.stop();
  finish.resolve();
  expect((await answer).text).toBe("done after all");
  await stopped;
  await expect(send(door.url)).rejects.toThrow();
});

test("stopping does not wait for ever for a client that holds its connection", async () => {
  const door = await open();
  const { port } = new URL(door.url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
  );
  const closed = once(socket, "close");
  await door.stop();
  await closed;
});

test("the program serves over HTTP until it is told to stop, and says where", async () => {
  const child = spawn(process.execPath, [program, "mcp", "--http", "--port", "0", "--archive", file], {
    env: { ...process.env, PITH_MCP_KEY: "from the environment" },
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  while (!stderr.includes("/mcp")) await once(child.stderr, "data");
  const url = /http:\S+\/mcp/.exec(stderr)![0];
  expect(stderr).not.toContain("from the environment");
  expect((await send(url)).status).toBe(401);
  const client = await overHttp(url, { headers: { Authorization: "Bearer from the environment" } });
  expect((await ask(client, "recall_search", { query: "bucket" })).text).toContain("heron-artifacts-7");
  const taken = await runPith(["mcp", "--http", "--port", new URL(url).port, "--archive", file]);
  expect(taken.exitCode).toBe(2);
  expect(taken.stderr).toContain("another program listens there");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  await client.close();
  const open = await runPith(["mcp", "--http", "--host", "0.0.0.0", "--archive", file]);
  expect(open.exitCode).toBe(2);
  expect(open.stderr).toContain("PITH_MCP_KEY");
});
