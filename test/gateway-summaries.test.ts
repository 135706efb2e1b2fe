/** Summaries in the background of the gateway: begun before the compaction is due, used if ready, waited for by nobody. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { type Proxies, readProxies } from "../src/http/proxies.ts";
import { type Behaviour, createModelServer, type ModelServer } from "../src/testing/model-server.ts";
import { type Json, type Wire, wires } from "./gateway-wires.ts";
import {
  eventsOf,
  gatewayTo,
  type Provider,
  post,
  speaking,
  startProvider,
  type TestGateway,
} from "./gateway-world.ts";
import { startProxy } from "./start-proxy.ts";
import { until } from "./until.ts";

const [, wire] = wires as readonly [Wire, Wire];
const STORY = "The parser work was finished and reviewed.";
const KEY = "sk-test-0123456789abcdefghijklmnopqrstuv";
const SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";

interface World {
  readonly provider: Provider;
  readonly model: ModelServer;
  readonly gateway: TestGateway;
  readonly archive: string;
}
async function startWorld(
  reply: Behaviour,
  { host = "127.0.0.1", proxies }: { host?: string; proxies?: Proxies } = {},
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "pith-gateway-summaries-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const provider = await startProvider(speaking((_, index) => ({ text: `Noted ${index}.`, calls: [] })));
  onTestFinished(provider.close);
  const model = await createModelServer({ reply });
  onTestFinished(model.close);
  const archive = join(folder, "archive.sqlite");
  const gateway = await gatewayTo(provider.url, {
    window: 12_000,
    archive,
    summarizer: [{ url: `${model.url.replace("127.0.0.1", host)}/v1`, model: "m", kind: "openai", key: KEY }],
    ...(proxies && { proxies }),
  });
  onTestFinished(gateway.stop);
  return { provider, model, gateway, archive };
}

/** Turns of a conversation, one request each, until `stop` says so. Each waits for nothing but its own answer. */
async function talk(
  { gateway }: World,
  list: readonly Json[],
  stop: (turns: number) => boolean,
): Promise<readonly Json[]> {
  let messages = list;
  for (let at = 0; !stop(at); at++) {
    const text = `Module ${messages.length} parses file_${messages.length}.ts. `.repeat(30);
    messages = [...messages, wire.user(text)];
    const response = await post(`${gateway.url}${wire.path}`, wire.body(messages));
    expect(response.status).toBe(200);
    messages = [...messages, ...wire.heard((await response.json()) as Json)];
  }
  return messages;
}
const events = ({ gateway }: World, name: string): readonly Json[] => eventsOf(gateway, name);
const compactions = (world: World): readonly Json[] =>
  events(world, "request").filter(({ outcome }) => outcome === "compacted");
const opening = [wire.user(`Read the modules. The token is ${SECRET}.`), ...wire.heard(answered("Yes."))];
function answered(text: string): Json {
  return wire.answer({ text, calls: [] }, "first");
}

test("[R49] a summary is begun before it is needed, once, and stands in the hand-off", async () => {
  const world = await startWorld({ type: "say", text: STORY });
  const { model, provider, archive } = world;
  const half = await talk(world, opening, () => events(world, "summary-due").length > 0);
  expect(compactions(world)).toEqual([]);
  await until(() => events(world, "summary").length > 0);
  const whole = await talk(world, half, () => compactions(world).length > 0);
  expect(model.requests).toHaveLength(1);
  expect(provider.received.at(-1)!.text).toContain(STORY);
  expect(compactions(world)[0]).toMatchObject({ summarizer: expect.stringContaining("m at") });
  // What came after the snapshot is there too.
  const late = /file_\d+\.ts/.exec(JSON.stringify(whole.at(-4)))![0];
  expect(model.requests[0]!.prompt).not.toContain(late);
  expect(provider.received.at(-1)!.text).toContain(late);
  // The next one begins anew.
  await talk(world, whole, () => events(world, "summary-due").length > 1);
  expect(compactions(world)).toHaveLength(1);

  expect(model.requests[0]!.prompt).not.toContain(SECRET);
  expect(world.gateway.log.join("\n")).not.toContain(KEY);
  const stored = sqliteArchive({ file: archive, readOnly: true });
  const conversations = await stored.conversations!();
  await stored.close!();
  expect(conversations.map(({ id }) => id)).toEqual([expect.stringMatching(/^local\//)]);
  expect(await (await fetch(`${world.gateway.url}/metrics`)).text()).toContain(
    'pith_gateway_summaries_total{outcome="written"} 1',
  );
});

test("[R49] a model that never answers keeps nobody waiting: the deterministic hand-off stands", async () => {
  const world = await startWorld({ type: "hang" });
  await talk(world, opening, () => compactions(world).length > 0);
  expect(events(world, "summary-due")).toHaveLength(1);
  await until(() => world.model.requests.length > 0);
  expect(compactions(world)[0]!.summarizer).toBeUndefined();
});

test("[R49] a model that fails is told of once, and the deterministic hand-off stands", async () => {
  const world = await startWorld({ type: "fail", status: 500 });
  const half = await talk(world, opening, () => events(world, "summary-due").length > 0);
  await until(() => events(world, "summary").length > 0);
  await talk(world, half, () => compactions(world).length > 0);
  expect(events(world, "summary")).toHaveLength(1);
  expect(events(world, "summary")[0]).toMatchObject({ level: "warn", failure: expect.any(String) });
  expect(compactions(world)[0]!.summarizer).toBeUndefined();
});

test("the address of a summarizer is reached through the proxy, as an upstream is", async () => {
  const proxy = await startProxy();
  onTestFinished(proxy.close);
  const proxies = readProxies({ HTTP_PROXY: `http://127.0.0.1:${proxy.port}` })!;
  const world = await startWorld({ type: "say", text: STORY }, { host: "models.example", proxies });
  await talk(world, opening, () => events(world, "summary-due").length > 0);
  await until(() => events(world, "summary").length > 0);
  expect(events(world, "summary")[0]).toMatchObject({
    summarizer: expect.stringContaining("m at models.example"),
  });
  expect(proxy.asked).toEqual([
    expect.stringMatching(/^POST http:\/\/models\.example:\d+\/v1\/chat\/completions$/),
  ]);
  expect(world.model.requests[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
});
