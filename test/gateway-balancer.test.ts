/** The balancer of the compose file, as nginx reads it, before several gateways and one inspector. Skipped without nginx. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import type { ConversationRow } from "../src/inspect/views.ts";
import { modulesRead } from "./gateway-talk.ts";
import { wires } from "./gateway-wires.ts";
import {
  gatewayTo,
  outcomesOf,
  type Provider,
  post,
  speaking,
  startProvider,
  type TestGateway,
} from "./gateway-world.ts";
import { keyringOf } from "./keyring-of.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

const nginx = ["nginx", "/usr/sbin/nginx"].find((each) => !spawnSync(each, ["-v"]).error);
if (!nginx) process.stderr.write("\nSKIPPED: nginx is not here: the balancer is not tried.\n\n");

const folder = mkdtempSync(join(tmpdir(), "pith-balancer-"));
const [chat] = wires;
const key = { "x-pith-key": "k1" };
let postgres: PostgresServer;
let provider: Provider;
let replicas: readonly TestGateway[] = [];
let inspector: TestGateway;
let balancer: ChildProcess | undefined;
let url = "";

/** The compose file's, with the addresses that Docker would give. */
function configuration(port: number): string {
  const { configs } = parse(readFileSync(join(import.meta.dirname, "../compose.yaml"), "utf8"), {
    merge: true,
  });
  const hostOf = (gateway: TestGateway): string => `127.0.0.1:${new URL(gateway.url).port}`;
  const content = String(configs.balancer.content)
    .replaceAll("$$", "$")
    .replace(/^resolver .*$/m, "")
    .replace("listen 80;", `listen 127.0.0.1:${port};`)
    .replace("http://gateway:7483", "http://gateways")
    .replace("http://inspector:7483", `http://${hostOf(inspector)}`);
  const servers = replicas.map((replica) => `server ${hostOf(replica)};`).join(" ");
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  return `daemon off; pid ${folder}/pid; error_log stderr; events {}
    http { access_log off; ${places.join(" ")} upstream gateways { ${servers} } ${content} }`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

beforeAll(async () => {
  if (!nginx) return;
  provider = await startProvider(speaking(() => ({ text: "Hello.", calls: [] })));
  postgres = await startPostgres();
  const settings = {
    archive: await postgres.createDatabase("balanced"),
    host: "0.0.0.0",
    window: 6_000,
    keys: keyringOf({ acme: "k1" }),
  };
  const closed = { ...settings, inspect: false };
  replicas = await Promise.all([1, 2, 3].map(() => gatewayTo(provider.url, closed)));
  inspector = await gatewayTo(provider.url, settings);
  const port = await freePort();
  const file = join(folder, "nginx.conf");
  mkdirSync(join(folder, "logs"));
  writeFileSync(file, configuration(port));
  balancer = spawn(nginx, ["-p", folder, "-c", file], { stdio: ["ignore", "inherit", "inherit"] });
  url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) await new Promise((resolve) => setTimeout(resolve, 50));
}, 120_000);

afterAll(async () => {
  balancer?.kill("SIGTERM");
  await Promise.all([...replicas, ...(inspector ? [inspector] : [])].map(({ stop }) => stop()));
  await provider?.close();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(!nginx)("requests are spread, and what one gateway compacted another replays", async () => {
  const body = chat!.body(modulesRead(chat!, { title: "one" }));
  const texts = new Set<string>();
  for (let turn = 0; turn < 6; turn++) {
    expect((await post(`${url}${chat!.path}`, body, key)).status).toBe(200);
    texts.add(provider.received.at(-1)!.text);
  }
  expect(replicas.map((replica) => outcomesOf(replica).length)).toEqual([2, 2, 2]);
  const outcomes = replicas.flatMap((replica) => outcomesOf(replica)).toSorted();
  expect(outcomes).toEqual(["compacted", ...Array.from({ length: 5 }, () => "replayed")]);
  expect(texts.size).toBe(1);
  expect((await post(`${url}${chat!.path}`, body)).status).toBe(401);
});

test.skipIf(!nginx)("the inspector lets a tenant in, and stays open from page to page", async () => {
  const page = await fetch(`${url}/inspect`, { redirect: "follow" });
  expect([page.status, await page.text()]).toEqual([401, expect.stringContaining("key")]);
  const entered = await fetch(`${url}/inspect/enter`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: url },
    body: new URLSearchParams({ key: "k1" }),
  });
  expect([entered.status, entered.headers.get("location")]).toEqual([303, "/inspect/"]);
  const cookie = entered.headers.get("set-cookie")!.split(";")[0]!;
  for (let look = 0; look < 6; look++) {
    const answer = await fetch(`${url}/inspect/api/conversations`, { headers: { cookie } });
    const rows = (await answer.json()) as readonly ConversationRow[];
    expect([answer.status, rows.map(({ compactions }) => compactions)]).toEqual([200, [1]]);
  }
  // What a browser sends from the page itself passes, and what it sends from another does not.
  const preview = (origin: string) =>
    fetch(`${url}/inspect/api/preview`, {
      method: "POST",
      headers: { cookie, origin, "content-type": "application/json" },
      body: "{}",
    });
  expect((await preview(url)).status).toBe(400);
  expect((await preview("http://evil.example")).status).toBe(403);
  const live = await fetch(`${url}/inspect/api/live`, { headers: { cookie } });
  const reader = live.body!.pipeThrough(new TextDecoderStream()).getReader();
  let heard = "";
  while (!heard.includes("acme/")) heard += (await reader.read()).value;
  await reader.cancel();
});
