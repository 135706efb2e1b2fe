/**
 * Fuzz: requests that the checker finds no fault in are compacted, go on, and are compacted again, in every wire format.
 * A sample of it, and 10,000 compactions in each format with PITH_FULL=1.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryArchive } from "../src/archive/memory.ts";
import { createCompactor } from "../src/compactor.ts";
import { TargetUnreachableError } from "../src/errors/target-unreachable-error.ts";
import { presets } from "../src/policy/presets.ts";
import { validateRequest } from "../src/providers/validate/index.ts";
import type { CompactOptions } from "../src/run/options.ts";
import { anyRequest, bodyOf, type GeneratedRequest, wireNames } from "./arbitrary/request.ts";

const full = Boolean(process.env.PITH_FULL);
const COMPACTIONS = full ? 10_000 : 50;
/** With another seed, another run. */
const firstSeed = Number(process.env.PITH_SEED ?? 1);

interface Wish {
  readonly archived: boolean;
  readonly asText: boolean;
  readonly preset: string;
  /** Of the first compaction and of the one after it. */
  readonly wishes: readonly [first: CompactOptions, second: CompactOptions];
}

const anyWish: fc.Arbitrary<CompactOptions> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.integer({ min: 2, max: 90 }).map((share) => ({ target: `${share}%` as const })),
  },
  { weight: 2, arbitrary: fc.integer({ min: 100, max: 3000 }).map((target) => ({ target })) },
  { weight: 1, arbitrary: fc.constantFrom("manual", "overflow").map((force) => ({ force }) as const) },
);
const anyWishes: fc.Arbitrary<Wish> = fc.record({
  archived: fc.boolean(),
  asText: fc.boolean(),
  preset: fc.constantFrom(...Object.keys(presets)),
  wishes: fc.tuple(anyWish, anyWish),
});

test.each(wireNames)(
  "%s: any valid request is one after a compaction, goes on, and is one after the next",
  async (format) => {
    let compactions = 0;
    let refusals = 0;
    const property = fc.asyncProperty(anyRequest(format), anyWishes, async (request, wish) => {
      const done = await compactTwice(request, wish);
      compactions += done.compactions;
      refusals += done.refusals;
    });
    for (let seed = firstSeed; compactions < COMPACTIONS; seed++)
      await fc.assert(property, { seed, numRuns: 50, endOnFailure: full });
    console.log(`${format}: ${compactions} compactions, 0 violations; ${refusals} targets below the floor`);
  },
  full ? 3_600_000 : 300_000,
);

async function compactTwice(request: GeneratedRequest, { archived, asText, preset, wishes }: Wish) {
  const { format, key, messages, cut } = request;
  const compactor = createCompactor({
    format,
    preset: preset as keyof typeof presets,
    window: 8_000,
    ...(archived && { archive: memoryArchive() }),
  });
  const done = { compactions: 0, refusals: 0 };
  const compactOnce = async (body: unknown, options: CompactOptions) => {
    expect(validateRequest(body, { format }).faults).toEqual([]);
    const {
      body: output,
      report,
      state,
    } = await compactor.compact(asText ? JSON.stringify(body) : (body as object), options);
    if (report.error) expect(report.error, report.error.message).toBeInstanceOf(TargetUnreachableError);
    if (report.error) done.refusals++;
    if (report.compacted) done.compactions++;
    expect(validateRequest(output, { format, before: body, alternate: true }).faults).toEqual([]);
    return { body: typeof output === "string" ? JSON.parse(output) : output, state };
  };
  const first = await compactOnce(bodyOf(request, cut), wishes[0]);
  const later = { ...first.body, [key]: [...first.body[key], ...messages.slice(cut)] };
  await compactOnce(later, { ...wishes[1], state: first.state });
  return done;
}
