import { expect, test } from "vitest";
import { strategiesNamed } from "../src/replay/all-strategies.ts";
import { shippedPrices } from "../src/replay/price-table.ts";
import { readRecording } from "../src/replay/recording.ts";
import { replay } from "../src/replay/replay.ts";
import { hasAllRecordings, recordings } from "./recordings.ts";

/** Every n-th recording, of ten all: `npm run eval:replay` replays them all. */
const every = process.env.PITH_FULL || !hasAllRecordings ? 1 : 12;

/** The long ones of the ten fit into no smaller one. */
const windows = [32_000, 128_000, ...(hasAllRecordings ? [] : [256_000])];

test.for(["coding-sessions", "derived-openai", "livemcpbench"])(
  "[F17 R48] on %s balanced never costs over 1 % more than doing nothing where that fits, and keeps every prefix",
  async (source) => {
    const [nothing, balanced] = strategiesNamed(["nothing", "balanced"]);
    let [order, fitted] = [0, 0];
    for await (const { id, messages, format } of recordings([source])) {
      if (order++ % every !== 0) continue;
      const recording = readRecording(messages, { format });
      for (const window of windows) {
        const options = { window, prices: shippedPrices };
        const plain = await replay(recording, nothing!, options);
        const own = await replay(recording, balanced!, options);
        expect([id, own.brokenPrefixes]).toEqual([id, 0]);
        if (plain.failed > 0) continue;
        fitted++;
        for (const [name, { cost }] of Object.entries(plain.bills)) {
          expect(own.bills[name]!.cost, `${id} at ${window}, ${name}`).toBeLessThanOrEqual(cost * 1.01);
        }
      }
    }
    expect(fitted).toBeGreaterThan(hasAllRecordings ? 3 : 0);
  },
);
