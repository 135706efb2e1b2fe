/**
 * Two agents write one archive, each killed with SIGKILL at random instants of its work and started again: whatever id any
 * output ever named must lead to its original. A sample by default; PITH_FULL=1 goes on until 1,000 compactions.
 */

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Archive } from "../src/archive/archive.ts";
import { itemId, MARKER } from "../src/archive/item-id.ts";
import { spanPieces } from "../src/archive/span-pieces.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import type { WireMessage } from "../src/testing/builders.ts";
import { hasAllRecordings, recordings } from "./recordings.ts";

const full = process.env.PITH_FULL === "1";
const wanted = full ? 1_000 : 20;
const mostMs = full ? 3_000_000 : 25_000;
const writer = join(import.meta.dirname, "kill-nine-writer.ts");

interface Sent {
  readonly compaction: string;
  readonly output: readonly WireMessage[];
}

test(
  "killed at any instant, every id that was ever sent leads to its original, and every hash matches",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "pith-kill-"));
    const file = join(folder, "archive.sqlite");
    const sources = await conversationFiles(folder);
    const until = Date.now() + mostMs;
    const counts = { compactions: 0, kills: 0, killedAtWork: 0 };
    const live = sources.map(async (source, index) => {
      const own = join(folder, `agent-${index}`);
      mkdirSync(own);
      // However slow the machine is, some of the work is done between two kills.
      while (counts.compactions < 2 || (counts.compactions < wanted && Date.now() < until)) {
        const killed = await runUntilKilled([file, own, source, "8000"], counts);
        expect(killed.fault, killed.fault).toBe("");
      }
    });
    await Promise.all(live);
    const archive = sqliteArchive({ file });
    const faults: string[] = [];
    let markers = 0;
    for (const [index, source] of sources.entries()) {
      const log = join(folder, `agent-${index}/sent.jsonl`);
      const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
      // The last line may be torn: the agent was killed while it noted it down.
      const sent: readonly Sent[] = lines.slice(0, -1).map((line) => JSON.parse(line));
      const said = new Set((JSON.parse(readFileSync(source, "utf8")) as WireMessage[]).map(textOf));
      for (const { output } of sent) for (const message of output) said.add(textOf(message));
      for (const { compaction, output } of sent) {
        const ids = [...new Set(JSON.stringify(output).match(MARKER))];
        markers += ids.length;
        for (const id of ids) faults.push(...(await faultsOf(archive, id, said)));
        if (!(await archive.compaction!(compaction))) faults.push(`compaction ${compaction} is not there`);
      }
    }
    const verified = await archive.verify!();
    await archive.close!();
    process.stderr.write(
      `kill -9: ${counts.compactions} compactions, ${counts.kills} kills (${counts.killedAtWork} inside a compaction), ` +
        `${markers} markers expanded, ${verified.items} items verified, ${faults.length + verified.faults.length} faults\n`,
    );
    expect(faults).toEqual([]);
    expect(verified.faults).toEqual([]);
    expect(counts.kills).toBeGreaterThan(1);
    expect(markers).toBeGreaterThan(0);
    rmSync(folder, { recursive: true, force: true });
  },
  mostMs + 120_000,
);

/** Two conversations of real agents. */
async function conversationFiles(folder: string): Promise<readonly string[]> {
  const example = join(import.meta.dirname, "../examples/coding-session.json");
  const source = hasAllRecordings ? "derived-openai" : "coding-sessions";
  for await (const { id, messages } of recordings([source])) {
    if (id !== "agentv-019efedf-ea3a-openai" && messages.length < 300) continue;
    const file = join(folder, "recording.json");
    writeFileSync(file, JSON.stringify(messages));
    return [example, file];
  }
  return [example, example];
}

/** What an agent says in one life, at most: it takes about five lines to a compaction. */
const MOST_LINES = 10;

/** One life of an agent: it ends after a random one of its lines, at a random instant of what it does then. */
async function runUntilKilled(
  parameters: readonly string[],
  counts: { compactions: number; kills: number; killedAtWork: number },
): Promise<{ readonly fault: string }> {
  const child = spawn(process.execPath, [writer, ...parameters], { stdio: ["ignore", "pipe", "pipe"] });
  let fault = "";
  let atWork = false;
  let timer: NodeJS.Timeout | undefined;
  let linesLeft = Math.ceil(Math.random() * MOST_LINES);
  let spokeAt = performance.now();
  child.stderr.on("data", (chunk) => {
    fault += chunk;
  });
  child.stdout.on("data", (chunk) => {
    for (const line of String(chunk).split("\n")) {
      if (line === "end") counts.compactions++;
      if (line !== "") atWork = line === "begin";
      if (line !== "") linesLeft--;
    }
    const sinceLastMs = performance.now() - spokeAt;
    spokeAt = performance.now();
    if (linesLeft > 0) return;
    timer ??= setTimeout(() => {
      counts.kills++;
      if (atWork) counts.killedAtWork++;
      child.kill("SIGKILL");
    }, Math.random() * sinceLastMs);
  });
  const signal = await new Promise((resolve) => child.on("close", (_code, ended) => resolve(ended)));
  clearTimeout(timer);
  return { fault: signal === "SIGKILL" ? "" : fault || "the agent ended by itself" };
}

function textOf({ role, content, tool_calls: calls }: WireMessage): string {
  return JSON.stringify([role, content ?? null, calls ?? null]);
}

/** What is wrong with an id: it leads nowhere, its content is another, or it holds what nobody said. */
async function faultsOf(archive: Archive, id: string, said: ReadonlySet<string>): Promise<readonly string[]> {
  const item = await archive.get(id);
  if (!item) return [`${id} leads nowhere`];
  if (itemId(item.kind, item.content) !== id) return [`${id} holds something else`];
  if (item.kind === "span") {
    const all = await Promise.all(spanPieces(item.content).map((piece) => faultsOf(archive, piece.id, said)));
    return all.flat();
  }
  if (item.masked.length > 0) return [];
  if (item.kind === "message")
    return said.has(textOf(JSON.parse(item.content))) ? [] : [`${id} was never said`];
  const json = JSON.stringify(item.content).slice(1, -1);
  return [...said].some(
    (text) => text.includes(json) || JSON.parse(text).some((part: unknown) => holds(part, item.content)),
  )
    ? []
    : [`${id} is no piece of what was said`];
}

/** A piece of a call's arguments stands in JSON inside of JSON. */
function holds(part: unknown, piece: string): boolean {
  if (typeof part === "string")
    return part.includes(piece) || part.includes(JSON.stringify(piece).slice(1, -1));
  return typeof part === "object" && part !== null && Object.values(part).some((each) => holds(each, piece));
}
