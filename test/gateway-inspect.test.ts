/** The inspector in the gateway: live traffic to look at, and every tenant sees its own alone. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CompactionView, ConversationRow, ConversationView, SearchView } from "../src/inspect/views.ts";
import { createKeyring } from "../src/keys/keyring.ts";
import {
  gatewayTo,
  type Provider,
  post,
  speaking,
  startProvider,
  type TestGateway,
} from "./gateway-world.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-inspect-"));
const secrets = { ann: "key-of-ann", ben: "key-of-ben" } as const;
type Tenant = keyof typeof secrets;
let provider: Provider;
let gateway: TestGateway;

beforeAll(async () => {
  provider = await startProvider(speaking(() => ({ text: "Understood.", calls: [] })));
  const file = join(folder, "keys");
  const lines = Object.entries(secrets).map(
    ([tenant, key]) => `${tenant} ${createHash("sha256").update(key).digest("hex")}`,
  );
  writeFileSync(file, lines.join("\n"));
  const archive = join(folder, "archive.sqlite");
  gateway = await gatewayTo(provider.url, {
    archive,
    window: 8_000,
    reserve: 500,
    keys: createKeyring(file),
  });
  for (const tenant of Object.keys(secrets) as Tenant[]) {
    const answer = await post(`${gateway.url}/v1/chat/completions`, talkOf(tenant), {
      "x-pith-key": secrets[tenant],
      "x-pith-conversation": "talk",
    });
    expect(answer.status).toBe(200);
  }
}, 60_000);

afterAll(async () => {
  await gateway.stop();
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Fills the window once over. */
function talkOf(tenant: Tenant) {
  const turns = Array.from({ length: 40 }, (_, at) => [
    { role: "user", content: `Look into the ${tenant} ledger, page ${at}.` },
    {
      role: "assistant",
      content: `The ${tenant} page ${at} says: ${`entry ${at} of ${tenant}. `.repeat(40)}`,
    },
  ]);
  return { model: "m", messages: [...turns.flat(), { role: "user", content: `Now sum up for ${tenant}.` }] };
}

async function enter(tenant: Tenant): Promise<string> {
  const answer = await fetch(`${gateway.url}/inspect/enter`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: gateway.url },
    body: new URLSearchParams({ key: secrets[tenant] }),
  });
  expect(answer.status).toBe(303);
  const cookie = answer.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict; Path=\/inspect\/$/);
  return cookie.split(";")[0]!;
}

