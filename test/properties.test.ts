/** Properties that hold for any conversation and any target, checked on generated ones. More of them with PITH_FULL=1. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createCompactor } from "../src/compactor.ts";
import { readConversation } from "../src/formats/detect.ts";
import { violations } from "../src/invariants/index.ts";
import type { PresetExpression } from "../src/policy/presets.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import {
  anthropicConversation,
  anyConversation,
  hugeTexts,
  openaiConversation,
} from "./arbitrary-conversation.ts";
import { compactionFaults } from "./compaction-faults.ts";
import { newWireFaults } from "./wire-faults.ts";

const full = Boolean(process.env.PITH_FULL);
/** Fixed seeds find again what was found once; the random one looks further, and is printed. */
const randomSeed = Number(process.env.PITH_SEED ?? Date.now() % 1_000_000);
const seeds = [1, 2, randomSeed];
process.stderr.write(`properties: PITH_SEED=${randomSeed}\n`);

/** A share of what came in, or a plain number of tokens. */
const anyTarget = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 100 }).map((percent) => `${percent}%` as const) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 3000 }) },
);

for (const [name, conversations] of [
  ["openai-chat", openaiConversation()],
  ["anthropic-messages", anthropicConversation()],
] as const) {
  test.each(seeds)(
    `compacts any ${name} conversation to any target, or names the floor (seed %i)`,
    async (seed) => {
      const cases = fc.asyncProperty(
        conversations,
        anyTarget,
        fc.boolean(),
        async (generated, target, asText) => {
          expect(await compactionFaults(generated, target, asText)).toEqual([]);
        },
      );
      await fc.assert(cases, { seed, numRuns: full ? 4000 : 120 });
    },
    full ? 3_600_000 : 60_000,
  );
}

const presetNames = [
  "balanced",
  "gptme",
  "factor3",
  "hermes",
  "hermes-lean",
  "synthorg",
  "synthorg-agent",
  "deepagents",
];
const anyPreset = fc
  .tuple(fc.constantFrom(...presetNames), fc.subarray(["degraded", "complex", "deliberative", "debug"]))
  .map(([name, modifiers]) => [name, ...modifiers].join("+") as PresetExpression);

test.each(seeds)(
  "every preset and modifier keeps every rule, with a target and without (seed %i)",
  async (seed) => {
    const wish = fc.record({
      generated: anyConversation(),
      preset: anyPreset,
      window: fc.integer({ min: 50, max: 20_000 }),
      target: fc.option(anyTarget),
      force: fc.constantFrom(undefined, undefined, "manual" as const, "overflow" as const),
    });
    const cases = fc.asyncProperty(wish, async ({ generated, preset, window, target, force }) => {
      const { format, body, pins } = generated;
      const before = readConversation(body, { format });
      const { output, report, conversation, plan } = await createCompactor({
        preset,
        window,
        format,
      }).compact(body, {
        pins,
        ...(target === null ? {} : { target }),
        ...(force === undefined ? {} : { force }),
      });
      if (report.error) {
        expect([report.error.code, output === body]).toEqual(["TARGET_UNREACHABLE", true]);
        expect(target).not.toBeNull();
        return;
      }
      const after = readConversation(output, { format });
      const counter = createTokenCounter();
      expect(counter.conversation(after)).toBeLessThanOrEqual(counter.conversation(before));
      expect(violations(before.messages, conversation.messages)).toEqual([]);
      expect(newWireFaults(format, body, output)).toEqual([]);
      expect(plan.passes).toBeLessThanOrEqual(5);
    });
    await fc.assert(cases, { seed, numRuns: full ? 3000 : 80 });
  },
  full ? 3_600_000 : 60_000,
);

test.each(hugeTexts)("fits %s in the newest turn, wherever it stands", async (_name, make) => {
  const huge = make();
  const call = { id: "c1", type: "function", function: { name: "run", arguments: '{"command":"make"}' } };
  const ask = { role: "user", content: "Please run the build. Never push to main." };
  const asked = { role: "assistant", content: null, tool_calls: [call] };
  const result = { role: "tool", tool_call_id: "c1", content: huge };
  const writing = { ...call, function: { name: "write", arguments: JSON.stringify({ content: huge }) } };
  const conversations = [
    [ask, asked, result],
    [ask, asked, result, { role: "user", content: "And now?" }],
    [ask, { role: "assistant", content: null, tool_calls: [writing] }, { ...result, content: "written" }],
    [{ role: "user", content: `Please look at this. Never push to main.\n\n${huge}` }],
    [ask, { role: "assistant", content: huge }],
  ];
  for (const body of conversations) {
    for (const target of ["50%", 2000, 200] as const) {
      expect(await compactionFaults({ format: "openai-chat", body, pins: [] }, target, false)).toEqual([]);
    }
  }
});
