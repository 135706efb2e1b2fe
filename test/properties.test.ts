/** Properties that hold for any conversation and any target, checked on generated ones. A hundredth of them, and all with PITH_FULL=1. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type PresetExpression, presets } from "../src/policy/presets.ts";
import {
  anyConversation,
  conversationIn,
  type GeneratedConversation,
  orderlyConversation,
} from "./arbitrary/conversation.ts";
import { wireNames } from "./arbitrary/request.ts";
import { hugeTexts } from "./arbitrary/texts.ts";
import { compactionFaults, type Wish } from "./compaction-faults.ts";

const full = Boolean(process.env.PITH_FULL);
/** Fixed seeds, so that a run says the same twice; with PITH_FULL or PITH_SEED another one looks further, and is printed. */
const otherSeed = Number(process.env.PITH_SEED ?? (full ? Date.now() % 1_000_000 : 3));
const seeds = [1, 2, otherSeed];
const timeoutMs = full ? 3_600_000 : 300_000;
process.stderr.write(`properties: PITH_SEED=${otherSeed}\n`);

async function expectNoFaults(
  conversations: fc.Arbitrary<GeneratedConversation>,
  wishes: fc.Arbitrary<Wish>,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): Promise<void> {
  const property = fc.asyncProperty(conversations, wishes, async (generated, wish) => {
    expect(await compactionFaults(generated, wish)).toEqual([]);
  });
  await fc.assert(property, { seed, numRuns: full ? runs : Math.ceil(runs / 100) });
}

/** A share of what came in, or a plain number of tokens. */
const anyTarget = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 100 }).map((percent) => `${percent}%` as const) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 3000 }) },
);

test.each(wireNames.flatMap((format) => seeds.map((seed) => [format, seed] as const)))(
  "any %s body reaches any target, valid and untouched where it can be, or the floor is named (seed %i)",
  async (format, seed) => {
    const wishes = fc.record({ target: anyTarget, asText: fc.boolean() });
    await expectNoFaults(conversationIn(format), wishes, { seed, runs: 1_000 });
  },
  timeoutMs,
);

test.each(seeds)(
  "a body that a provider accepts is one after any compaction (seed %i)",
  async (seed) => {
    const wishes = fc.record({ target: anyTarget, asText: fc.boolean() });
    await expectNoFaults(orderlyConversation(), wishes, { seed, runs: 750 });
  },
  timeoutMs,
);

const anyPreset = fc
  .tuple(
    fc.constantFrom(...Object.keys(presets)),
    fc.subarray(["degraded", "complex", "deliberative", "debug"]),
  )
  .map(([name, modifiers]) => [name, ...modifiers].join("+") as PresetExpression);

test.each(seeds)(
  "every preset with every modifier keeps every promise, by target and by threshold (seed %i)",
  async (seed) => {
    const wishes = fc.record(
      {
        preset: anyPreset,
        window: fc.integer({ min: 50, max: 20_000 }),
        target: anyTarget,
        force: fc.constantFrom("manual" as const, "overflow" as const),
      },
      { requiredKeys: ["preset", "window"] },
    );
    await expectNoFaults(anyConversation(), wishes, { seed, runs: 1_000 });
  },
  timeoutMs,
);

/** The newest turn with a huge text as result, as argument, as question and as answer. */
function newestTurns(huge: string): readonly (readonly Readonly<Record<string, unknown>>[])[] {
  const ask = { role: "user", content: "Please run the build. Never push to main." };
  const calling = (args: object) => ({
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c1", type: "function", function: { name: "run", arguments: JSON.stringify(args) } }],
  });
  const result = (content: string) => ({ role: "tool", tool_call_id: "c1", content });
  return [
    [ask, calling({ command: "make" }), result(huge)],
    [ask, calling({ command: "make" }), result(huge), { role: "user", content: "And now?" }],
    [ask, calling({ content: huge }), result("written")],
    [{ role: "user", content: `Please look at this. Never push to main.\n\n${huge}` }],
    [ask, { role: "assistant", content: huge }],
  ];
}

/** All places with PITH_FULL=1; else two of them for each text, and other ones for the next. */
const isTaken = (nth: number, place: number): boolean => full || place === nth % 5 || place === (nth + 2) % 5;

test.each(hugeTexts(full).map(([name, make], nth) => [name, make, nth] as const))(
  "%s in the newest turn fits, wherever it stands",
  async (_name, make, nth) => {
    const targets = full ? ([200, 2000, 20_000, "50%"] as const) : ([200] as const);
    for (const body of newestTurns(make()).filter((_, place) => isTaken(nth, place))) {
      for (const target of targets) {
        expect(await compactionFaults({ format: "openai-chat", body, pins: [] }, { target })).toEqual([]);
      }
    }
  },
  timeoutMs,
);
