/** More than the gateway can do at once: what is shed and how that is told, what is compacted all the same, and who is replaced. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, expect, test } from "vitest";
import type { GatewaySettings } from "../src/gateway/settings.ts";
import { modulesRead } from "./gateway-talk.ts";
import { type Json, wires } from "./gateway-wires.ts";
import {
  eventsOf,
  gatewayTo,
  outcomesOf,
  type Provider,
  post,
  type Respond,
  speaking,
  startProvider,
  type TestGateway,
} from "./gateway-world.ts";
import { wireTokens } from "./independent-count.ts";
import { until } from "./until.ts";

const chat = wires[0]!;
const folder = mkdtempSync(join(tmpdir(), "pith-overload-"));
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  // Those first that others wait for.
  for (const close of closing.splice(0)) await close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fine = speaking(() => ({ text: "Fine.", calls: [] }));

async function world(
  settings: Partial<GatewaySettings>,
  respond: Respond = fine,
): Promise<{ readonly provider: Provider; readonly gateway: TestGateway; readonly url: string }> {
  const provider = await startProvider(respond);
  const gateway = await gatewayTo(provider.url, settings);
  closing.push(gateway.stop, provider.close);
  return { provider, gateway, url: `${gateway.url}${chat.path}` };
}

const history = (title: string, turns: number): readonly Json[] => modulesRead(chat, { title, turns });
const metricsOf = async ({ url }: TestGateway): Promise<string> => (await fetch(`${url}/metrics`)).text();
/** Counted without the engine. */
const tokensOf = ({ body }: Pick<Provider["received"][number], "body">): number =>
  wireTokens([], body.messages as Json[]);

test("what is shed at the deadline says so in its answer, the log and the metrics; what is not says nothing", async () => {
  // A preset that compacts at half of the window: with the default one, what fits is seldom due.
  const { gateway, url } = await world({ window: 16_000, deadlineMs: 1, preset: "gptme" });
  const shed = await post(url, chat.body(history("Shed", 70)));
  const small = await post(url, chat.body([chat.user("hi")]));
  expect([shed.status, shed.headers.get("x-pith-shed")]).toEqual([200, "deadline"]);
  expect([small.status, small.headers.get("x-pith-shed")]).toEqual([200, null]);
  expect(eventsOf(gateway, "request")).toMatchObject([
    { level: "warn", outcome: "failed-open", shed: "deadline", reason: "The deadline was over." },
    { level: "info", outcome: "untouched" },
  ]);
  expect(await metricsOf(gateway)).toContain('pith_gateway_shed_total{reason="deadline"} 1');
});

test("whether a body fits is counted: one with many tokens in few bytes is compacted, however late it is", async () => {
  const { provider, gateway, url } = await world({ window: 16_000, deadlineMs: 1 });
  let seed = 1;
  const digits = (): string => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed.toString(36);
  };
  const dense = modulesRead(chat, {
    title: "Dense",
    turns: 20,
    textOf: () => Array.from({ length: 220 }, digits).join("\n"),
  });
  const body = chat.body(dense);
  expect(JSON.stringify(body).length / 4).toBeLessThan(16_000);
  expect(tokensOf({ body })).toBeGreaterThan(16_000);
  expect((await post(url, body)).status).toBe(200);
  expect(outcomesOf(gateway)).toEqual(["compacted"]);
  expect(tokensOf(provider.received[0]!)).toBeLessThan(16_000);
});

