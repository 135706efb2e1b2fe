/** One measurement in a process of its own: `node bench/measure.ts NAME FILE WARM-UP` prints its figures as JSON. */
import { readFileSync } from "node:fs";
import { keepHeapLean } from "../src/cli/lean-heap.ts";
import { createCompactor } from "../src/compactor.ts";
import { readConversation } from "../src/formats/detect.ts";
import { presets } from "../src/policy/presets.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";

const [name = "", file = "", warmUpFile = ""] = process.argv.slice(2);
const target = "30%";

const measurements: Readonly<Record<string, () => unknown>> = {
  count: () => {
    createTokenCounter().conversation(readConversation(jsonOf(warmUpFile)));
    const conversation = readConversation(jsonOf(file));
    return { ms: timed(() => createTokenCounter().conversation(conversation)) };
  },
  cold: async () => {
    await createCompactor().compact(jsonOf(warmUpFile), { target });
    const value = jsonOf(file);
    return { ms: await timedAsync(() => compactOrThrow(value)) };
  },
  warm: async () => {
    const value = jsonOf(file) as unknown[];
    await compactOrThrow(value);
    const compactions: number[] = [];
    const roundTrips: number[] = [];
    for (let round = 0; round < 9; round++) {
      value.push(...newTurn(round));
      compactions.push(await timedAsync(() => compactOrThrow(value)));
      roundTrips.push(timed(() => JSON.parse(JSON.stringify(value))));
    }
    return { ms: median(compactions), roundTripMs: median(roundTrips) };
  },
  turn: async () => {
    createTokenCounter().conversation(readConversation(jsonOf(warmUpFile)));
    const value = jsonOf(file) as unknown[];
    const conversation = readConversation(value);
    const countMs = timed(() => createTokenCounter().conversation(conversation));
    const { triggerCapTokens: _, ...policy } = presets.balanced;
    const compactor = createCompactor({ preset: policy, window: 4_000_000 });
    let { state } = await compactor.compact(value);
    const turns: number[] = [];
    for (let round = 0; round < 41; round++) {
      value.push(...newTurn(round));
      turns.push(
        await timedAsync(async () => {
          const result = await compactor.compact(value, { state });
          if (result.report.error || result.report.compacted)
            throw new Error("This turn was to need no compaction.");
          state = result.state;
        }),
      );
    }
    return { ms: median(turns), countMs };
  },
  idle: async () => {
    keepHeapLean();
    await createCompactor().compact(jsonOf(warmUpFile), { target });
    return { maxRssBytes: process.resourceUsage().maxRSS * 1024 };
  },
  memory: async () => {
    keepHeapLean();
    await createCompactor().compact(jsonOf(warmUpFile), { target });
    const { report } = await createCompactor({ window: 1_000_000 }).compact(readFileSync(file, "utf8"));
    if (!report.compacted) throw report.error ?? new Error(report.reason);
    return { maxRssBytes: process.resourceUsage().maxRSS * 1024 };
  },
};

process.stdout.write(JSON.stringify(await measurements[name]!()));

async function compactOrThrow(input: unknown): Promise<void> {
  const { report } = await createCompactor().compact(input, { target });
  if (report.error) throw report.error;
}

function jsonOf(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** About 2,000 tokens that no earlier turn had: a call and its result. */
function newTurn(round: number): unknown[] {
  const lines = Array.from(
    { length: 90 },
    (_, line) =>
      `src/module-${round}/file-${line}.ts:${line * 7 + round}: const value${line} = compute(${line * round});`,
  );
  const id = `turn-${round}`;
  return [
    {
      role: "assistant",
      content: `Looking at module ${round} next.`,
      tool_calls: [
        { id, type: "function", function: { name: "grep", arguments: `{"pattern":"value${round}"}` } },
      ],
    },
    { role: "tool", tool_call_id: id, content: lines.join("\n") },
  ];
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

async function timedAsync(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
