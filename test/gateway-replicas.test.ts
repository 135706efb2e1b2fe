/** Three gateways on one PostgreSQL: requests of one conversation land anywhere, and a gateway may die at any time. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Behaviour, createModelServer, type ModelServer } from "../src/testing/model-server.ts";
import { eventsOfAll, type Replica, startReplica as startOne } from "./gateway-replica.ts";
import { type Json, type Said, type Wire, wires } from "./gateway-wires.ts";
import { type Provider, post, type Received, speaking, startProvider } from "./gateway-world.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";
import { until } from "./until.ts";

const WINDOW = "16000";
const TURNS = process.env.PITH_FULL ? 200 : 32;
let postgres: PostgresServer;
let provider: Provider;
/** Writes the summaries, and remembers what it was asked. */
let model: ModelServer;
let reply: Behaviour;
const STORY = "The modules were read one after the other and compared.";
const saying: Behaviour = { type: "say", text: STORY };

beforeAll(async () => {
  postgres = await startPostgres();
  provider = await startProvider(speaking(reading));
  model = await createModelServer({ reply: () => reply });
});
beforeEach(() => {
  reply = saying;
});
afterEach(() => {
  for (const { child } of alive) child.kill("SIGKILL");
  alive.clear();
});
afterAll(async () => {
  await provider.close();
  await model.close();
  await postgres.stop();
});

function reading(_: Received, index: number): Said {
  const call = {
    id: `call_${index}`,
    name: "read_file",
    arguments: JSON.stringify({ path: `src/m${index}.ts` }),
  };
  return { text: "", calls: [call] };
}
const fileText = (path: string): string =>
  Array.from({ length: 90 }, (_, line) => `export const value${line} = "${path}:${line * 37}";`).join("\n");

const alive = new Set<Replica>();

async function startReplica(archive: string): Promise<Replica> {
  const flags = ["--upstream", provider.url, "--window", WINDOW, "--deadline", "60s"];
  const summaries = ["--summarizer", `${model.url}/v1`, "--summarizer-model", "m"];
  const replica = await startOne(archive, [...flags, ...summaries]);
  alive.add(replica);
  return replica;
}
const startThree = (archive: string): Promise<Replica[]> =>
  Promise.all([startReplica(archive), startReplica(archive), startReplica(archive)]);
const timesAsked = (prompts: readonly string[]): readonly number[] =>
  [...new Set(prompts)].map((prompt) => prompts.filter((each) => each === prompt).length);

test("no turn is lost and no prefix is wrong while gateways are killed in the middle of answers and compactions", async () => {
  const wire = wires[1] as Wire;
  const archive = await postgres.createDatabase("gateways");
  const replicas = await startThree(archive);
  const all = [...replicas];
  const asked = model.requests.length;
  const history: Json[] = [wire.user("Read all modules. Never edit generated.ts.")];
  /** What the provider got for the requests that were answered. */
  const heard: Received[] = [];
  let killed = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const at = turn % replicas.length;
    const stream = turn % 2 === 0;
    const ask = () => post(`${replicas[at]!.url}${wire.path}`, wire.body(history, { stream, turn }));
    if (turn % 15 === 7) {
      // Killed while it works on this very request, at another point each time; another one takes the retry.
      const broken = ask().then(
        (response) => response.text(),
        () => "",
      );
      await new Promise((resolve) => setTimeout(resolve, killed * 12));
      replicas[at]!.child.kill("SIGKILL");
      killed++;
      await broken;
      replicas[at] = await startReplica(archive);
      all.push(replicas[at]);
    }
    const response = await ask();
    expect(response.status).toBe(200);
    const answer = stream ? wire.assembled(await response.text()) : ((await response.json()) as Json);
    heard.push(provider.received.findLast(({ body }) => body.turn === turn)!);
    history.push(...wire.heard(answer));
    const answers = wire
      .saidIn(answer)
      .calls.map((call) => ({ call, text: fileText(JSON.parse(call.arguments).path) }));
    history.push(...wire.results(answers));
  }
  for (const { child } of replicas) child.kill("SIGTERM");
  expect(killed).toBe(Math.floor((TURNS + 7) / 15));
  expect(heard).toHaveLength(TURNS);
  expect(provider.received.flatMap(({ body }) => wire.faults(body))).toEqual([]);
  const compactedTurns = eventsOfAll(all, "request").filter(({ outcome }) => outcome === "compacted").length;
  const breaks = heard.filter(({ body }, index) => {
    const before = (heard[index - 1]?.body.messages ?? []) as Json[];
    return JSON.stringify((body.messages as Json[]).slice(0, before.length)) !== JSON.stringify(before);
  });
  expect(breaks.length).toBeGreaterThan(1);
  // One that was killed may have made its compaction without living to tell.
  expect(breaks.length).toBeGreaterThanOrEqual(compactedTurns);
  expect(breaks.length).toBeLessThanOrEqual(compactedTurns + killed);
  // Each snapshot was summarised once at most, and there is one for each compaction at most, and one for the next.
  const prompts = model.requests.slice(asked).map(({ prompt }) => prompt);
  expect(prompts.length).toBeGreaterThan(0);
  expect(timesAsked(prompts).every((times) => times === 1)).toBe(true);
  expect(prompts.length).toBeLessThanOrEqual(breaks.length + 1);
  process.stderr.write(
    `replicas: ${heard.length} turns, ${killed} kills, ${breaks.length} compactions, ${prompts.length} summaries\n`,
  );
}, 900_000);

