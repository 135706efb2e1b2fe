/** Whose a request is: by the gateway's own keys, or by the key for the provider. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { createKeyring } from "../src/keys/keyring.ts";
import { eventsOf, gatewayTo, outcomesOf, post, speaking, startProvider } from "./gateway-world.ts";
import { keyringOf, keysFile } from "./keyring-of.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-gateway-tenants-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

const prefix = Array.from({ length: 40 }, (_, at) => [
  { role: "user", content: `Read page ${at}.` },
  { role: "assistant", content: `Page ${at}: ${"a row of the table. ".repeat(20)}` },
]).flat();
const body = (last: string) => ({ model: "gpt-x", messages: [...prefix, { role: "user", content: last }] });

async function world(settings: Parameters<typeof gatewayTo>[1] = {}) {
  const provider = await startProvider(speaking(() => ({ text: "Done.", calls: [] })));
  const archive = join(folder, `${files++}.sqlite`);
  const gateway = await gatewayTo(provider.url, { archive, window: 4_000, reserve: 300, ...settings });
  const url = `${gateway.url}/v1/chat/completions`;
  const stop = async (): Promise<void> => {
    await gateway.stop();
    await provider.close();
  };
  return { provider, gateway, archive, url, stop };
}

test("without keys a conversation belongs to the key for the provider: equal prefixes of two are not one", async () => {
  const { gateway, archive, url, stop } = await world();
  const as = (key: string) => ({ authorization: `Bearer ${key}`, "x-pith-conversation": "talk" });
  expect((await post(url, body("Now go on."), as("key-1"))).status).toBe(200);
  expect((await post(url, body("Now go on."), as("key-1"))).status).toBe(200);
  expect((await post(url, body("Now go on."), as("key-2"))).status).toBe(200);
  expect(outcomesOf(gateway)).toEqual(["compacted", "replayed", "compacted"]);
  await stop();
  const open = sqliteArchive({ file: archive, readOnly: true });
  const names = (await open.conversations!()).map(({ id }) => id);
  await open.close!();
  expect(names).toHaveLength(2);
  expect(names.every((name) => /^local-[0-9a-f]{16}\/talk$/.test(name))).toBe(true);
  expect(gateway.log.join("\n")).not.toMatch(/key-[12]/);
});

test("a key that is taken out of the file is let in no more, without a restart", async () => {
  const file = keysFile({ ann: "key of ann" });
  const { url, stop } = await world({ keys: createKeyring(file) });
  const headers = { "x-pith-key": "key of ann" };
  expect((await post(url, body("Go on."), headers)).status).toBe(200);
  writeFileSync(file, `ben ${"0".repeat(64)}\n`);
  utimesSync(file, new Date(), new Date());
  await expect.poll(async () => (await post(url, body("Go on."), headers)).status).toBe(401);
  await stop();
});

test("wrong keys are limited, at the API and at the inspector, and none is taken from an address", async () => {
  const keys = keyringOf({ ann: "key of ann", "*": "key of the house" });
  const { gateway, url, stop } = await world({ keys });
  const inAddress = await fetch(`${gateway.url}/inspect/?token=${encodeURIComponent("key of ann")}`, {
    redirect: "manual",
  });
  expect([inAddress.status, inAddress.headers.get("set-cookie")]).toEqual([401, null]);
  expect((await post(url, body("Hi."), { "x-pith-key": "key of the house" })).status).toBe(401);
  const wrong: number[] = [];
  for (let at = 0; at < 22; at++)
    wrong.push((await post(url, body("Hi."), { "x-pith-key": `guess ${at}` })).status);
  expect(new Set(wrong)).toEqual(new Set([401, 429]));
  const typed = async (key: string) => {
    const form = { method: "POST", body: new URLSearchParams({ key }), redirect: "manual" } as const;
    return fetch(`${gateway.url}/inspect/enter`, { ...form, headers: { origin: gateway.url } });
  };
  const limited = await typed("one more guess");
  expect([limited.status, await limited.text()]).toEqual([
    429,
    expect.stringContaining("Too many wrong keys"),
  ]);
  expect((await typed("key of ann")).status).toBe(303);
  expect((await post(url, body("Hi."), { "x-pith-key": "key of ann" })).status).toBe(200);
  await stop();
});

test("metrics tell a tenant its own, the house all, and nobody else any", async () => {
  const keys = keyringOf({ ann: "key of ann", ben: "key of ben", "*": "key of the house" });
  const { gateway, url, stop } = await world({ keys });
  for (const key of ["key of ann", "key of ben", "key of ben"])
    await post(url, body(`Hi from ${key}.`), { "x-pith-key": key });
  const lines = async (key?: string): Promise<readonly string[]> => {
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const text = await (await fetch(`${gateway.url}/metrics`, { headers })).text();
    return text.split("\n").filter((line) => line.startsWith("pith_gateway_tenant_requests_total"));
  };
  const of = (tenant: string, count: number) =>
    `pith_gateway_tenant_requests_total{tenant="${tenant}",model="gpt-x"} ${count}`;
  expect(await lines()).toEqual([]);
  expect(await lines("nobody's")).toEqual([]);
  expect(await lines("key of ann")).toEqual([of("ann", 1)]);
  expect(await lines("key of the house")).toEqual([of("ann", 1), of("ben", 2)]);
  expect(eventsOf(gateway, "request").map(({ tenant, model }) => `${tenant} ${model}`)).toContain(
    "ben gpt-x",
  );
  await stop();
});
