/** One measurement in a process of its own: `node bench/measure.ts NAME FILE WARM-UP` prints its figures as JSON. */
import { readFileSync } from "node:fs";
import { keepHeapLean } from "../src/cli/lean-heap.ts";

const [name = "", file = "", warmUpFile = ""] = process.argv.slice(2);
// As the command line does it: before anything is loaded, while the heap is small.
if (name === "idle" || name === "memory") keepHeapLean();
const { createCompactor } = await import("../src/compactor.ts");
const { presets } = await import("../src/policy/presets.ts");
const { readConversation } = await import("../src/providers/detect.ts");
const { createTokenCounter } = await import("../src/tokens/counter.ts");

const target = "30%";
/** Much of a compaction is loops that run once each time: a few rounds until the compiler has seen them. */
const warmUps = 3;

const measurements: Readonly<Record<string, () => unknown>> = {
  // Both from the body's text: one to its number of tokens, the other to the compacted text, as the preset decides.
  count: () => {
    const count = (text: string) => createTokenCounter().conversation(readConversation(text));
    for (let round = 0; round < warmUps; round++) count(readFileSync(warmUpFile, "utf8"));
    const text = readFileSync(file, "utf8");
    return { ms: timed(() => count(text)) };
  },
  cold: async () => {
    const compactor = createCompactor({ window: 1_000_000 });
    for (let round = 0; round < warmUps; round++) {
      await compactor.compact(readFileSync(warmUpFile, "utf8"), { target: "10%" });
    }
    const text = readFileSync(file, "utf8");
    return {
      ms: await timedAsync(async () => {
        const { report } = await compactor.compact(text);
        if (!report.compacted) throw report.error ?? new Error(report.reason);
      }),
    };
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
    const length = value.length;
    for (let round = 0; round < 300; round++) {
      value.length = length;
      value.push(...newTurn(round));
      // Too short for the clock of processor time.
      const start = performance.now();
      const result = await compactor.compact(value, { state });
      turns.push(performance.now() - start);
      if (result.report.error || result.report.compacted)
        throw new Error("This turn was to need no compaction.");
      state = result.state;
    }
    // The count ran warm, so the turns are judged warm as well.
    return { ms: median(turns.slice(-150)), countMs };
  },
  idle: async () => {
    await createCompactor({ target: "50%" }).compact(jsonOf(warmUpFile), { target });
    return { maxRssBytes: process.resourceUsage().maxRSS * 1024 };
  },
  memory: async () => {
    await createCompactor({ target: "50%" }).compact(jsonOf(warmUpFile), { target });
    const { report } = await createCompactor({ window: 1_000_000 }).compact(readFileSync(file, "utf8"));
    if (!report.compacted) throw report.error ?? new Error(report.reason);
    return { maxRssBytes: process.resourceUsage().maxRSS * 1024 };
  },
};

process.stdout.write(JSON.stringify(await measurements[name]!()));

async function compactOrThrow(input: unknown): Promise<void> {
  const { report } = await createCompactor({ target: "50%" }).compact(input, { target });
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

/** Milliseconds that this thread computed: what else the machine does changes them little. */
function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function timed(work: () => unknown): number {
  const start = computedMs();
  work();
  return computedMs() - start;
}

async function timedAsync(work: () => Promise<unknown>): Promise<number> {
  const start = computedMs();
  await work();
  return computedMs() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
