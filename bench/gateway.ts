/** The gateway beside a bare proxy: throughput with small bodies, what it adds to large ones, and its deadline. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Bar, bar } from "./bar.ts";

const SMALL_REQUESTS = 1_500;
const CONCURRENCY = 16;
const ROUNDS = 5;
const LARGE_REQUESTS = 250;
const DEADLINE_MS = 200;
const GOES = 3;
/** Whatever is in 2 MB fits it: past the deadline they need not wait to be counted. */
const WINDOW = "4000000";

export async function benchGateway(): Promise<readonly Bar[]> {
  const children: ChildProcess[] = [];
  const start = async (file: URL, ...flags: readonly string[]): Promise<string> => {
    const child = spawn(process.execPath, [fileURLToPath(file), ...flags], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    return addressSaidBy(child);
  };
  try {
    const peers = new URL("./gateway-peers.ts", import.meta.url);
    const provider = await start(peers, "provider");
    const bare = await start(peers, "proxy", provider);
    const flags = ["gateway", "--port", "0", "--archive", "none", "--upstream", provider, "--window", WINDOW];
    const gateway = await start(
      new URL("../src/cli/main.ts", import.meta.url),
      ...flags,
      "--deadline",
      `${DEADLINE_MS}ms`,
    );
    const agent = new http.Agent({ keepAlive: true, maxSockets: CONCURRENCY });
    const ask = (url: string, body: Buffer): Promise<number> =>
      timed(agent, `${url}/v1/chat/completions`, body);
    return [
      await throughput(ask, bare, gateway),
      ...(await addedLatency(ask, bare, gateway, "200 KB that grew a little")),
      ...(await addedLatency(ask, bare, gateway, "200 KB, looked at anew")),
      await deadline(ask, bare, gateway),
      await idleness(children.at(-1)!),
    ];
  } finally {
    for (const child of children) child.kill();
  }
}

type Kind = "200 KB that grew a little" | "200 KB, looked at anew";
type Ask = (url: string, body: Buffer) => Promise<number>;

async function throughput(ask: Ask, bare: string, gateway: string): Promise<Bar> {
  const body = Buffer.from(
    JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hello. ".repeat(40) }] }),
  );
  const rate = async (url: string): Promise<number> => {
    const start = performance.now();
    let left = SMALL_REQUESTS;
    const client = async (): Promise<void> => {
      while (left-- > 0) await ask(url, body);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, client));
    return (SMALL_REQUESTS * 1000) / (performance.now() - start);
  };
  await rate(bare);
  await rate(gateway);
  const rates = { bare: [] as number[], gateway: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push(await rate(bare));
    rates.gateway.push(await rate(gateway));
  }
  const [plain, ours] = [quantile(rates.bare, 0.5), quantile(rates.gateway, 0.5)];
  const detail = `${Math.round(ours)} of ${Math.round(plain)} requests/s`;
  return {
    name: "gateway: time of a small request, beside a bare proxy",
    ratio: plain / ours,
    limit: 1.43,
    ok: ours >= 0.7 * plain,
    detail,
  };
}

/**
 * Each request is one message longer than the last, as an agent's are; the window is far. Where something behind the
 * messages is another each time, no request can be told by the last one.
 */
async function addedLatency(ask: Ask, bare: string, gateway: string, kind: Kind): Promise<readonly Bar[]> {
  const times = await quietest(() => largeTimes(ask, bare, gateway, kind));
  const barAt = (share: number, limit: number): Bar => {
    const added = quantile(times.gateway, share) - quantile(times.bare, share);
    const parse = quantile(times.parse, share);
    const detail = `${added.toFixed(2)} ms added, a parse takes ${parse.toFixed(2)} ms`;
    const name = `gateway: added to ${kind} at p${share * 100}, beside a JSON parse`;
    return bar(name, Math.max(0, added) / parse, limit, detail);
  };
  return [barAt(0.5, 4), barAt(0.99, 15)];
}

interface Times {
  readonly bare: number[];
  readonly gateway: number[];
  readonly parse: number[];
}