test("of many at once none is sent over its window and none fails", async () => {
  const { provider, gateway, url } = await world({ window: 16_000, deadlineMs: 1 });
  const bodies = Array.from({ length: 12 }, (_, at) => chat.body(history(`Long ${at}`, 150)));
  const fitting = Array.from({ length: 12 }, (_, at) => chat.body(history(`Short ${at}`, 70)));
  const answers = await Promise.all([...fitting, ...bodies].map((body) => post(url, body)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(provider.received.filter((received) => tokensOf(received) > 16_000)).toEqual([]);
  expect(outcomesOf(gateway).filter((outcome) => outcome === "compacted")).toHaveLength(12);
  expect(await metricsOf(gateway)).toContain("pith_gateway_queue_length 0");
});

test("a body beyond the share of memory goes on unread where it surely fits, and is to come again where it may not", async () => {
  const answering = Promise.withResolvers<void>();
  const { provider, gateway, url } = await world(
    { window: 100_000, memoryBytes: 1_000_000 },
    async (request, response, index) => {
      if (index === 0) await answering.promise;
      fine(request, response, index);
    },
  );
  const first = post(url, chat.body([chat.user("a".repeat(150_000))]));
  await until(() => provider.received.length === 1);
  const small = await post(url, chat.body([chat.user("b".repeat(60_000))]));
  expect([small.status, small.headers.get("x-pith-shed")]).toEqual([200, "memory"]);
  const large = await post(url, chat.body([chat.user("c".repeat(80_000))]));
  expect([large.status, large.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await large.json()).toMatchObject({ error: { code: "pith_overloaded" } });
  expect(provider.received).toHaveLength(2);
  answering.resolve();
  expect((await first).status).toBe(200);
  expect(await metricsOf(gateway)).toContain('pith_gateway_shed_total{reason="memory"} 1');
  expect(await metricsOf(gateway)).toContain("pith_gateway_held_bytes 0");
  expect((await post(url, chat.body([chat.user("c".repeat(80_000))]))).status).toBe(200);
});

/** A gateway with room for 200,000 bytes, of which a body that waits for its answer has 150,000. */
async function crowded() {
  const answering = Promise.withResolvers<void>();
  const started = await world(
    { window: 100_000, memoryBytes: 1_000_000 },
    async (request, response, index) => {
      if (index === 0) await answering.promise;
      fine(request, response, index);
    },
  );
  const first = post(started.url, chat.body([chat.user("a".repeat(150_000))]));
  await until(() => started.provider.received.length === 1);
  const end = async (): Promise<void> => {
    answering.resolve();
    expect((await first).status).toBe(200);
    expect(await metricsOf(started.gateway)).toContain("pith_gateway_held_bytes 0");
  };
  return { ...started, end };
}

test("a body that does not say its length is held as it arrives, and is to come again where there is no room", async () => {
  const { provider, url, end } = await crowded();
  const unsaid = (length: number): Promise<Response> => {
    const text = JSON.stringify(chat.body([chat.user("b".repeat(length))]));
    const body = new Blob([text]).stream();
    return fetch(url, { method: "POST", body, duplex: "half" } as RequestInit);
  };
  const large = await unsaid(80_000);
  expect([large.status, await large.json()]).toMatchObject([503, { error: { code: "pith_overloaded" } }]);
  expect((await unsaid(30_000)).status).toBe(200);
  expect(provider.received).toHaveLength(2);
  await end();
  expect((await unsaid(80_000)).status).toBe(200);
});

test("a packed body has the room that it takes unpacked", async () => {
  const { provider, url, end } = await crowded();
  const packed = (length: number): Promise<Response> =>
    fetch(url, {
      method: "POST",
      body: gzipSync(JSON.stringify(chat.body([chat.user("b".repeat(length))]))),
      headers: { "content-encoding": "gzip" },
    });
  const large = await packed(80_000);
  expect([large.status, await large.json()]).toMatchObject([503, { error: { code: "pith_overloaded" } }]);
  expect((await packed(30_000)).status).toBe(200);
  expect(provider.received).toHaveLength(2);
  await end();
  expect((await packed(80_000)).status).toBe(200);
});

test("a client that declares a body and does not send it takes no room from others", async () => {
  const { gateway, url } = await world({ window: 100_000, memoryBytes: 1_000_000 });
  const silent = httpRequest(url, { method: "POST", headers: { "content-length": 190_000 } });
  silent.on("error", () => {}).flushHeaders();
  while (!(await metricsOf(gateway)).includes("pith_gateway_in_flight 1"));
  const other = await post(url, chat.body([chat.user("a".repeat(150_000))]));
  expect([other.status, other.headers.get("x-pith-shed")]).toEqual([200, null]);
  expect(await metricsOf(gateway)).toContain("pith_gateway_held_bytes 0");
  silent.destroy();
});

test("a body is not held while its answer streams", async () => {
  const { provider, gateway, url } = await world({ window: 100_000 }, (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
  });
  const answer = await post(url, chat.body([chat.user("a".repeat(50_000))], { stream: true }));
  expect(provider.received).toHaveLength(1);
  expect(await metricsOf(gateway)).toContain("pith_gateway_held_bytes 0");
  await answer.body?.cancel();
});

/**
 * Makes every worker that starts now read from a pipe that nobody writes to when it gets a body with the word, to look at or
 * only to compact: it is inside native code until somebody writes.
 */
function sticking(word: string, pipe: string, at: "look" | "compaction" = "look"): void {
  execFileSync("/usr/bin/mkfifo", [pipe]);
  const code = `
    import { openSync, readSync, constants } from "node:fs";
    import { parentPort } from "node:worker_threads";
    parentPort?.on("message", ({ question: { job, mayCompact } = {} }) => {
      if (!job || (${at === "compaction"} && !mayCompact) || !Buffer.from(job.bytes).includes(${JSON.stringify(word)})) return;
      readSync(openSync(${JSON.stringify(pipe)}, constants.O_RDWR), Buffer.alloc(1));
    });`;
  closing.push(async () => void writeSync(openSync(pipe, "r+"), "1111"));
  process.env.NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(code)}`;
}
afterEach(() => {
  delete process.env.NODE_OPTIONS;
});

test.each(["look", "compaction"] as const)(
  "a worker that is stuck in native code at a %s is replaced, and what it had is tried again",
  async (at) => {
    const pipe = join(folder, `stuck at a ${at}`);
    sticking("Stuck", pipe, at);
    const { provider, gateway, url } = await world({ window: 16_000, stuckAfterMs: 300 });
    delete process.env.NODE_OPTIONS;
    const answer = await post(url, chat.body(history("Stuck", 150)));
    expect(answer.status).toBe(200);
    expect(eventsOf(gateway, "worker-restart")).toMatchObject([{ reason: expect.stringContaining("stuck") }]);
    expect(outcomesOf(gateway)).toEqual(["compacted"]);
    expect(tokensOf(provider.received[0]!)).toBeLessThan(16_000);
    expect(await metricsOf(gateway)).toContain("pith_gateway_worker_restarts_total 1");
  },
);

test("what waits behind a compaction for too long is to come again, and a client that went waits no more", async () => {
  const pipe = join(folder, "line");
  sticking("Stuck", pipe);
  const { provider, gateway, url } = await world({ window: 16_000, patienceMs: 200, stuckAfterMs: 600_000 });
  const gone = new AbortController();
  const stuck = post(url, chat.body(history("Stuck", 150)));
  const left = fetch(url, {
    method: "POST",
    body: JSON.stringify(chat.body(history("Left", 150))),
    signal: gone.signal,
  });
  while (!(await metricsOf(gateway)).includes("pith_gateway_in_flight 2"));
  gone.abort();
  await expect(left).rejects.toThrow();
  await until(() => eventsOf(gateway, "request-failed").length === 1);
  const waiting = await post(url, chat.body(history("Waiting", 150)));
  expect([waiting.status, await waiting.json()]).toMatchObject([
    503,
    { error: { code: "pith_overloaded", message: expect.stringContaining("Try again") } },
  ]);
  expect((await stuck).status).toBe(503);
  expect(provider.received).toEqual([]);
  await until(() => eventsOf(gateway, "request-failed").length === 3);
  expect(await metricsOf(gateway)).toContain("pith_gateway_queue_length 0");
});

test("a worker that is busy is left alone", async () => {
  const { provider, gateway, url } = await world({ window: 60_000, stuckAfterMs: 1_000 });
  const long = modulesRead(chat, {
    title: "Busy",
    turns: 500,
    textOf: (turn) =>
      Array.from({ length: 150 }, (_, line) => `const v${turn}_${line} = ${line * 7919};`).join("\n"),
  });
  expect((await post(url, chat.body(long))).status).toBe(200);
  expect(eventsOf(gateway, "worker-restart")).toEqual([]);
  expect(outcomesOf(gateway)).toEqual(["compacted"]);
  expect(tokensOf(provider.received[0]!)).toBeLessThan(60_000);
});

test("a body as large as any that is read is no end of the worker", async () => {
  const maxBodyBytes = 12 * 1024 ** 2;
  const { provider, gateway, url } = await world({ window: 16_000, maxBodyBytes, memoryBytes: 1 });
  const huge = chat.body([chat.user("word \u4e16 ".repeat(1_350_000)), chat.user("And now?")]);
  expect((await post(url, huge)).status).toBe(200);
  expect(eventsOf(gateway, "worker-restart")).toEqual([]);
  expect(tokensOf(provider.received[0]!)).toBeLessThan(16_000);
});

test("more workers than the memory is for are warned of at the start", async () => {
  const { gateway: fitting } = await world({ memoryBytes: 1024 ** 3, workers: 1 });
  expect(eventsOf(fitting, "memory")).toEqual([]);
  const { gateway: crowded } = await world({ memoryBytes: 1024 ** 3, workers: 2 });
  expect(eventsOf(crowded, "memory")).toMatchObject([
    { level: "warn", reason: expect.stringContaining("--memory") },
  ]);
});

test("tools that leave a conversation no room are warned of, once for each", async () => {
  const { gateway, url } = await world({ window: 16_000 });
  const tools = Array.from({ length: 60 }, (_, at) => ({
    type: "function",
    function: {
      name: `tool_${at}`,
      description: `Does the thing number ${at} with great care and tells what came of it. `.repeat(8),
      parameters: { type: "object", properties: { path: { type: "string" } } },
    },
  }));
  const long = history("Crowded", 90);
  await post(url, chat.body(long, { tools }));
  await post(url, chat.body([...long, ...history("Crowded on", 30)], { tools }));
  await post(url, chat.body(history("Roomy", 150)));
  expect(outcomesOf(gateway)).toEqual(["compacted", "compacted", "compacted"]);
  expect(eventsOf(gateway, "no-room")).toMatchObject([{ level: "warn", fixedTokens: expect.any(Number) }]);
  expect(await metricsOf(gateway)).toContain("pith_gateway_no_room_total 2");
});
