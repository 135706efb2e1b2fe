/** A worker thread that compacts with one package, and asks each result. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { wireTokens } from "../../test/independent-count.ts";
import { renderMessages } from "../measure/render-messages.ts";
import { countedTokens, systemTexts } from "../measure/sizes.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import type { Compact, Score, Task } from "./judge.ts";
import { judges } from "./judges.ts";
import { loadPackage } from "./package.ts";
import { pairFaults } from "./pairs.ts";

export interface Work {
  readonly judge: string;
  /** The folder of the judged package. */
  readonly folder: string;
  /** Where results are written to read. */
  readonly dump: string | undefined;
}

export interface Judged {
  readonly scores: readonly Score[];
  /** What went wrong with conversations that may be read. */
  readonly notes: readonly string[];
}

const { judge, folder, dump } = workerData as Work;
const { createCompactor, isValid } = await loadPackage(folder);
const smallestWindow = 8000;

parentPort!.on("message", async (task: Task) => parentPort!.postMessage(await judged(task)));

async function judged(task: Task): Promise<Judged> {
  const scores: Score[] = [];
  const notes: string[] = [];
  const compact: Compact = async (past, targetTokens, size) => {
    const tokens = countedTokens(past, systemTexts(past));
    const startedAt = performance.now();
    const made = await compacted(past, tokens, targetTokens);
    const milliseconds = performance.now() - startedAt;
    const fault = typeof made === "string" ? made : faultOf(past, made, targetTokens);
    const each = `${task.case} ${size}`;
    for (const row of ["failed", "over", "invalid"])
      scores.push({ row: `faults/${row}`, case: each, held: fault?.startsWith(row) ? 1 : 0, all: 1 });
    scores.push({ row: "time/ms per 1,000 tokens", case: each, held: milliseconds, all: tokens / 1000 });
    if (task.half !== "closed" && fault !== undefined) notes.push(`${each}: ${fault}`);
    if (typeof made === "string") return undefined;
    if (task.half !== "closed" && dump !== undefined) write(dump, each, made);
    return fault === undefined ? made : undefined;
  };
  const own = await judges[judge]!.measure(task, compact);
  notes.push(...own.flatMap(({ note }) => note ?? []));
  return { scores: [...own, ...scores], notes };
}

/** By how a result begins, what its compaction left for the next. */
const states = new Map<string, unknown>();

/** The result, or why there is none. */
async function compacted(
  past: readonly WireMessage[],
  tokens: number,
  target: number,
): Promise<readonly WireMessage[] | string> {
  const window = Math.max(smallestWindow, Math.round(tokens * 1.1));
  try {
    const known = states.get(JSON.stringify(past[0]));
    const options = { target, ...(known !== undefined && { state: known }) };
    const { messages, report, state } = await createCompactor({ window, clock: () => 0 }).compact(
      past,
      options,
    );
    if (!report.error) states.set(JSON.stringify(messages[0]), state);
    return report.error ? `failed: ${report.error.message}` : messages;
  } catch (error) {
    return `failed: ${String(error)}`;
  }
}

function faultOf(
  past: readonly WireMessage[],
  made: readonly WireMessage[],
  target: number,
): string | undefined {
  const tokens = wireTokens(past, made);
  if (tokens > target) return `over: ${tokens} of ${target} tokens`;
  const before = pairFaults(past);
  const [fault] = [...pairFaults(made)].filter((each) => !before.has(each));
  if (fault !== undefined) return `invalid: ${fault}`;
  return isValid(made) || !isValid(past) ? undefined : "invalid: by the package's own rules";
}

function write(to: string, name: string, messages: readonly WireMessage[]): void {
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, `${name.replaceAll(/[^\w.-]+/g, "-")}.txt`), renderMessages(messages));
}
