/** How fast secrets are masked in recorded conversations, against the least that is asked for. */
import { maskJson, maskText } from "../src/redact/mask-json.ts";
import { type Bar, bar, median } from "./bar.ts";
import { longConversation } from "./corpus.ts";

const MEGABYTE = 1_000_000;
/** Megabytes a second, of text and of messages as JSON. */
const LEAST_SPEED = 50;

export async function benchRedact(): Promise<Bar[]> {
  const messages = await longConversation((soFar) => soFar.length >= 6_000);
  const jsons = messages.map((message) => JSON.stringify(message));
  const texts = messages.flatMap(({ content }) => (typeof content === "string" ? [content] : []));
  return [speedBar("redact: text", texts, maskText), speedBar("redact: messages as JSON", jsons, maskJson)];
}

function speedBar(name: string, sources: readonly string[], mask: (source: string) => unknown): Bar {
  const megabytes = sources.reduce((sum, source) => sum + source.length, 0) / MEGABYTE;
  const speeds = Array.from({ length: 7 }, () => megabytes / secondsOf(() => sources.forEach(mask)));
  const speed = median(speeds.slice(1));
  const detail = `${speed.toFixed(0)} MB/s over ${megabytes.toFixed(1)} MB, at least ${LEAST_SPEED}`;
  return bar(name, LEAST_SPEED / speed, 1, detail);
}

/** Seconds that this thread computed: what else the machine does changes them little. */
function secondsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / MEGABYTE;
}
