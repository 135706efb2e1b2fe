/**
 * node eval/adaptive.ts: does `adaptive` help? A recording is compacted at 35 % of its text; whatever the agent then used and the
 * result did not hold, it is taken to have recalled; at 70 % it is compacted again, once with and once without what that taught.
 */
import { parseArgs } from "node:util";
import { memoryArchive } from "../src/archive/memory.ts";
import { type CompactorOptions, createCompactor } from "../src/index.ts";
import type { Lessons } from "../src/weights/lessons.ts";
import { bootstrapMean } from "./figures/bootstrap.ts";
import { createProgressBar } from "./figures/progress-bar.ts";
import { seededRandom } from "./figures/seeded-random.ts";
import { recallOf } from "./measure/held.ts";
import { pastText, probesOf } from "./measure/probes.ts";
import { countedTokens, systemTexts } from "./measure/sizes.ts";
import { commonSpecifics, specificsOf } from "./measure/specifics.ts";
import { chosenTextOf, textOf, type WireMessage } from "./measure/wire-message.ts";
import { chooseSources } from "./recordings/choose-sources.ts";
import { readSource } from "./recordings/sources.ts";

const { values: flags } = parseArgs({
  options: {
    source: { type: "string", default: "coding-sessions" },
    ratio: { type: "string", default: "0.1,0.03" },
    carry: { type: "boolean", default: false },
  },
});
const CUTS = [0.35, 0.7] as const;
const FEWEST_MESSAGES = 30;
const MOST_RECALLS = 12;
const HORIZON = 80;

/** With --carry each conversation starts from what those before it taught. */
let carried: Lessons | undefined;

const { folder, sources } = chooseSources({ names: flags.source.split(",") });
for (const source of sources) {
  const recordings = readSource(folder, source);
  const common = commonSpecifics(recordings.map(({ messages }) => messages.map(textOf).join("\n")));
  for (const ratio of flags.ratio.split(",").map(Number)) {
    const pairs: (readonly [without: number, adaptive: number])[] = [];
    const progress = createProgressBar(recordings.length);
    let recalls = 0;
    carried = undefined;
    for (const [at, { messages: all }] of recordings.entries()) {
      progress.show(at + 1, source.name);
      const end = all.findIndex(({ summary }) => summary);
      const messages = end < 0 ? all : all.slice(0, end);
      const [first, second] = CUTS.map((share) => cutAt(messages, share)) as [number, number];
      if (messages.length < FEWEST_MESSAGES || first < 10 || second < first + 10) continue;
      const probes = probesOf({
        past: messages.slice(0, second),
        future: messages.slice(second, second + HORIZON),
        stretch: messages,
        common,
      });
      if (probes.length < 5) continue;
      const plain = await heldAfter(messages, { first, second, ratio, common, probes });
      const adaptive = await heldAfter(messages, { first, second, ratio, common, probes, adaptive: true });
      if (!plain || !adaptive || plain.recalls === 0) continue;
      recalls += plain.recalls;
      pairs.push([plain.held, adaptive.held]);
    }
    progress.end();
    const gains = pairs.map(([without, adaptive]) => adaptive - without);
    const { low, high } = bootstrapMean(
      gains.map((gain) => [gain]),
      seededRandom(1, source.name),
    );
    const points = (value: number) => (100 * value).toFixed(1);
    process.stdout.write(
      `${source.name} at ${100 * ratio} %: ${pairs.length} conversations, ${recalls} recalls; held ` +
        `${points(mean(pairs.map(([without]) => without)))} without, ${points(mean(pairs.map(([, own]) => own)))} adaptive, ` +
        `difference ${points(mean(gains))} (${points(low)} to ${points(high)}); ` +
        `better in ${gains.filter((gain) => gain > 0).length}, worse in ${gains.filter((gain) => gain < 0).length}\n`,
    );
  }
}

interface Twice {
  readonly first: number;
  readonly second: number;
  readonly ratio: number;
  readonly common: ReadonlySet<string>;
  readonly probes: readonly string[];
  readonly adaptive?: boolean;
}

/** Held after the second compaction; undefined where a target cannot be reached. */
async function heldAfter(
  messages: readonly WireMessage[],
  { first, second, ratio, common, probes, adaptive = false }: Twice,
): Promise<{ readonly held: number; readonly recalls: number } | undefined> {
  const options: CompactorOptions = {
    target: "50%",
    archive: memoryArchive(),
    adaptive: adaptive && carried !== undefined ? carried : adaptive,
    format: "openai",
  };
  const compactor = createCompactor(options);
  const compacted = async (given: readonly WireMessage[], size: number) => {
    const target = Math.round(size * ratio);
    const {
      messages: output,
      report,
      state,
    } = await compactor.compact(given, { target, conversationId: "recorded" });
    if (adaptive && flags.carry) carried = state.lessons;
    return report.error ? undefined : (output as readonly WireMessage[]);
  };
  const sizeOf = (past: readonly WireMessage[]) => countedTokens(past, systemTexts(past));
  const past = messages.slice(0, first);
  const once = await compacted(past, sizeOf(past));
  if (!once) return undefined;
  const future = messages.slice(first, second);
  const used = probesOf({ past, future, stretch: messages, common });
  const { missing } = recallOf(pastText(past), once.map(textOf).join("\n"), used);
  const continued = withRecalls(future, missing.slice(0, MOST_RECALLS), pastText(past));
  const whole = messages.slice(0, second);
  const twice = await compacted([...once, ...continued], sizeOf(whole));
  if (!twice) return undefined;
  const { held } = recallOf(pastText(whole), twice.map(textOf).join("\n"), probes);
  return { held: held / probes.length, recalls: Math.min(missing.length, MOST_RECALLS) };
}

/** Each missing specific is recalled right before the assistant uses it: a page of what stood around it. */
function withRecalls(
  future: readonly WireMessage[],
  missing: readonly string[],
  past: string,
): readonly WireMessage[] {
  const open = new Set(missing);
  return future.flatMap((message, at) => {
    if (message.role !== "assistant") return [message];
    const now = [...specificsOf(chosenTextOf(message))].filter((specific) => open.delete(specific));
    return [...now.flatMap((specific, order) => recall(specific, past, `recall_${at}_${order}`)), message];
  });
}

function recall(specific: string, past: string, id: string): readonly WireMessage[] {
  const at = past.toLowerCase().lastIndexOf(specific);
  const call = { name: "recall_expand", arguments: JSON.stringify({ conversation: "recorded" }) };
  return [
    { role: "assistant", content: null, tool_calls: [{ id, type: "function", function: call }] },
    { role: "tool", tool_call_id: id, content: past.slice(Math.max(0, at - 600), at + 600) },
  ];
}

function cutAt(messages: readonly WireMessage[], share: number): number {
  const sizes = messages.map((message) => textOf(message).length);
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  for (const [position, { role }] of messages.entries()) {
    if (before >= whole * share && role === "assistant" && position > 0) return position;
    before += sizes[position]!;
  }
  return -1;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