async function ask(path: string, cookie: string, body?: unknown): Promise<Response> {
  return fetch(`${gateway.url}/inspect/api/${path}`, {
    headers: { cookie, origin: gateway.url, "content-type": "application/json" },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
}

async function read<View>(path: string, cookie: string, body?: unknown): Promise<View> {
  const answer = await ask(path, cookie, body);
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as View;
}

test("without a key there is a form and nothing else, and no request reaches the provider", async () => {
  const before = provider.received.length;
  for (const path of ["/inspect", "/inspect/"]) {
    const page = await fetch(gateway.url + path);
    expect(page.status).toBe(401);
    expect(await page.text()).toContain("Your key for this gateway");
  }
  expect((await fetch(`${gateway.url}/inspect/api/conversations`)).status).toBe(401);
  const wrong = await fetch(`${gateway.url}/inspect/enter`, {
    method: "POST",
    headers: { origin: gateway.url },
    body: new URLSearchParams({ key: "guessed" }),
  });
  expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([401, null]);
  expect(provider.received).toHaveLength(before);
});

test("a tenant sees what passed under its key, compaction and all, and cannot change it here", async () => {
  const cookie = await enter("ann");
  const rows = await read<readonly ConversationRow[]>("conversations", cookie);
  expect(rows).toMatchObject([{ id: "ann/talk", compactions: 1, window: 8_000 }]);
  const name = encodeURIComponent("ann/talk");
  const view = await read<ConversationView>(`conversations/${name}`, cookie);
  const compaction = encodeURIComponent(view.compactions[0]!.id);
  const shown = await read<CompactionView>(`compactions/${compaction}`, cookie);
  expect(shown.rows.length).toBeGreaterThan(40);
  expect(shown.reason).toBeTruthy();
  const removed = shown.rows.find(({ change }) => change === "removed")!;
  await read(`items/${encodeURIComponent(removed.originalId!)}`, cookie);
  await read("preview", cookie, { conversation: "ann/talk", target: "50%" });
  for (const [path, body] of [
    ["apply", { conversation: "ann/talk", target: "50%" }],
    ["undo", { compaction: view.compactions[0]!.id }],
  ] as const)
    expect((await ask(path, cookie, body)).status).toBe(403);
});

test("what passes after the compaction shows in the list before the archive hears of it", async () => {
  const cookie = await enter("ben");
  const [before] = await read<readonly ConversationRow[]>("conversations", cookie);
  const { messages, model } = talkOf("ben");
  const more = [
    ...messages,
    { role: "assistant", content: "Understood." },
    { role: "user", content: "Go on." },
  ];
  const headers = { "x-pith-key": secrets.ben, "x-pith-conversation": "talk" };
  await post(`${gateway.url}/v1/chat/completions`, { model, messages: more }, headers);
  const [after] = await read<readonly ConversationRow[]>("conversations", cookie);
  expect(after).toMatchObject({ id: "ben/talk", compactions: 1, errors: 0 });
  expect(after!.lastAt).toBeGreaterThan(before!.lastAt);
});

test("of another tenant nothing is there: by name, by id, by search", async () => {
  const [ann, ben] = [await enter("ann"), await enter("ben")];
  const view = await read<ConversationView>(`conversations/${encodeURIComponent("ben/talk")}`, ben);
  const compaction = view.compactions[0]!.id;
  const shown = await read<CompactionView>(`compactions/${encodeURIComponent(compaction)}`, ben);
  const ids = [compaction, ...shown.rows.flatMap(({ before, after }) => [before?.id, after?.id])];
  for (const path of [
    `conversations/${encodeURIComponent("ben/talk")}`,
    `conversations/${encodeURIComponent("ben/talk")}/messages`,
    `compactions/${encodeURIComponent(compaction)}`,
    `cost/${encodeURIComponent("ben/talk")}`,
    ...ids.filter((id) => id !== undefined).map((id) => `items/${encodeURIComponent(id)}`),
  ]) {
    const answer = await ask(path, ann);
    expect(await answer.text(), path).not.toContain("entry");
    expect([404, 200], path).toContain(answer.status);
    if (path.startsWith("items/")) expect(answer.status, path).toBe(404);
  }
  const stolen = await ask("preview", ann, { conversation: "ben/talk", target: "50%" });
  expect(stolen.status).toBe(404);
  for (const query of ["q=ledger", "q=ledger&conversation=ben/talk", "q=ben", "q=entry%20of%20ben"]) {
    const { results } = await read<SearchView>(`search?${query}`, ann);
    expect(results.every(({ conversationId }) => conversationId === "ann/talk")).toBe(true);
    expect(JSON.stringify(results)).not.toContain("of ben");
  }
  expect((await read<SearchView>("search?q=ledger", ann)).results.length).toBeGreaterThan(0);
});

test("a page that listens does not hold up the end of the gateway", async () => {
  const archive = join(folder, "listened.sqlite");
  const ending = await gatewayTo(provider.url, { archive, drainMs: 60_000 });
  const entered = await fetch(ending.inspectorUrl!, { redirect: "manual" });
  const cookie = entered.headers.get("set-cookie")!.split(";")[0]!;
  const live = await fetch(`${ending.url}/inspect/api/live`, { headers: { cookie } });
  const heard = live.text();
  await ending.stop();
  expect(await heard).toContain("retry");
}, 30_000);

test("without keys the start gives a link that opens it once; switched off, the path is the upstream's", async () => {
  const archive = join(folder, "keyless.sqlite");
  const open = await gatewayTo(provider.url, { archive, window: 8_000 });
  const first = await fetch(open.inspectorUrl!, { redirect: "manual" });
  expect([first.status, first.headers.get("location")]).toEqual([303, "/inspect/"]);
  expect((await fetch(open.inspectorUrl!, { redirect: "manual" })).status).toBe(401);
  await open.stop();
  const closed = await gatewayTo(provider.url, { archive, inspect: false });
  expect(closed.inspectorUrl).toBeUndefined();
  const before = provider.received.length;
  await fetch(`${closed.url}/inspect/`);
  expect(provider.received).toHaveLength(before + 1);
  await closed.stop();
});
