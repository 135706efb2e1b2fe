/** Half an hour of agents at the gateway, all three APIs, streaming and not, compacted many times: its memory stays flat. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Json, type Said, type Wire, wires } from "../test/gateway-wires.ts";
import { post, speaking, startProvider } from "../test/gateway-world.ts";
import { type Bar, bar, median } from "./bar.ts";
import type { SoakedMemory } from "./soaked-gateway.ts";

const MINUTES = Number(process.env.PITH_SOAK_MINUTES ?? 30);
/** Requests a second, all agents together. */
const RATE = Number(process.env.PITH_SOAK_RATE ?? 40);
const AGENTS = 12;
/** After so many turns an agent begins another conversation. */
const TURNS = 120;
const SAMPLES = 60;

export async function benchSoak(): Promise<readonly Bar[]> {
  const folder = mkdtempSync(join(tmpdir(), "pith-soak-"));
  const provider = await startProvider((request, response, index) => {
    speaking(() => saidTo(index))(request, response, index);
    // What it received is of no interest here, and would be kept for ever.
    provider.received.length = 0;
  });
  const child = fork(
    fileURLToPath(new URL("./soaked-gateway.ts", import.meta.url)),
    [provider.url, join(folder, "archive.sqlite")],
    { execArgv: ["--expose-gc"] },
  );
  try {
    const [url] = (await once(child, "message")) as [string];
    return await soak(url, child);
  } finally {
    child.kill("SIGKILL");
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function soak(url: string, child: ChildProcess): Promise<readonly Bar[]> {
  const end = performance.now() + MINUTES * 60_000;
  const count = { requests: 0, failed: 0 };
  const agents = Array.from({ length: AGENTS }, (_, index) => beAgent(index, url, end, count));
  const samples: SoakedMemory[] = [];
  for (let at = 0; at < SAMPLES; at++) {
    await sleep(Math.max(0, end - performance.now()) / (SAMPLES - at));
    child.send("memory");
    const [memory] = (await once(child, "message")) as [SoakedMemory];
    samples.push(memory);
    const { rss, heapUsed, workerHeap } = memory;
    process.stderr.write(
      `${at + 1}/${SAMPLES}: ${count.requests} requests, ${told(rss)}, heap ${told(heapUsed)}, worker ${told(workerHeap)}\n`,
    );
  }
  await Promise.all(agents);
  // The first third is the time in which memories that are bounded fill up.
  const third = SAMPLES / 3;
  const flat = (name: keyof SoakedMemory, what: string, limit: number): Bar => {
    const values = samples.map((sample) => sample[name]);
    const [early, late] = [median(values.slice(third, 2 * third)), median(values.slice(-third))];
    const first = values[0]!;
    const detail = `first ${told(first)}, middle third ${told(early)}, last third ${told(late)}, last ${told(values.at(-1)!)}`;
    return bar(
      `soak: ${what}, last third of ${MINUTES} minutes beside the middle one`,
      late / early,
      limit,
      detail,
    );
  };
  const share = count.failed / Math.max(1, count.requests);
  return [
    flat("rss", "resident memory", 1.15),
    flat("heapUsed", "heap after a collection", 1.15),
    bar("soak: requests that failed", share, 0, `${count.failed} of ${count.requests}`),
  ];
}

/** Reads one file after the other, now and then with a question; every few conversations speak another API. */
async function beAgent(
  index: number,
  url: string,
  end: number,
  count: { requests: number; failed: number },
): Promise<void> {
  for (let conversation = 0; performance.now() < end; conversation++) {
    const wire: Wire = wires[(index + conversation) % wires.length]!;
    let messages: readonly Json[] = [wire.user(`Agent ${index}, task ${conversation}: read all modules.`)];
    for (let turn = 0; turn < TURNS && performance.now() < end; turn++) {
      const began = performance.now();
      const stream = turn % 2 === 0;
      const store = wire.name === "responses" ? { store: false } : {};
      const response = await post(`${url}${wire.path}`, wire.body(messages, { stream, ...store }));
      count.requests++;
      if (response.status !== 200) {
        count.failed++;
        await response.text();
        break;
      }
      const answer = stream ? wire.assembled(await response.text()) : ((await response.json()) as Json);
      const { calls } = wire.saidIn(answer);
      const results = wire.results(calls.map((call) => ({ call, text: fileText(call.arguments, turn) })));
      messages = [...messages, ...wire.heard(answer), ...results];
      if (calls.length === 0) messages = [...messages, wire.user("Go on.")];
      await sleep(Math.max(0, (AGENTS * 1_000) / RATE - (performance.now() - began)));
    }
  }
}

/** The model reads a file in most turns, recalls something in some, and says something in the others. */
function saidTo(index: number): Said {
  if (index % 7 === 3)
    return { text: "", calls: [{ id: `r${index}`, name: "recall_search", arguments: '{"query":"value7"}' }] };
  if (index % 5 === 4) return { text: `Noted ${index}. `.repeat(20), calls: [] };
  const call = {
    id: `c${index}`,
    name: "read_file",
    arguments: JSON.stringify({ path: `src/m${index}.ts` }),
  };
  return { text: "", calls: [call] };
}

function fileText(path: string, turn: number): string {
  const lines = 20 + ((turn * 37) % 90);
  return Array.from(
    { length: lines },
    (_, line) => `export const value${line} = "${path}:${line * turn}";`,
  ).join("\n");
}

function told(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MB`;
}
