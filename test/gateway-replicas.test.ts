/** Three gateways on one PostgreSQL: requests of one conversation land anywhere, and a gateway may die at any time. */
import { type ChildProcess, spawn } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Json, type Said, type Wire, wires } from "./gateway-wires.ts";
import { type Provider, post, type Received, speaking, startProvider } from "./gateway-world.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";
import { program } from "./run-pith.ts";

const WINDOW = "16000";
const TURNS = process.env.PITH_FULL ? 200 : 32;
let postgres: PostgresServer;
let provider: Provider;
let archive: string;
beforeAll(async () => {
  postgres = await startPostgres();
  archive = await postgres.createDatabase("gateways");
  provider = await startProvider(speaking(reading));
});
afterAll(async () => {
  await provider.close();
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

interface Replica {
  readonly url: string;
  readonly log: () => string;
  readonly child: ChildProcess;
}

async function startReplica(): Promise<Replica> {
  const flags = ["--port", "0", "--upstream", provider.url, "--window", WINDOW, "--deadline", "60s"];
  const child = spawn(process.execPath, [program, "gateway", ...flags], {
    env: { ...process.env, PITH_ARCHIVE: archive },
  });
  let log = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      log += chunk;
      const line = log.split("\n").find((each) => each.includes('"listening"'));
      if (line) resolve(JSON.parse(line).url);
    });
    child.on("exit", () => reject(new Error(log)));
  });
  return { url, child, log: () => log };
}

test("no turn is lost and no prefix is wrong while gateways are killed in the middle of answers and compactions", async () => {
  const wire = wires[1] as Wire;
  const replicas = await Promise.all([startReplica(), startReplica(), startReplica()]);
  const logs: (() => string)[] = replicas.map(({ log }) => log);
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
      replicas[at] = await startReplica();
      logs.push(replicas[at].log);
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
  const compactedTurns = new Set(
    logs.flatMap((log) => log().split("\n")).filter((line) => line.includes('"outcome":"compacted"')),
  ).size;
  const breaks = heard.filter(({ body }, index) => {
    const before = (heard[index - 1]?.body.messages ?? []) as Json[];
    return JSON.stringify((body.messages as Json[]).slice(0, before.length)) !== JSON.stringify(before);
  });
  expect(breaks.length).toBeGreaterThan(1);
  // One that was killed may have made its compaction without living to tell.
  expect(breaks.length).toBeGreaterThanOrEqual(compactedTurns);
  expect(breaks.length).toBeLessThanOrEqual(compactedTurns + killed);
});
