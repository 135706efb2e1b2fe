/** Every recorded coding session at each summarising preset's own threshold. A sample by seed; all of them with PITH_FULL=1. */
import { expect, test } from "vitest";
import { createCompactor } from "../../src/compactor.ts";
import type { PresetName } from "../../src/policy/presets.ts";
import { readConversation } from "../../src/providers/detect.ts";
import type { Result } from "../../src/run/result.ts";
import { hasAllRecordings, type Recording, recordings, sayThatDataIsAbsent } from "../recordings.ts";
import { asHeld, baseAt, promised, sizeOf, summarizing, tokensOf } from "./at-threshold.ts";

const full = Boolean(process.env.PITH_FULL);
const seed = Number(process.env.PITH_SEED ?? 1);
/** One in so many is drawn: under half a minute for all presets together. */
const ONE_IN = 8;
/** Of what this leaves, the shares of hermes-lean are. */
const RESERVE = 400;

const absent = !hasAllRecordings;
if (absent) sayThatDataIsAbsent("compacting every coding session at each preset's threshold");

/** The sample is read once for all presets; of all of them, memory holds one at a time. */
let sample: readonly Recording[] | undefined;

async function* drawn(): AsyncGenerator<Recording> {
  if (sample) return yield* sample;
  const found: Recording[] = [];
  let order = 0;
  for await (const recording of recordings(["coding-sessions"])) {
    order++;
    if (recording.messages.length < 8 || (!full && (order + seed) % ONE_IN !== 0)) continue;
    if (!full) found.push(recording);
    yield recording;
  }
  if (!full) sample = found;
}

for (const [name, source] of Object.entries(summarizing)) {
  test.skipIf(absent)(
    `[F23 F26 F50 F57 F89] ${name} hands off every session that is due, and keeps what it promises byte for byte`,
    async () => {
      const faults: string[] = [];
      let due = 0;
      let fitting = 0;
      for await (const { id, messages: came } of drawn()) {
        const messages = asHeld(came, name as PresetName);
        const compactAt = (base: number): Promise<Result<readonly unknown[]>> =>
          createCompactor({
            preset: name as PresetName,
            ...(name === "hermes-lean" ? { window: base + RESERVE, reserve: RESERVE } : { window: base }),
            clock: () => 0,
          }).compact(messages);
        const base = baseAt(source.at, tokensOf(messages, name as PresetName));
        const early = (await compactAt(base + 1)).report;
        if (early.compacted && !early.reason.includes("the preset allows"))
          faults.push(`${id}: compacted before it was due`);
        const { report, plan, messages: output } = await compactAt(base);
        if (/not answered yet/.test(report.reason)) continue;
        due++;
        if (!report.compacted || !plan.steps.some(({ stage }) => stage === "hand-off")) {
          faults.push(`${id}: no hand-off: ${report.reason}`);
          continue;
        }
        const conversation = readConversation(messages);
        const kept = promised(conversation, source);
        if (sizeOf(kept) > report.targetTokens!) continue;
        fitting++;
        const left = new Set((output as readonly unknown[]).map((message) => JSON.stringify(message)));
        const lost = kept.filter(({ position }) => !left.has(JSON.stringify(messages[position])));
        if (lost.length > 0) faults.push(`${id}: ${lost.length} of ${kept.length} promised messages changed`);
      }
      expect(faults).toEqual([]);
      expect([due > 0, fitting > 0]).toEqual([true, true]);
    },
    full ? 3_600_000 : 300_000,
  );
}