/** Adds a turn to the history; the last answer is the one that counts. */
async function turnOf(
  wire: Wire,
  replicas: readonly Replica[],
  history: readonly Json[],
): Promise<readonly Json[]> {
  const ask = async ({ url }: Replica): Promise<Json> => {
    const response = await post(`${url}${wire.path}`, wire.body(history));
    expect(response.status).toBe(200);
    return (await response.json()) as Json;
  };
  const answer = (await Promise.all(replicas.map(ask))).at(-1)!;
  const answers = wire
    .saidIn(answer)
    .calls.map((call) => ({ call, text: fileText(JSON.parse(call.arguments).path) }));
  return [...history, ...wire.heard(answer), ...wire.results(answers)];
}
const isCompacted = (replicas: readonly Replica[]): boolean =>
  eventsOfAll(replicas, "request").some(({ outcome }) => outcome === "compacted");

test("a request that reaches every gateway at once is summarised once, and whoever compacts has the summary", async () => {
  const wire = wires[1] as Wire;
  const replicas = await startThree(await postgres.createDatabase("at_once"));
  const asked = model.requests.length;
  let history: readonly Json[] = [wire.user("Read all modules at once. Never edit generated.ts.")];
  while (eventsOfAll(replicas, "summary-due").length === 0) history = await turnOf(wire, replicas, history);
  expect(isCompacted(replicas)).toBe(false);
  await until(() => eventsOfAll(replicas, "summary").length > 0);
  for (let turn = 0; !isCompacted(replicas); turn++)
    history = await turnOf(wire, [replicas[turn % 3]!], history);
  expect(model.requests.length - asked).toBe(1);
  expect(provider.received.at(-1)!.text).toContain(STORY);
}, 600_000);

test("a summary whose gateway is killed is not asked for again, and nobody waits for it", async () => {
  const wire = wires[1] as Wire;
  const archive = await postgres.createDatabase("killed");
  const first = await startThree(archive);
  const asked = model.requests.length;
  reply = { type: "hang" };
  let history: readonly Json[] = [wire.user("Read all modules. Never edit generated.ts. Killed.")];
  for (let turn = 0; eventsOfAll(first, "summary-due").length === 0; turn++)
    history = await turnOf(wire, [first[turn % 3]!], history);
  await until(() => model.requests.length > asked);
  // Whoever of them has asked the model is dead now.
  for (const { child } of first) child.kill("SIGKILL");
  reply = saying;
  const second = await startThree(archive);
  for (let turn = 0; !isCompacted(second); turn++) history = await turnOf(wire, [second[turn % 3]!], history);
  expect(model.requests.length - asked).toBe(1);
  expect(provider.received.at(-1)!.text).not.toContain(STORY);
  // The next snapshot has its summary.
  for (let turn = 0; eventsOfAll(second, "summary-due").length === 0; turn++)
    history = await turnOf(wire, [second[turn % 3]!], history);
  await until(() => eventsOfAll(second, "summary").length > 0);
  expect(timesAsked(model.requests.slice(asked).map(({ prompt }) => prompt))).toEqual([1, 1]);
}, 600_000);
