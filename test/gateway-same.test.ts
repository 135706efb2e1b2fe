/** `--summarizer same`: summaries by the client's own model, with the client's own key, which stays in memory. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { GatewaySettings } from "../src/gateway/settings.ts";
import { createModelServer } from "../src/testing/model-server.ts";
import { type Json, type Wire, wires } from "./gateway-wires.ts";
import {
  eventsOf,
  gatewayTo,
  type Provider,
  post,
  type Received,
  speaking,
  startProvider,
  type TestGateway,
} from "./gateway-world.ts";
import { keyringOf } from "./keyring-of.ts";
import { until } from "./until.ts";

const STORY = "The parser work was finished and reviewed.";
const KEY = "client-key-4fd2c1d0b7";

interface World {
  readonly provider: Provider;
  readonly gateway: TestGateway;
  readonly folder: string;
}
/** What becomes of questions for a summary; or a function that answers some requests itself. */
type Aside = "say" | "hang" | "fail" | ((request: Received, response: ServerResponse) => boolean);

async function startWorld(
  settings: Partial<GatewaySettings> = { summarizer: ["same"] },
  aside: Aside = "say",
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "pith-gateway-same-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const speak = speaking((request, index) => ({
    text: isAside(request) ? STORY : `Noted ${index}.`,
    calls: [],
  }));
  const provider = await startProvider((request, response, index) => {
    if (typeof aside === "function" && aside(request, response)) return;
    if (!isAside(request) || aside === "say" || typeof aside === "function")
      return speak(request, response, index);
    if (aside === "hang") return;
    // As some providers do, it quotes the key.
    const message = `Incorrect API key provided: ${keyOf(request)}`;
    response
      .writeHead(401, { "content-type": "application/json" })
      .end(JSON.stringify({ error: { message } }));
  });
  onTestFinished(provider.close);
  const archive = join(folder, "archive.sqlite");
  const gateway = await gatewayTo(provider.url, { window: 12_000, archive, ...settings });
  onTestFinished(gateway.stop);
  return { provider, gateway, folder };
}

const keyOf = ({ headers }: Received) => String(headers.authorization ?? headers["x-api-key"]);

/** The client's own messages all tell of modules. */
function isAside({ body }: Received): boolean {
  const list = (body.messages ?? body.input) as readonly Json[] | undefined;
  return list !== undefined && !/:"(?:Module \d+ parses|Read the modules)/.test(JSON.stringify(list.at(-1)));
}

/** Turns of a conversation, one request each, until `stop` says so. Each waits for nothing but its own answer. */
async function talk(
  { gateway }: World,
  wire: Wire,
  { list = [], headers = { authorization: `Bearer ${KEY}` } }: Talk,
  stop: () => boolean,
): Promise<readonly Json[]> {
  let messages = list;
  while (!stop()) {
    const text = `Module ${messages.length} parses file_${messages.length}.ts. `.repeat(30);
    messages = [...messages, wire.user(text)];
    const response = await post(`${gateway.url}${wire.path}`, wire.body(messages, EXTRA[wire.name]), headers);
    expect(response.status).toBe(200);
    messages = [...messages, ...wire.heard((await response.json()) as Json)];
  }
  return messages;
}
interface Talk {
  readonly list?: readonly Json[];
  readonly headers?: Record<string, string>;
}
/** What shapes the client's answers. */
const EXTRA: Readonly<Record<Wire["name"], Json>> = {
  chat: { max_completion_tokens: 50, stop: ["END"], temperature: 0.5 },
  messages: { max_tokens: 50, stop_sequences: ["END"], temperature: 0.5 },
  responses: { max_output_tokens: 50, temperature: 0.5 },
};
const asides = ({ provider }: World): readonly Received[] => provider.received.filter(isAside);
const compactions = ({ gateway }: World): readonly Json[] =>
  eventsOf(gateway, "request").filter(({ outcome }) => outcome === "compacted");

for (const wire of wires) {
  test(`${wire.name}: the client's own model writes the summary from its cache, and its key is nowhere`, async () => {
    const world = await startWorld();
    const { provider, gateway, folder } = world;
    const half = await talk(world, wire, {}, () => eventsOf(gateway, "summary-due").length > 0);
    await until(() => eventsOf(gateway, "summary").length > 0);
    await talk(world, wire, { list: half }, () => compactions(world).length > 0);
    expect(provider.received.at(-1)!.text).toContain(STORY);
    expect(asides(world)).toHaveLength(1);
    const [aside] = asides(world) as [Received];
    // The client may have gone on meanwhile.
    const before = provider.received
      .slice(0, provider.received.indexOf(aside))
      .findLast(({ body }) => aside.text.includes(JSON.stringify(body[wire.key]).slice(0, -1)))!;

    // All that was sent, in its very characters, then the prompt.
    const own = JSON.stringify(before.body[wire.key]).slice(0, -1);
    expect(before.text).toContain(own);
    expect(aside.text).toContain(`"${wire.key}":${own},{"role":"user","content":`);
    expect(aside.body).toMatchObject({ model: before.body.model, temperature: 0.5 });
    expect(aside.headers.authorization).toBe(`Bearer ${KEY}`);
    for (const field of ["max_completion_tokens", "stop", "stop_sequences", "max_output_tokens"])
      expect(aside.body[field]).toBeUndefined();
    if (wire.name === "messages") expect(aside.body.max_tokens).toBeGreaterThan(4_000);

    expect(compactions(world)[0]).toMatchObject({ summarizer: expect.stringContaining("the agent's own") });
    expect(eventsOf(gateway, "summary")[0]).toMatchObject({ tokens: { input: 100, cached: 0, output: 10 } });
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toContain('pith_gateway_summary_tokens_total{kind="input"} 100');
    expect(metrics).toContain('pith_gateway_summary_tokens_total{kind="output"} 10');
    const stored = readdirSync(folder).map((file) => readFileSync(join(folder, file), "latin1"));
    expect(stored.length).toBeGreaterThan(0);
    expect([...stored, ...gateway.log, metrics].join("\n")).not.toContain(KEY);
  });
}

