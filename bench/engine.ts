/** The engine's bars: cold, warm and idle turns against counting and JSON, and memory against the body. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { readConversation } from "../src/providers/detect.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import { type Bar, bar, median } from "./bar.ts";
import { longConversation } from "./corpus.ts";

const rounds = 5;
const warmUpName = "warm-up";
const measureFile = join(import.meta.dirname, "measure.ts");
/** Warm-up conversations are of other sessions than the measured ones, so that only the compiler knows the code, and no memo the text. */
const warmUpSession = 120;

export async function benchEngine(): Promise<Bar[]> {
  const folder = mkdtempSync(join(tmpdir(), "pith-bench-"));
  try {
    await writeConversation(folder, warmUpName, 300_000, warmUpSession);
    const million = await writeConversation(folder, "1m", 1_000_000);
    const half = await writeConversation(folder, "500k", 500_000);
    const body = await writeBody(folder, 32 * 1024 * 1024);
    return [await coldBar(million), await warmBar(million), await turnBar(half), await memoryBar(body)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function coldBar(file: string): Promise<Bar> {
  const counts: number[] = [];
  const compactions: number[] = [];
  for (let round = 0; round < rounds; round++) {
    counts.push((await measure("count", file)).ms!);
    compactions.push((await measure("cold", file)).ms!);
  }
  const [count, compaction] = [median(counts), median(compactions)];
  const detail = `${compaction.toFixed(0)} ms against ${count.toFixed(0)} ms`;
  return bar("cold compaction of 1M tokens / counting them once", compaction / count, 2, detail);
}

async function warmBar(file: string): Promise<Bar> {
  const runs: Record<string, number>[] = [];
  for (let round = 0; round < 3; round++) runs.push(await measure("warm", file));
  const ratio = median(runs.map((run) => run.ms! / run.roundTripMs!));
  const detail = `${runs[0]!.ms!.toFixed(1)} ms against ${runs[0]!.roundTripMs!.toFixed(1)} ms`;
  return bar("compacting again with 2k new tokens / a JSON round trip", ratio, 5, detail);
}

async function turnBar(file: string): Promise<Bar> {
  const runs: Record<string, number>[] = [];
  for (let round = 0; round < rounds; round++) runs.push(await measure("turn", file));
  const ratio = median(runs.map((run) => run.ms! / run.countMs!));
  const detail = `${runs[0]!.ms!.toFixed(2)} ms against ${runs[0]!.countMs!.toFixed(0)} ms`;
  return bar("a turn of 2k tokens on 500k, nothing to do / a full count", ratio, 0.01, detail);
}

async function memoryBar({ file, bytes }: { file: string; bytes: number }): Promise<Bar> {
  const peaks: number[] = [];
  for (let round = 0; round < 3; round++) {
    const idle = (await measure("idle", file)).maxRssBytes!;
    peaks.push((await measure("memory", file)).maxRssBytes! - idle);
  }
  const peak = median(peaks);
  const detail = `${(peak / 2 ** 20).toFixed(0)} MB for a body of ${(bytes / 2 ** 20).toFixed(0)} MB`;
  return bar("peak memory above idle / a 32 MB body", peak / bytes, 6, detail);
}

async function measure(name: string, file: string): Promise<Record<string, number>> {
  const warmUpFile = join(dirname(file), `${warmUpName}.json`);
  const { stdout } = await promisify(execFile)(process.execPath, [measureFile, name, file, warmUpFile]);
  return JSON.parse(stdout);
}

async function writeConversation(folder: string, name: string, tokens: number, first = 0): Promise<string> {
  const counter = createTokenCounter();
  let counted = 0;
  let total = 0;
  const messages = await longConversation((all) => {
    for (; counted < all.length; counted++) total += counter.conversation(readConversation([all[counted]]));
    return total >= tokens;
  }, first);
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(messages));
  return file;
}

async function writeBody(folder: string, wantedBytes: number): Promise<{ file: string; bytes: number }> {
  let counted = 0;
  let total = 0;
  const messages = await longConversation((all) => {
    for (; counted < all.length; counted++) total += Buffer.byteLength(JSON.stringify(all[counted])) + 1;
    return total >= wantedBytes;
  });
  const file = join(folder, "body.json");
  const text = JSON.stringify({ model: "gpt-4o", messages });
  writeFileSync(file, text);
  return { file, bytes: Buffer.byteLength(text) };
}
