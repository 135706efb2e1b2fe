/**
 * Fifty compactions in a row on long recorded conversations in a small window, and forty in a window of a quarter of them, fed
 * message by message, with and without stored state.
 * A sample by default; PITH_FULL=1 takes every long recording, and so does a run that has only ten.
 */
import { expect, test } from "vitest";
import { compactManyTimes } from "./compact-many-times.ts";
import { hasAllRecordings, type Recording, recordings } from "./recordings.ts";

const full = process.env.PITH_FULL === "1";
/** A recording is long when its messages are at least so many characters of JSON, about 100,000 tokens. */
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
      if (!full && share === 1 / 4 && hasAllRecordings && !quarterSample.includes(recording.id)) continue;
      taken++;
      const run = { keepsState: state === "with", compactions, share };
      faults.push(...(await compactManyTimes(recording, run)).faults.slice(0, 5));
    }
    expect(faults).toEqual([]);
    expect(taken).toBeGreaterThan(0);
  },
  full ? 3_600_000 : 120_000,
);

/** The sample is read once for all tests; of all of them, memory holds one at a time. */
let sample: readonly Recording[] | undefined;

async function* longRecordings(): AsyncGenerator<Recording> {
  if (sample) return yield* sample;
  const isSample = !full && hasAllRecordings;
  const found: Recording[] = [];
  for await (const recording of recordings()) {
    const isTaken = isSample
      ? sampled.includes(recording.id)
      : JSON.stringify(recording.messages).length >= longChars;
    if (!isTaken) continue;
    if (isSample) found.push(recording);
    yield recording;
  }
  if (isSample) sample = found;
}