const [chat] = wires as readonly [Wire];

test("a client's model that hangs keeps nobody waiting", async () => {
  const world = await startWorld({ summarizer: ["same"] }, "hang");
  const half = await talk(world, chat, {}, () => eventsOf(world.gateway, "summary-due").length > 0);
  await until(() => asides(world).length > 0);
  await talk(world, chat, { list: half }, () => compactions(world).length > 0);
  expect(asides(world)).toHaveLength(1);
  // Later requests of the client went upstream and were answered while the model hung.
  expect(world.provider.received.length).toBeGreaterThan(
    world.provider.received.indexOf(asides(world)[0]!) + 1,
  );
  expect(compactions(world)[0]!.summarizer).toBeUndefined();
});

test("[F49] where the client's model fails the next in order is asked, and what the provider said is not told again", async () => {
  const model = await createModelServer({ reply: { type: "say", text: STORY } });
  onTestFinished(model.close);
  const other = { url: `${model.url}/v1`, model: "m" };
  const world = await startWorld({ summarizer: ["same", other] }, "fail");
  const half = await talk(world, chat, {}, () => eventsOf(world.gateway, "summary-due").length > 0);
  await until(() => eventsOf(world.gateway, "summary").length > 0);
  await talk(world, chat, { list: half }, () => compactions(world).length > 0);
  expect(asides(world)).toHaveLength(1);
  expect(model.requests).toHaveLength(1);
  expect(JSON.stringify(model.requests[0]!.headers)).not.toContain(KEY);
  expect(compactions(world)[0]).toMatchObject({ summarizer: expect.stringContaining("m at") });
  expect(world.gateway.log.join("\n")).not.toContain(KEY);
});

test.each([
  ["is refused and sent again as it was", 429, true],
  ["is refused", 529, false],
] as const)("a client's call that %s costs no summary: one is begun anew", async (_, status, isSentAgain) => {
  const seen = new Set<string>();
  let refuses = true;
  // Each request once, until one was refused at which a summary was due.
  const world = await startWorld({ summarizer: ["same"] }, ({ text }, response) => {
    if (!refuses || seen.has(text)) return false;
    seen.add(text);
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
    return true;
  });
  const { gateway } = world;
  const asked = () => eventsOf(gateway, "summary");
  let list: readonly Json[] = [];
  while (refuses) {
    list = [...list, chat.user(`Module ${list.length} parses file_${list.length}.ts. `.repeat(30))];
    const send = () =>
      post(`${gateway.url}${chat.path}`, chat.body(list), { authorization: `Bearer ${KEY}` });
    expect((await send()).status).toBe(status);
    refuses = eventsOf(gateway, "summary-due").length === 0;
    if (!refuses) await until(() => asked().length > 0);
    if (!refuses && !isSentAgain) break;
    list = [...list, ...chat.heard((await (await send()).json()) as Json)];
  }
  const turns = eventsOf(gateway, "request").length;
  const half = await talk(world, chat, { list }, () => eventsOf(gateway, "request").length > turns);
  expect(eventsOf(gateway, "summary-due")).toHaveLength(2);
  await until(() => asked().length > 1);
  await talk(world, chat, { list: half }, () => compactions(world).length > 0);
  expect(asides(world)).toHaveLength(1);
  expect(compactions(world)[0]).toMatchObject({ summarizer: expect.stringContaining("the agent's own") });
});

test("what names or counts the client's request does not go with the question for a summary", async () => {
  const world = await startWorld();
  const names = ["idempotency-key", "x-client-request-id", "x-stainless-retry-count"];
  const headers = { authorization: `Bearer ${KEY}`, ...Object.fromEntries(names.map((name) => [name, "1"])) };
  await talk(world, chat, { headers }, () => eventsOf(world.gateway, "summary-due").length > 0);
  await until(() => eventsOf(world.gateway, "summary").length > 0);
  const [first, aside] = [world.provider.received[0]!, asides(world)[0]!];
  expect(names.map((name) => first.headers[name])).toEqual(["1", "1", "1"]);
  expect(names.filter((name) => aside.headers[name] !== undefined)).toEqual([]);
  expect(keyOf(aside)).toBe(`Bearer ${KEY}`);
});

test("each client's summary is asked with its own key", async () => {
  const keys = keyringOf({ alpha: "pith-alpha", beta: "pith-beta" });
  const world = await startWorld({ summarizer: ["same"], keys });
  for (const [at, tenant] of ["alpha", "beta"].entries()) {
    const headers = { authorization: `Bearer ${tenant}-key`, "x-pith-key": `pith-${tenant}` };
    await talk(world, chat, { headers }, () => eventsOf(world.gateway, "summary-due").length > at);
    await until(() => eventsOf(world.gateway, "summary").length > at);
  }
  expect(asides(world).map(keyOf)).toEqual(["Bearer alpha-key", "Bearer beta-key"]);
  expect(asides(world).some(({ headers }) => headers["x-pith-key"] !== undefined)).toBe(false);
});

test("without a summarizer the upstream hears of nothing but what the client says", async () => {
  const world = await startWorld({});
  await talk(world, chat, {}, () => compactions(world).length > 0);
  expect(asides(world)).toEqual([]);
  expect(world.provider.received).toHaveLength(eventsOf(world.gateway, "request").length);
});
