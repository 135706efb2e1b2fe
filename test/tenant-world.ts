/** Tenant world: two tenants that share a gateway, an archive, an MCP server and clients, and what each of them must not see. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import type { Archive } from "../src/archive/archive.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { serveOverHttp } from "../src/mcp/http.ts";
import { serverMaker } from "../src/mcp/server.ts";
import { mcpTools } from "../src/mcp/tools.ts";
import { gatewayTo, type Provider, speaking, startProvider, type TestGateway } from "./gateway-world.ts";
import { keyringOf } from "./keyring-of.ts";
import { overHttp } from "./mcp-session.ts";

export const tenants = ["ann", "ben"] as const;
export type Tenant = (typeof tenants)[number];
export const keyOf = (tenant: Tenant): string => `the key of ${tenant}`;
export const OPERATOR_KEY = "the key of the house";
export const otherOf = (tenant: Tenant): Tenant => (tenant === "ann" ? "ben" : "ann");

export type Wire = Readonly<Record<string, unknown>>;
export type Random = (below: number) => number;

/** The same numbers each time. */
export function randomNumbers(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Words that are in one message alone. The other tenant knows the handle and asks for it; the secret nobody else may see. */
export interface Words {
  readonly handle: string;
  readonly secret: string;
}

export interface TenantWorld {
  readonly archive: Archive;
  /** Where the clients of SDKs and of the library keep what both say. */
  readonly shared: Archive;
  readonly file: string;
  readonly provider: Provider;
  readonly gateway: TestGateway;
  readonly mcp: Readonly<Record<Tenant, Client>>;
  /** A cookie for the inspector. */
  readonly cookies: Readonly<Record<Tenant, string>>;
  /** The next words of a tenant. */
  readonly next: (tenant: Tenant) => Words;
  /** All words of a tenant so far. */
  readonly words: Readonly<Record<Tenant, Words[]>>;
  /** The ids of what the archive has of a tenant, and the names of its conversations. */
  readonly holdings: (
    tenant: Tenant,
  ) => Promise<{ readonly ids: readonly string[]; readonly names: readonly string[] }>;
  readonly stop: () => Promise<void>;
}

/** What both say in the same words, longer than any window here. */
export const sharedPrefix: readonly Wire[] = Array.from({ length: 12 }, (_, at) => [
  {
    role: "user",
    content: `Step ${at}: look at page ${at} of the ledger. ${"The ledger has many pages. ".repeat(10)}`,
  },
  { role: "assistant", content: `Page ${at} was read. ${"It has rows of numbers. ".repeat(20)}` },
]).flat();

export function turnOf({ handle, secret }: Words, more = ""): readonly Wire[] {
  return [
    { role: "user", content: `The account ${handle} has the code ${secret}. ${more}` },
    {
      role: "assistant",
      content: `I noted the code ${secret} of account ${handle}. ${"It is kept. ".repeat(30)}`,
    },
  ];
}

/** A tool call that the user asks for, which the model makes: `CALL recall_search {…}`. */
const ASKED_CALL = /CALL (\w+) (\{.*\}) END/;

export async function startTenantWorld(shared: Archive): Promise<TenantWorld> {
  const folder = mkdtempSync(join(tmpdir(), "pith-tenants-"));
  const file = join(folder, "archive.sqlite");
  const archive = sqliteArchive({ file });
  const provider = await startProvider(
    speaking(({ body }, index) => {
      const last = (body.messages as readonly Wire[]).at(-1)!;
      const asked = last.role === "user" ? ASKED_CALL.exec(String(last.content)) : null;
      if (!asked) return { text: "Done.", calls: [] };
      return { text: "", calls: [{ id: `call${index}`, name: asked[1]!, arguments: asked[2]! }] };
    }),
  );
  const keys = keyringOf({ ann: keyOf("ann"), ben: keyOf("ben"), "*": OPERATOR_KEY });
  const gateway = await gatewayTo(provider.url, { archive: file, window: 2_500, reserve: 200, keys });
  const makerFor = (tenant?: string) =>
    serverMaker({ tools: mcpTools(archive, { tenant: tenant ?? "nobody" }), version: "0", log: () => {} });
  const door = await serveOverHttp(makerFor, { host: "127.0.0.1", port: 0, keys, log: () => {} });
  const mcpOf = (tenant: Tenant) =>
    overHttp(door.url, { headers: { authorization: `Bearer ${keyOf(tenant)}` } });
  const mcp = { ann: await mcpOf("ann"), ben: await mcpOf("ben") };
  const words: Record<Tenant, Words[]> = { ann: [], ben: [] };
  /** Looked up again after every ten words: reading it all for each attempt would take longer than the attempts. */
  const found: Partial<
    Record<Tenant, { readonly tens: number; readonly all: ReturnType<typeof holdingsOf> }>
  > = {};
  return {
    archive,
    shared,
    file,
    provider,
    gateway,
    mcp,
    cookies: { ann: await cookieOf(gateway, "ann"), ben: await cookieOf(gateway, "ben") },
    words,
    next: (tenant) => {
      const number = words[tenant].length;
      const made = { handle: `hx${tenant}${number}q`, secret: `sx${tenant}${number}q` };
      words[tenant].push(made);
      return made;
    },
    holdings: (tenant) => {
      const tens = Math.floor(words[tenant].length / 10);
      if (found[tenant]?.tens !== tens) found[tenant] = { tens, all: holdingsOf(tenant, [archive, shared]) };
      return found[tenant]!.all;
    },
    stop: async () => {
      await Promise.all(Object.values(mcp).map((client) => client.close()));
      await door.stop();
      await gateway.stop();
      await provider.close();
      await archive.close!();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function cookieOf(gateway: TestGateway, tenant: Tenant): Promise<string> {
  const answer = await fetch(`${gateway.url}/inspect/enter`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: gateway.url },
    body: new URLSearchParams({ key: keyOf(tenant) }),
  });
  return answer.headers.get("set-cookie")!.split(";")[0]!;
}

async function holdingsOf(tenant: Tenant, archives: readonly Archive[]) {
  const names: string[] = [];
  const ids: string[] = [];
  for (const archive of archives) {
    const own = (await archive.conversations!()).filter(({ id }) => /^@?(\w+)\//.exec(id)?.[1] === tenant);
    for (const { id: name } of own) {
      names.push(name);
      for (const { id } of await archive.messages!(name)) ids.push(id);
      for (const record of await archive.compactions!(name))
        ids.push(record.id, record.before, record.after, record.plan, record.state, ...record.markers);
    }
  }
  return { names, ids };
}
