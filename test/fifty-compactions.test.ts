/**
 * Fifty compactions in a row on long recorded conversations in a small window, and forty in a window of a quarter of them, fed
 * message by message, with and without stored state.
 * A sample by default; PITH_FULL=1 takes every long recording. Without the recordings the example session is looped.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Message, textOfMessage } from "../src/conversation/message.ts";
import { endsInFlight } from "../src/conversation/turn.ts";
import { isHandoffMessage } from "../src/handoff/separate.ts";
import { askSentences, asksOf, constraintsOf, userWordsOf } from "../src/handoff/user-words.ts";
import { type CompactionState, createCompactor, createTokenCounter, readConversation } from "../src/index.ts";
import { bindingSentences } from "../src/salience/binding-sentences.ts";
import { independentFloor } from "./independent-floor.ts";
import { dataFolder, type Recording, recordings, sayThatDataIsAbsent } from "./recordings.ts";

const full = process.env.PITH_FULL === "1";
const longChars = 400_000;
/** Long ones, wrapped and listed constraints, a long message that is cut, and a system prompt that takes half of the window. */
const sampled = [
  "pi-before-compaction-openai",
  "oh-my-posh-6b6f4218",
  "oh-my-posh-94fab1a1",
  "oh-my-posh-94fab1a1-openai",
  "e8811ad6-93d9-4ee6-997d-2447a5d496f3",
  "agentv-019eef3d-abd1-openai",
];
const counter = createTokenCounter();

interface Run {
  readonly keepsState: boolean;
  readonly compactions: number;
  /** The window, as a share of the recording. */
  readonly share: number;
}

/** In a window of a quarter each compaction takes much longer to come. */
const quarterSample = ["oh-my-posh-94fab1a1-openai"];

test.each([
  { state: "with", compactions: 50, share: 1 / 50 },
  { state: "without", compactions: 50, share: 1 / 50 },
  { state: "with", compactions: 40, share: 1 / 4 },
  { state: "without", compactions: 40, share: 1 / 4 },
])(
  "[R10 R21] $compactions compactions $state stored state lose no constraint, do not grow, do not overflow and free as much as the first",
  async ({ state, compactions, share }) => {
    const faults: string[] = [];
    let taken = 0;
    for await (const recording of longRecordings()) {
      if (!full && share === 1 / 4 && dataFolder() && !quarterSample.includes(recording.id)) continue;
      taken++;
      const run = { keepsState: state === "with", compactions, share };
      faults.push(...(await faultsOf(recording, run)).slice(0, 5));
    }
    expect(faults).toEqual([]);
    expect(taken).toBeGreaterThan(0);
  },
  full ? 3_600_000 : 120_000,
);

async function* longRecordings(): AsyncGenerator<Recording> {
  if (dataFolder() === undefined) {
    sayThatDataIsAbsent("fifty compactions on recorded conversations; the example session stands in");
    const messages = JSON.parse(
      readFileSync(join(import.meta.dirname, "../examples/coding-session.json"), "utf8"),
    );
    yield { id: "example", source: "examples", format: "openai-chat", messages };
    return;
  }
  for await (const recording of recordings()) {
    const isLong = JSON.stringify(recording.messages).length >= longChars;
    if (full ? isLong : sampled.includes(recording.id)) yield recording;
  }
}

