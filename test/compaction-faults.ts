/** Checks one compaction against everything that is promised of it. */
import { type Compactor, createCompactor } from "../src/compactor.ts";
import { TargetUnreachableError } from "../src/errors/target-unreachable-error.ts";
import type { PresetExpression } from "../src/policy/presets.ts";
import { readConversation } from "../src/providers/detect.ts";
import type { CompactOptions } from "../src/run/options.ts";
import { violations } from "../src/run/plan-for.ts";
import { bodyOf, type Result } from "../src/run/result.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import type { GeneratedConversation } from "./arbitrary/conversation.ts";
import { wireTokens } from "./independent-count.ts";
import { signs } from "./planner-signs.ts";
import { newWireFaults } from "./wire-faults.ts";

export interface Wish extends Pick<CompactOptions, "target" | "force"> {
  /** @default "balanced", which the floor is computed for */
  readonly preset?: PresetExpression;
  readonly window?: number;
  /** Give the body as text. @default false */
  readonly asText?: boolean;
}

/** One sentence a fault; none when every promise is kept. */
export async function compactionFaults(
  { format, body, pins }: GeneratedConversation,
  { preset, window, asText = false, ...wish }: Wish,
): Promise<readonly string[]> {
  const compactor = createCompactor({
    format,
    ...(preset ? { preset } : {}),
    ...(window ? { window } : { target: "50%" }),
  });
  const input = asText ? JSON.stringify(body) : body;
  const call = { ...wish, pins };
  const result = await compactor.compact(input, call);
  const value = asText ? JSON.parse(input as string) : body;
  const attempt: Attempt = { compactor, input, value, format, call, result, window };
  if (result.report.error) {
    const faults = await refusalFaults(attempt, preset === undefined);
    return bodyOf(result) === input ? faults : [...faults, "an error changed the conversation"];
  }
  if (!result.report.compacted) {
    return bodyOf(result) === input ? [] : ["nothing was done, and yet the output differs"];
  }
  return [
    ...(await planFaults(attempt)),
    ...sizeFaults(attempt),
    ...contentFaults(attempt),
    ...(await againFaults(attempt)),
  ];
}

interface Attempt {
  readonly compactor: Compactor;
  /** What was given, and its value when it was text. */
  readonly input: unknown;
  readonly value: unknown;
  readonly format: string;
  readonly call: CompactOptions;
  readonly result: Result;
  readonly window: number | undefined;
}

/** Both floors count apart what will be side by side, each by parts of its own. */
const SEAMS = 16;

/** The only refusals are of a target below the floor, where the target that it advises works, and of a floor over the window. */
async function refusalFaults(
  { compactor, input, value, format, call, result, window = Number.POSITIVE_INFINITY }: Attempt,
  knowsFloor: boolean,
): Promise<readonly string[]> {
  const { error } = result.report;
  if (!(error instanceof TargetUnreachableError)) return [`${error?.code}: ${error?.message}`];
  const faults: string[] = [];
  const { targetTokens, floorTokens } = error;
  if (call.target === undefined) return floorTokens > window ? [] : ["refused although no target was given"];
  if (floorTokens <= targetTokens) faults.push(`refused ${targetTokens}, names a floor of ${floorTokens}`);
  if (knowsFloor) {
    const floor = signs.floor(readConversation(value, { format }), call.pins);
    if (targetTokens >= floor) faults.push(`refused ${targetTokens}, the floor is ${floor}`);
    if (floorTokens > floor + SEAMS) faults.push(`names a floor of ${floorTokens}, it is ${floor}`);
  }
  const advised = await compactor.compact(input, { ...call, target: floorTokens });
  if (advised.report.error) faults.push(`the advised target fails: ${advised.report.error.message}`);
  return faults;
}

/** Planning is pure and bounded. */
async function planFaults({ compactor, input, call, result }: Attempt): Promise<readonly string[]> {
  const faults: string[] = [];
  const [first, second] = [await compactor.plan(input, call), await compactor.plan(input, call)].map((plan) =>
    JSON.stringify(plan),
  );
  if (first !== second) faults.push("planning twice gave two plans");
  // A plan that is carried out at once needs no fingerprints.
  const { fingerprints: _, ...made } = JSON.parse(first!);
  const { fingerprints: __, ...carriedOut } = JSON.parse(JSON.stringify(result.plan));
  if (JSON.stringify(made) !== JSON.stringify(carriedOut)) faults.push("another plan was carried out");
  if (result.plan.passes > signs.mostPasses) faults.push(`${result.plan.passes} passes`);
  return faults;
}

/** Smaller than before, at most the target, by the engine's count, by reading back, and by another tokenizer. */
function sizeFaults({ value, format, call, result }: Attempt): readonly string[] {
  const faults: string[] = [];
  const { report, plan } = result;
  const written = parsed(bodyOf(result));
  const counter = createTokenCounter();
  const before = readConversation(value, { format });
  const after = readConversation(written, { format });
  if (counter.conversation(after) >= counter.conversation(before)) faults.push("tokens did not shrink");
  if (call.target === undefined) return faults;
  const ceiling = plan.targetTokens;
  const readBack = after.messages
    .filter((message) => message.role !== "system")
    .reduce((sum, message) => sum + counter.message(message), 0);
  const counts = { reported: report.tokensAfter, "read back": readBack };
  for (const [name, tokens] of Object.entries(counts)) {
    if (tokens > ceiling) faults.push(`${tokens} tokens ${name}, over ${ceiling}`);
  }
  const onWire = format === "openai-chat" ? wireTokens(listOf(value), listOf(written)) : 0;
  if (onWire > ceiling) faults.push(`${onWire} tokens on the wire, over ${ceiling}`);
  return faults;
}

/** Every invariant and every rule of the wire holds, and what was not touched is what came in. */
function contentFaults({ compactor, input, value, format, result }: Attempt): readonly string[] {
  const faults: string[] = [];
  const { conversation } = result;
  const output = bodyOf(result);
  // Parts are compared by identity, and what is read anew every time has others; the engine has checked its own reading.
  if (input === value && format !== "openai-responses")
    faults.push(
      ...violations(readConversation(value, { format }).messages, conversation.messages, compactor.policy),
    );
  const written = parsed(output);
  faults.push(...newWireFaults(format, value, written));
  const list = new Set(listOf(written));
  for (const { changed, raw, role, position } of conversation.messages) {
    if (changed || raw === undefined || role === "system") continue;
    const values = Array.isArray(raw.value) ? raw.value : [raw.value];
    const stands =
      typeof output === "string" ? output.includes(raw.source!) : values.every((each) => list.has(each));
    if (!stands) faults.push(`message ${position} is untouched and yet not the one that came in`);
  }
  return faults;
}

/** What fits is left alone. */
async function againFaults({ compactor, call, result }: Attempt): Promise<readonly string[]> {
  // What is no longer pinned is shaped by a preset that shapes what arrives.
  const isFreed = result.plan.preset.startsWith("factor3") && (call.pins ?? []).length > 0;
  if (call.target === undefined || isFreed) return [];
  const again = await compactor.compact(bodyOf(result), { target: result.plan.targetTokens });
  return bodyOf(again) === bodyOf(result) ? [] : ["what fits was compacted again"];
}

function parsed(output: unknown): unknown {
  return typeof output === "string" ? JSON.parse(output) : output;
}

function listOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const { messages, input } = body as Readonly<Record<string, readonly unknown[]>>;
  return messages ?? input!;
}
