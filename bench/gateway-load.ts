/**
 * Many agents at one gateway, `npm run bench -- load --minutes 5 --workers 1 --pause 5`: what it adds to a request, what it
 * sheds, whether what reaches the upstream fits, and how much memory it takes.
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Bar, bar, median } from "./bar.ts";
import type { LoadCounts } from "./load-provider.ts";

interface LoadOptions {
  readonly minutes: number;
  readonly workers: number;
  /** Seconds between the turns of an agent. */
  readonly pause: number;
  /** Conversations at the same time. */
  readonly conversations: number;
}

const WINDOW = 100_000;
const TURN_BYTES = 12_000;
const DEADLINE_MS = 1_000;
const [FEWEST_TURNS, MOST_TURNS] = [4, 48];
const MB = 1024 ** 2;

interface Tally {
  readonly times: number[];
  readonly failures: Map<string, number>;
}

export async function benchLoad(options: LoadOptions): Promise<readonly Bar[]> {
  const folder = mkdtempSync(join(tmpdir(), "pith-load-"));
  const provider = fork(fileURLToPath(new URL("./load-provider.ts", import.meta.url)), [String(WINDOW)]);
  const [upstream] = (await once(provider, "message")) as [string];
  const flags = ["--window", String(WINDOW), "--deadline", `${DEADLINE_MS}ms`, "--inspect", "off"];
  const where = ["--port", "0", "--upstream", upstream, "--archive", join(folder, "archive.sqlite")];
  const gateway = spawn(
    process.execPath,
    [
      fileURLToPath(new URL("../src/cli/main.ts", import.meta.url)),
      ...["gateway", ...flags, ...where, "--workers", String(options.workers)],
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  try {
    return await load(await addressOf(gateway), gateway, provider, options);
  } finally {
    gateway.kill("SIGKILL");
    provider.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function load(
  url: string,
  gateway: ChildProcess,
  provider: ChildProcess,
  options: LoadOptions,
): Promise<readonly Bar[]> {
  const start = performance.now() / 1_000;
  const end = performance.now() + options.minutes * 60_000;
  const tally: Tally = { times: [], failures: new Map() };
  const agent = new http.Agent({ keepAlive: true });
  const agents = Array.from({ length: options.conversations }, (_, index) =>
    beAgent(index, { url: `${url}/v1/chat/completions`, agent, end, tally }, options),
  );
  const memory: number[] = [];
  const tellEvery = Math.max(1, Math.round(options.minutes * 3));
  while (performance.now() < end) {
    await sleep(1_000);
    memory.push(residentBytes(gateway.pid!));
    if (memory.length % tellEvery === 0)
      process.stderr.write(`${memory.length} s: ${tally.times.length} requests, ${inMB(memory.at(-1)!)}\n`);
  }
  await Promise.all(agents);
  agent.destroy();
  const cores = cpuSeconds(gateway.pid!) / (performance.now() / 1_000 - start);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  provider.send("count");
  const [counts] = (await once(provider, "message")) as [LoadCounts];
  return bars({ tally, memory, metrics, counts, cores }, options);
}

interface Measured {
  readonly tally: Tally;
  readonly memory: readonly number[];
  readonly metrics: string;
  readonly counts: LoadCounts;
  /** What the gateway took of the processors; how long things take depends on who else is on the machine. */
  readonly cores: number;
}

function bars({ tally, memory, metrics, counts, cores }: Measured, options: LoadOptions): readonly Bar[] {
  const { minutes, workers, pause } = options;
  const what = `load, ${workers} worker${workers === 1 ? "" : "s"}, ${pause} s between turns`;
  const sorted = tally.times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  const failed = [...tally.failures.values()].reduce((sum, each) => sum + each, 0);
  const shed = counterIn(metrics, "shed");
  const third = Math.floor(memory.length / 3);
  const [early, late] = [median(memory.slice(third, 2 * third)), median(memory.slice(-third))];
  const most = Math.max(...memory);
  process.stderr.write(
    `gateway: ${cores.toFixed(2)} cores; load average ${loadavg()[1]!.toFixed(1)} on ${availableParallelism()}\n`,
  );
  process.stderr.write(`${metrics.split("\n").filter(isTelling).join("\n")}\n`);
  const isPaced = pause > 0;
  return [
    bar(
      `${what}: added at p99, beside the deadline`,
      at(0.99) / DEADLINE_MS,
      isPaced ? 1 : Number.POSITIVE_INFINITY,
      `${sorted.length} requests in ${minutes} minutes: p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, most ${at(0.99999).toFixed(0)} ms`,
    ),
    bar(
      `${what}: shed`,
      shed / Math.max(1, sorted.length),
      isPaced ? 0.01 : 1,
      `${shed} of ${sorted.length}`,
    ),
    bar(
      `${what}: over the window at the upstream`,
      counts.overWindow,
      0,
      `${counts.overWindow} of ${counts.requests}, the largest ${counts.largest} tokens, ${counts.broken} broken`,
    ),
    bar(
      `${what}: failed`,
      failed,
      0,
      [...tally.failures].map(([why, times]) => `${times} ${why}`).join(", "),
    ),
    bar(`${what}: resident memory, beside 1 GB`, most / 1024 ** 3, 1, `at most ${inMB(most)}`),
    bar(
      `${what}: resident memory, last third beside the middle one`,
      late / early,
      1.15,
      `${inMB(early)}, then ${inMB(late)}`,
    ),
  ];
}

const isTelling = (line: string): boolean =>
  /^pith_gateway_(?:shed|preparations|requests|compactions|queue|worker)/.test(line);

interface Load {
  readonly url: string;
  readonly agent: http.Agent;
  readonly end: number;
  readonly tally: Tally;
}

/** One conversation after the other, each of another length. */
async function beAgent(index: number, load: Load, { pause, conversations }: LoadOptions): Promise<void> {
  const pauseMs = pause * 1_000;
  await sleep((pauseMs * index) / conversations);
  for (let at = 0; performance.now() < load.end; at++) {
    const name = `${index}-${at}`;
    const turns = FEWEST_TURNS + ((index * 7 + at * 11) % (MOST_TURNS - FEWEST_TURNS + 1));
    const ask = `Conversation ${name}: read the modules one by one and say where their values come from. Never edit generated.ts.`;
    const pieces = [
      Buffer.from(`{"model":"gpt-4.1","messages":[${JSON.stringify({ role: "user", content: ask })}`),
    ];
    for (let turn = 0; turn < turns && performance.now() < load.end; turn++) {
      const began = performance.now();
      const answer = await post(load, Buffer.concat([...pieces, Buffer.from("]}")]));
      if (!answer) break;
      load.tally.times.push(performance.now() - began);
      const { message } = (JSON.parse(answer) as Answer).choices[0];
      const result = {
        role: "tool",
        tool_call_id: message.tool_calls[0].id,
        content: moduleText(index, at, turn),
      };
      pieces.push(Buffer.from(`,${JSON.stringify(message)},${JSON.stringify(result)}`));
      if (pauseMs > 0) await sleep(Math.max(0, pauseMs - (performance.now() - began)));
    }
  }
}

interface Answer {
  readonly choices: readonly [
    { readonly message: { readonly tool_calls: readonly [{ readonly id: string }] } },
  ];
}

/** Undefined where it failed. */
function post({ url, agent, tally }: Load, body: Buffer): Promise<string | undefined> {
  return new Promise((resolve) => {
    const fail = (why: string): void => {
      tally.failures.set(why, (tally.failures.get(why) ?? 0) + 1);
      resolve(undefined);
    };
    const headers = { "content-type": "application/json", "content-length": body.length };
    const request = http.request(url, { method: "POST", agent, headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.once("error", ({ message }) => fail(message));
      answer.once("end", () =>
        answer.statusCode === 200 ? resolve(text) : fail(`status ${answer.statusCode}`),
      );
    });
    request.on("error", ({ message }) => fail(message));
    request.end(body);
  });
}

/** Source text with names and numbers of its own, so that no two turns are alike. */
function moduleText(index: number, at: number, turn: number): string {
  let seed = (index * 1_000 + at) * 1_000 + turn + 1;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed % below;
  };
  const lines: string[] = [];
  for (let bytes = 0; bytes < TURN_BYTES; ) {
    const line = LINES[next(LINES.length)]!(String(next(100_000)), WORDS[next(WORDS.length)]!);
    lines.push(line);
    bytes += line.length + 2;
  }
  return lines.join("\n");
}

const WORDS = ["account", "invoice", "ledger", "payment", "session", "tenant", "window", "worker"] as const;
const LINES: readonly ((number: string, word: string) => string)[] = [
  (number, word) => `export const ${word}Limit${number} = ${number};`,
  (number, word) => `  if (${word}.id === "${number}") return ${word}s.filter((each) => each.open);`,
  (number, word) => `// The ${word} is read from the table of ${number} rows, and written once.`,
  (number, word) => `import { ${word}Of } from "../${word}/${number}.ts";`,
  (number, word) => `2026-03-01T10:00:00Z info ${word} ${number} took 12 ms`,
];

/** The sum over all labels. */
function counterIn(metrics: string, name: string): number {
  const lines = metrics.split("\n").filter((line) => line.startsWith(`pith_gateway_${name}_total`));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

/** User and system time of a process, from its clock ticks of 10 ms. */
function cpuSeconds(pid: number): number {
  const [, fields = ""] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  const [user, system] = fields.split(" ").slice(11, 13).map(Number);
  return (user! + system!) / 100;
}

function residentBytes(pid: number): number {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

function inMB(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`;
}

/** The gateway says it in its log, of which nothing else is read. */
function addressOf({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let log: string | undefined = "";
    stderr!.on("data", (chunk: Buffer) => {
      if (log === undefined) return;
      log += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(log)?.[0];
      if (found === undefined) return;
      log = undefined;
      resolve(found);
    });
  });
}
