/** What /metrics says, read as Prometheus reads it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { modulesRead } from "./gateway-talk.ts";
import { wires } from "./gateway-wires.ts";
import { eventsOf, gatewayTo, post, speaking, startProvider } from "./gateway-world.ts";
import { keyringOf } from "./keyring-of.ts";
import { startPostgres } from "./postgres-server.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-metrics-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [chat, messages] = wires;

/** The value of each series, by its name and labels. Fails on a line that Prometheus would not read, and on a series told twice. */
async function scraped(url: string, key?: string): Promise<ReadonlyMap<string, number>> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const series = new Map<string, number>();
  for (const line of text
    .trimEnd()
    .split("\n")
    .filter((each) => !each.startsWith("# "))) {
    const [, name, value] = /^([a-z_]+(?:\{(?:[a-z]+="[^"\\]*",?)+\})?) (\S+)$/.exec(line) ?? [];
    expect([line, Number.isFinite(Number(value))]).toEqual([line, true]);
    expect([name, series.has(name!)]).toEqual([name, false]);
    series.set(name!, Number(value));
  }
  return series;
}

test("how long the upstream took is told by API, and by tenant and model to those who may see it", async () => {
  const answer = speaking(() => ({ text: "Hello.", calls: [] }));
  const provider = await startProvider((...given) => void setTimeout(() => answer(...given), 60));
  const keys = keyringOf({ acme: "k1", globex: "k2", "*": "k3" });
  const gateway = await gatewayTo(provider.url, { keys });
  const ask = (wire: typeof chat, key: string) =>
    post(`${gateway.url}${wire!.path}`, wire!.body([wire!.user("hi")]), { "x-pith-key": key });
  await ask(chat, "k1");
  await ask(chat, "k2");
  await ask(messages, "k1");
  const open = await scraped(gateway.url);
  const [name, labels] = ["pith_gateway_upstream_seconds", 'api="chat"'];
  expect(open.get(`${name}_count{${labels}}`)).toBe(2);
  expect(open.get(`${name}_count{api="messages"}`)).toBe(1);
  expect(open.get(`${name}_bucket{${labels},le="0.05"}`)).toBe(0);
  expect(open.get(`${name}_bucket{${labels},le="+Inf"}`)).toBe(2);
  expect(open.get(`${name}_sum{${labels}}`)).toBeGreaterThan(0.1);
  const bounds = [...open]
    .filter(([each]) => each.startsWith(`${name}_bucket{${labels}`))
    .map(([, at]) => at);
  expect(bounds).toEqual(bounds.toSorted((one, other) => one - other));
  const model = String(chat!.body([]).model);
  const own = (tenant: string) =>
    `pith_gateway_tenant_upstream_seconds_total{tenant="${tenant}",model="${model}"}`;
  expect([...open.keys()].filter((each) => each.includes("tenant="))).toEqual([]);
  expect((await scraped(gateway.url, "k3")).get(own("globex"))).toBeGreaterThan(0.05);
  const acme = await scraped(gateway.url, "k1");
  expect(acme.get(own("acme"))).toBeGreaterThan(0.05);
  expect(acme.has(own("globex"))).toBe(false);
  const logged = eventsOf(gateway, "request").map(({ upstreamMs }) => upstreamMs as number);
  expect(Math.min(...logged)).toBeGreaterThan(50);
  await gateway.stop();
  await provider.close();
});

test("a key or another secret in a request's id or model is neither in the log nor in the metrics, whatever is before it", async () => {
  const provider = await startProvider(speaking(() => ({ text: "Hello.", calls: [] })));
  const gateway = await gatewayTo(provider.url);
  const own = "company-key-of-no-known-shape";
  const known = `sk-${"proj-"}${"Ab3dEf9h".repeat(5)}`;
  const names = [own, `team-${own}`, known, `req-${known}`, `gpt-5_${known}`];
  for (const name of names) {
    const body = { ...chat!.body([chat!.user("hi")]), model: name };
    const headers = { "x-request-id": name, authorization: `Bearer ${own}` };
    expect((await post(`${gateway.url}${chat!.path}`, body, headers)).status).toBe(200);
  }
  const series = await scraped(gateway.url);
  const told = [...gateway.log, ...series.keys()].join("\n");
  for (const secret of [own, known]) expect(told).not.toContain(secret);
  const requests = eventsOf(gateway, "request").map(({ request, model }) => [request, model]);
  const masked = [
    "[redacted: key]",
    "team-[redacted: key]",
    "[redacted: openai]",
    "req-[redacted: openai]",
    "[redacted: token]",
  ];
  expect(requests).toEqual(masked.map((name) => [name, name]));
  const sent = provider.received.map(({ headers, body }) => [headers["x-request-id"], body.model]);
  expect(sent).toEqual(names.map((name) => [name, name]));
  await gateway.stop();
  await provider.close();
});

test("who names ever more models gets no more series, and takes none from others", async () => {
  const provider = await startProvider(speaking(() => ({ text: "Hello.", calls: [] })));
  const keys = keyringOf({ acme: "k1", globex: "k2", "*": "k3" });
  const gateway = await gatewayTo(provider.url, { keys });
  const ask = (model: string, key: string) =>
    post(`${gateway.url}${chat!.path}`, { ...chat!.body([chat!.user("hi")]), model }, { "x-pith-key": key });
  for (let at = 0; at < 120; at++) await ask(`model-${at}`, "k1");
  await ask("model-of-globex", "k2");
  const name = "pith_gateway_tenant_requests_total";
  const series = await scraped(gateway.url, "k3");
  const acme = [...series].filter(([each]) => each.startsWith(`${name}{tenant="acme"`));
  expect(acme).toHaveLength(101);
  expect(series.get(`${name}{tenant="acme",model="other"}`)).toBe(20);
  expect(series.get(`${name}{tenant="globex",model="model-of-globex"}`)).toBe(1);
  await gateway.stop();
  await provider.close();
});

test("that the archive is down is told by a gauge and once in the log, and that it is back", async () => {
  const postgres = await startPostgres();
  onTestFinished(postgres.stop);
  const provider = await startProvider(speaking(() => ({ text: "Hello.", calls: [] })));
  const archive = await postgres.createDatabase("health");
  const gateway = await gatewayTo(provider.url, { archive, window: 6_000 });
  const isUp = async () => (await scraped(gateway.url)).get("pith_gateway_archive_up");
  const ask = async (title: string) => {
    const answer = await post(`${gateway.url}${chat!.path}`, chat!.body(modulesRead(chat!, { title })));
    expect(answer.status).toBe(200);
  };
  expect(await isUp()).toBeUndefined();
  await ask("one");
  expect(await isUp()).toBe(1);
  await postgres.down();
  await ask("two");
  await ask("three");
  expect(await isUp()).toBe(0);
  expect(eventsOf(gateway, "archive-down")).toEqual([
    expect.objectContaining({ level: "error", reason: expect.stringContaining("archive") }),
  ]);
  await postgres.up();
  // It is left alone for a while after a failure.
  for (let at = 0; (await isUp()) === 0; at++) await ask(`again ${at}`);
  expect(eventsOf(gateway, "archive-up")).toHaveLength(1);
  await gateway.stop();
  await provider.close();
}, 120_000);

test("writes to the archive are timed", async () => {
  const provider = await startProvider(speaking(() => ({ text: "Hello.", calls: [] })));
  const gateway = await gatewayTo(provider.url, { archive: join(folder, "a.sqlite"), window: 6_000 });
  const name = "pith_gateway_archive_write_seconds";
  await post(`${gateway.url}${chat!.path}`, chat!.body(modulesRead(chat!, { title: "one" })));
  const after = await scraped(gateway.url);
  expect(after.get(`${name}_count`)).toBeGreaterThan(0);
  expect(after.get(`${name}_sum`)).toBeGreaterThan(0);
  expect(after.get("pith_gateway_preparation_seconds_count")).toBe(1);
  await gateway.stop();
  await provider.close();
});