async function faultsOf(
  recording: Recording,
  { keepsState, compactions: wanted, share }: Run,
): Promise<readonly string[]> {
  const { id, format, messages } = recording;
  const faults: string[] = [];
  const whole = readConversation(messages, { format });
  const instructions = whole.messages.filter(({ role }) => role === "system");
  // A system prompt does not shrink: the window is what there is beside it.
  const window =
    Math.max(8000, Math.ceil(counter.conversation(whole) * share)) +
    instructions.reduce((sum, message) => sum + counter.message(message), 0);
  const budget = window - Math.min(8192, Math.floor(window / 8));
  let now = 0;
  const compactor = createCompactor({ format, window, clock: () => now });
  const bound = new Set<string>();
  const sizes: number[] = [];
  const freed: number[] = [];
  let target = 0;
  let state: CompactionState | undefined;
  let body: readonly unknown[] = [];
  for (const next of looped(messages)) {
    now += 10_000;
    body = [...body, next];
    const before = readConversation(body, { format });
    for (const line of bindingSentences(userWordsOf(before.messages.at(-1)!))) bound.add(line);
    if (before.messages.at(-1)!.role === "assistant" || endsInFlight(before.messages)) continue;
    const say = (fault: string) => faults.push(`${id}, compaction ${sizes.length}: ${fault}`);
    const result = await compactor.compact(body, keepsState && state ? { state } : {});
    const { report, output } = result;
    state = JSON.parse(JSON.stringify(result.state)) as CompactionState;
    body = output as readonly unknown[];
    if (report.error) say(report.error.message);
    const after = readConversation(body, { format });
    const size = counter.conversation(after);
    if (size > budget) say(`${size} tokens are over the budget of ${budget} (${report.reason})`);
    if (!report.compacted) continue;
    // What the model looks at comes on top, and so does thinking that nobody may edit.
    const inView = (report.inViewTokens ?? 0) + signedTokens(after.messages);
    sizes.push(size - inView);
    target = report.targetTokens!;
    freed.push(1 - (report.tokensAfter - inView) / report.tokensBefore);
    const text = after.messages.map(textOfMessage).join("\n");
    for (const line of bound) if (!text.includes(line)) say(`a constraint is gone: ${line}`);
    for (const line of constraintsOf(after.messages))
      if (!bound.has(line)) say(`no constraint of the user's: ${line}`);
    for (const line of askSentences(asksOf(before.messages, () => false).latest))
      if (!text.includes(line)) say(`the latest ask is gone: ${line}`);
    const handoffs = after.messages.filter(isHandoffMessage);
    if (handoffs.length > 1) say(`${handoffs.length} hand-offs`);
    if (isHandoffMessage(after.messages.at(-1)!)) say("the hand-off alone is the active turn");
    // A threshold asks for the nearest size that can be had: no less than what cannot shrink.
    if (report.tokensAfter - inView > Math.max(report.targetTokens!, independentFloor(before)))
      say(`${report.tokensAfter} tokens are over the target of ${report.targetTokens}`);
    const again = await compactor.compact(body, keepsState ? { state } : {});
    if (again.output !== body) say("what was just compacted is compacted again");
    if (sizes.length === wanted) break;
  }
  const first = mean(sizes.slice(0, 10));
  const last = mean(sizes.slice(-10));
  if (sizes.length < wanted) faults.push(`${id}: only ${sizes.length} compactions`);
  if (mean(freed.slice(-10)) < mean(freed.slice(0, 10)) * 0.8)
    faults.push(`${id}: freed ${mean(freed.slice(0, 10))} at first, ${mean(freed.slice(-10))} in the end`);
  // A story takes what room it is given: only beyond that it grows.
  if (last > Math.max(first, target) * 1.1)
    faults.push(`${id}: prompts grew from ${first} to ${last} tokens`);
  return faults;
}

function signedTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => {
    const parts = message.parts.filter((part) => !(part.type === "reasoning" && part.signed));
    return sum + counter.message(message) - counter.message({ ...message, parts });
  }, 0);
}

/** The messages again and again, at most thirty times; from the second time on with call ids of their own. */
function* looped(messages: readonly unknown[]): Generator<unknown> {
  yield* messages;
  for (let round = 2; round <= 30; round++) {
    const again = JSON.stringify(messages, (key, value) =>
      isCallId(key, value) ? `${value}-${round}` : value,
    );
    yield* (JSON.parse(again) as { role: string }[]).filter(({ role }) => role !== "system");
  }
}

function isCallId(key: string, value: unknown): boolean {
  return (
    typeof value === "string" &&
    (key === "tool_call_id" || key === "tool_use_id" || (key === "id" && /^(?:call|toolu|fc)/.test(value)))
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
