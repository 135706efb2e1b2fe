/** Gateways on one PostgreSQL that are restarted one after the other under load, and a database whose processes are killed. */
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eventsOfAll, type Replica, startReplica } from "./gateway-replica.ts";
import { modulesRead } from "./gateway-talk.ts";
import { type Json, wires } from "./gateway-wires.ts";
import { type Provider, post, type Received, speaking, startProvider } from "./gateway-world.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";
import { until } from "./until.ts";

const chat = wires[0]!;
const AGENTS = 6;
/** How long the tools of an agent take: the load is of requests that are under way, not of as many as a machine can bear. */
const TOOLS_MS = 100;
const flags = ["--window", "16000", "--deadline", "60s", "--grace", "2s", "--inspect", "off"];
let postgres: PostgresServer;
let provider: Provider;
const started: Replica[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  provider = await startProvider(
    speaking((_, index) => ({
      text: `Next is ${index}.`,
      calls: [{ id: `c${index}`, name: "read_file", arguments: `{"path":"src/m${index}.ts"}` }],
    })),
  );
});
afterEach(() => {
  for (const { child } of started.splice(0)) child.kill("SIGKILL");
});
afterAll(async () => {
  await provider.close();
  await postgres.stop();
});

async function start(archive: string): Promise<Replica> {
  const replica = await startReplica(archive, ["--upstream", provider.url, ...flags]);
  started.push(replica);
  return replica;
}

/** Sends to those that say they are ready, in turns, as a balancer does. */
function createBalancer() {
  const ready = new Set<Replica>();
  let turn = 0;
  const check = async (replica: Replica): Promise<void> => {
    const isReady = await fetch(`${replica.url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (isReady) ready.add(replica);
    else ready.delete(replica);
  };
  const checking = setInterval(() => {
    for (const replica of started) void check(replica);
  }, 50);
  return {
    isReady: (replica: Replica): boolean => ready.has(replica),
    next: (): Replica => [...ready][turn++ % ready.size]!,
    close: () => clearInterval(checking),
  };
}

test("a rolling restart of three gateways under load: no request fails, and what was compacted is replayed by the next", async () => {
  const archive = await postgres.createDatabase("rolling");
  const balancer = createBalancer();
  const replicas = await Promise.all([start(archive), start(archive), start(archive)]);
  await until(() => replicas.every(balancer.isReady));
  let isOver = false;
  const failures: string[] = [];
  const heard: Received[][] = [];

  const beAgent = async (agent: number): Promise<void> => {
    let history: readonly Json[] = [chat.user(`Agent ${agent}: read all modules. Never edit generated.ts.`)];
    const sent: Received[] = [];
    heard.push(sent);
    for (let turn = 0; !isOver; turn++) {
      const id = `${agent}-${turn}`;
      const response = await post(`${balancer.next().url}${chat.path}`, chat.body(history, { id })).catch(
        String,
      );
      if (typeof response === "string" || response.status !== 200) {
        failures.push(
          typeof response === "string" ? response : `${response.status} ${await response.text()}`,
        );
        continue;
      }
      const answer = (await response.json()) as Json;
      sent.push(provider.received.findLast(({ body }) => body.id === id)!);
      const results = chat.saidIn(answer).calls.map((call) => ({ call, text: moduleText(id) }));
      history = [...history, ...chat.heard(answer), ...chat.results(results)];
      await setTimeout(TOOLS_MS);
    }
  };
  const agents = Array.from({ length: AGENTS }, (_, agent) => beAgent(agent));
  await until(() => eventsOfAll(started, "request").some(({ outcome }) => outcome === "compacted"));
  for (const old of replicas) {
    const ended = once(old.child, "exit");
    old.child.kill("SIGTERM");
    const [code] = await ended;
    expect(code).toBe(0);
    const next = await start(archive);
    await until(() => balancer.isReady(next));
  }
  isOver = true;
  await Promise.all(agents);
  balancer.close();
  expect(failures).toEqual([]);
  // A line is logged when its request is over, and takes its way from there.
  await until(() => eventsOfAll(started, "request").length >= heard.flat().length);
  const outcomes = eventsOfAll(started, "request").map(({ outcome }) => outcome);
  expect(outcomes).not.toContain("failed-open");
  const compactions = outcomes.filter((outcome) => outcome === "compacted").length;
  const breaks = heard.flatMap((sent) => sent.filter((each, at) => at > 0 && !begins(each, sent[at - 1]!)));
  expect(breaks.length).toBeLessThanOrEqual(compactions);
  expect(outcomes.filter((outcome) => outcome === "replayed").length).toBeGreaterThan(0);
  process.stderr.write(
    `rolling restart: ${outcomes.length} requests, ${compactions} compactions, 0 failed\n`,
  );
}, 600_000);

test("the recipe of an answered request outlives a kill -9 of the gateway and of every process of the database's", async () => {
  const archive = await postgres.createDatabase("killed");
  const history = modulesRead(chat, { title: "Killed", turns: 150 });
  const first = await start(archive);
  expect((await post(`${first.url}${chat.path}`, chat.body(history))).status).toBe(200);
  const before = provider.received.at(-1)!;
  const backends = await postgres.query(
    "postgres",
    "SELECT pid FROM pg_stat_activity WHERE datname = 'killed'",
  );
  expect(backends.length).toBeGreaterThan(0);
  for (const { pid } of backends) killIfThere(Number(pid));
  first.child.kill("SIGKILL");
  // Whatever is left of them, the server recovers by itself.
  const isUp = () =>
    postgres.query("killed", "SELECT 1").then(
      () => true,
      () => false,
    );
  while (!(await isUp()));
  const second = await start(archive);
  const more = [...history, { role: "assistant", content: "Done." }, chat.user("Go on.")];
  expect((await post(`${second.url}${chat.path}`, chat.body(more))).status).toBe(200);
  await until(() => eventsOfAll([second], "request").length > 0);
  expect(eventsOfAll([second], "request")).toMatchObject([{ outcome: "replayed" }]);
  expect(begins(provider.received.at(-1)!, before)).toBe(true);
}, 300_000);

/** The server may have ended one of its processes by itself since it was listed. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function begins(later: Received, earlier: Received): boolean {
  const before = earlier.body.messages as Json[];
  return JSON.stringify((later.body.messages as Json[]).slice(0, before.length)) === JSON.stringify(before);
}

function moduleText(id: string): string {
  return Array.from({ length: 90 }, (_, line) => `export const value${line} = "${id}:${line * 37}";`).join(
    "\n",
  );
}
