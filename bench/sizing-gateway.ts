/**
 * What one gateway with one worker takes of a processor and of memory, part of `npm run bench -- sizing`. Processor time, not
 * time on the clock: it is the same on a machine that others use as well.
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Bar, bar } from "./bar.ts";

const WINDOW = 100_000;
const TURN_BYTES = 2_000;
/** Those that are measured together, after as many that are not. */
const ROUNDS = 40;
const CONVERSATIONS = 300;

export async function benchSizingGateway(): Promise<readonly Bar[]> {
  const folder = mkdtempSync(join(tmpdir(), "pith-sizing-"));
  const provider = fork(fileURLToPath(new URL("./load-provider.ts", import.meta.url)), [String(2 ** 31)]);
  const [upstream] = (await once(provider, "message")) as [string];
  const flags = ["--port", "0", "--upstream", upstream, "--inspect", "off", "--deadline", "60s"];
  const main = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
  const archive = join(folder, "archive.sqlite");
  const gateway = spawn(process.execPath, [
    ...[main, "gateway", ...flags, "--archive", archive, "--window", "large=4000000", String(WINDOW)],
  ]);
  try {
    return await measured(`${await addressOf(gateway)}/v1/chat/completions`, gateway);
  } finally {
    gateway.kill("SIGKILL");
    provider.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(url: string, gateway: ChildProcess): Promise<readonly Bar[]> {
  const pid = gateway.pid!;
  const timed = async (what: string, bodies: (round: number) => string): Promise<Bar> => {
    for (let round = 0; round < ROUNDS; round++) await post(url, bodies(round));
    const [before, known] = [processorMs(pid), await outcomes(url)];
    for (let round = ROUNDS; round < 2 * ROUNDS; round++) await post(url, bodies(round));
    const ms = (processorMs(pid) - before) / ROUNDS;
    const told = await outcomes(url);
    const became = [...told].filter(([name, count]) => count > (known.get(name) ?? 0)).map(([name]) => name);
    const rate = `${ms.toFixed(1)} ms of a processor, ${(1000 / ms).toFixed(0)} a second of one core; ${became.join(", ") || "no preparation"}`;
    return bar(`sizing, gateway: ${what}`, ms, Number.POSITIVE_INFINITY, rate);
  };
  const idle = residentMB(pid);
  const bars = [
    await timed("2 KB", (round) => conversation({ name: `small ${round}`, turns: 1 })),
    await timed("200 KB and more, far from its window", (round) =>
      conversation({ name: "grown", turns: 100 + round, model: "large" }),
    ),
    await timed("replayed, 360 KB and more", (round) =>
      conversation({ name: "replayed", turns: 180 + (round >> 2) }),
    ),
    await timed("compacted, 400 KB", (round) => conversation({ name: `compacted ${round}`, turns: 200 })),
  ];
  for (let at = 0; at < CONVERSATIONS; at++) await post(url, conversation({ name: `many ${at}`, turns: 60 }));
  const some = residentMB(pid);
  for (let at = 0; at < CONVERSATIONS; at++) await post(url, conversation({ name: `more ${at}`, turns: 60 }));
  const all = residentMB(pid);
  const detail = `${idle.toFixed(0)} MB at the start, ${some.toFixed(0)} MB after ${CONVERSATIONS} conversations of 120 KB, ${all.toFixed(0)} MB after ${2 * CONVERSATIONS}`;
  return [...bars, bar("sizing, gateway: memory, twice as many conversations", all / some, 1.5, detail)];
}

/** How many bodies became what. */
async function outcomes(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(new URL("/metrics", url))).text();
  const lines = text.matchAll(/^pith_gateway_preparations_total\{outcome="([^"]+)"\} (\d+)$/gm);
  return new Map([...lines].map(([, name, count]) => [name!, Number(count)]));
}

interface Talk {
  readonly name: string;
  readonly turns: number;
  readonly model?: string;
}

/** As an agent that reads one file after the other. */
function conversation({ name, turns, model = "m" }: Talk): string {
  const messages: unknown[] = [
    { role: "user", content: `${name}: read the modules. Never edit generated.ts.` },
  ];
  for (let turn = 0; turn < turns; turn++) {
    const id = `c${turn}`;
    const call = { name: "read_file", arguments: JSON.stringify({ path: `src/${turn}.ts` }) };
    messages.push(
      {
        role: "assistant",
        content: `Module ${turn}.`,
        tool_calls: [{ id, type: "function", function: call }],
      },
      { role: "tool", tool_call_id: id, content: moduleText(name, turn) },
    );
  }
  return JSON.stringify({ model, messages });
}

function moduleText(name: string, turn: number): string {
  const seed = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, turn);
  let text = "";
  for (let line = 0; text.length < TURN_BYTES - 300; line++)
    text += `export const value${turn}_${line} = limitOf("${name} ${(seed * 7919 + line * 104729) % 99991}", ${line * turn});\n`;
  return text;
}

async function post(url: string, body: string): Promise<void> {
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  await answer.text();
  if (answer.status !== 200) throw new Error(`The gateway answered ${answer.status}.`);
}

function addressOf({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let log = "";
    stderr!.on("data", (chunk) => {
      if (log.length > 10_000) return;
      log += chunk;
      const found = /"url":"(http:[^"]+)"/.exec(log)?.[1];
      if (found) resolve(found);
    });
  });
}

/** User and system time of a process and all its threads, in ticks of 10 ms. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function residentMB(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))!;
  return Number(kilobytes) / 1024;
}