/** Of several goes the one in which both were kept waiting the least: what others do on the machine is not ours. */
async function quietest(go: () => Promise<Times>): Promise<Times> {
  const goes: Times[] = [];
  for (let at = 0; at < GOES; at++) goes.push(await go());
  const noise = ({ bare, gateway }: Times): number => quantile(bare, 0.99) + quantile(gateway, 0.99);
  return goes.toSorted((a, b) => noise(a) - noise(b))[0]!;
}

async function largeTimes(ask: Ask, bare: string, gateway: string, kind: Kind): Promise<Times> {
  const messages = history(200_000);
  const times: Times = { parse: [], bare: [], gateway: [] };
  for (let turn = 0; turn < LARGE_REQUESTS; turn++) {
    messages.push({ role: "user", content: `Turn ${turn}.` });
    const isLooked = kind === "200 KB, looked at anew";
    const text = JSON.stringify({ model: "gpt-4.1", messages, ...(isLooked && { user: `turn ${turn}` }) });
    const body = Buffer.from(text);
    const start = performance.now();
    JSON.parse(text);
    const parse = performance.now() - start;
    const [plain, ours] = [await ask(bare, body), await ask(gateway, body)];
    if (turn < 50) continue;
    times.parse.push(parse);
    times.bare.push(plain);
    times.gateway.push(ours);
  }
  return times;
}

/** New conversations of 2 MB, whose first reading takes longer than the deadline. */
async function deadline(ask: Ask, bare: string, gateway: string): Promise<Bar> {
  let round = 0;
  const times = await quietest(async () => {
    const go: Times = { bare: [], gateway: [], parse: [] };
    for (const last = round + 12; round < last; round++) {
      const messages = [{ role: "user", content: `Conversation ${round}.` }, ...history(2_000_000, round)];
      const body = Buffer.from(JSON.stringify({ model: "gpt-4.1", messages }));
      go.bare.push(await ask(bare, body));
      go.gateway.push(await ask(gateway, body));
    }
    return go;
  });
  const waits = times.gateway.map((ours, at) => ours - times.bare[at]!);
  const [typical, slowest] = [quantile(waits, 0.5), quantile(waits, 0.99)];
  const detail = `${typical.toFixed(0)} ms added at p50, ${slowest.toFixed(0)} ms at p99, with a deadline of ${DEADLINE_MS} ms`;
  return bar(
    "gateway: added to 2 MB, beside its deadline and 10 ms",
    slowest / (DEADLINE_MS + 10),
    1,
    detail,
  );
}

/** Work that was given up must not go on: what the gateway's process takes of a processor, once all is answered. */
async function idleness({ pid }: ChildProcess): Promise<Bar> {
  // A compaction that was begun when its time was up ends at its next step.
  await sleep(3_000);
  const before = cpuMs(pid!);
  await sleep(2_000);
  const busy = (cpuMs(pid!) - before) / 2_000;
  const detail = `${(busy * 100).toFixed(1)} % of a processor in the seconds after`;
  return bar("gateway: idle after its deadlines", busy, 0.05, detail);
}

/** User and system time of a process, in its clock ticks of 10 ms. */
function cpuMs(pid: number): number {
  const [, fields = ""] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  const [user, system] = fields.split(" ").slice(11, 13).map(Number);
  return (user! + system!) * 10;
}

function history(characters: number, seed = 0): { role: string; content: string }[] {
  const messages: { role: string; content: string }[] = [];
  for (let size = 0, at = 0; size < characters; at++) {
    const lines = Array.from(
      { length: 30 },
      (_, line) => `export const v${seed}_${at}_${line} = "${at * line + 7}"; // text`,
    );
    messages.push({ role: at % 2 === 0 ? "user" : "assistant", content: lines.join("\n") });
    size += lines.join("\n").length + 40;
  }
  return messages;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function timed(agent: http.Agent, url: string, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const headers = { "content-type": "application/json", "content-length": body.length };
    const request = http.request(url, { method: "POST", agent, headers }, (answer) => {
      answer.resume().once("end", () => resolve(performance.now() - start));
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** A peer says its address on stdout, the gateway in its log on stderr. */
function addressSaidBy(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(chunk.toString())?.[0];
      if (found) resolve(found);
    };
    child.stdout!.on("data", listen);
    child.stderr!.on("data", listen);
    child.once("exit", () => reject(new Error("A process of the bench ended.")));
  });
}
