import { expect, test } from "vitest";
import { assistant, call, rawConversation, result, user } from "../testing/builders.ts";
import { allStrategies, strategiesNamed } from "./all-strategies.ts";
import { plotReplay } from "./plot-replay.ts";
import { shippedPrices } from "./price-table.ts";
import { printReplay } from "./print-replay.ts";
import { readRecording } from "./recording.ts";
import { replay } from "./replay.ts";
import type { Strategy } from "./strategy.ts";

/** 31 requests, about 400 tokens apart; the last answer comes back to the first. */
const recording = readRecording(
  rawConversation(
    user("Fix all files; keep the public names."),
    ...Array.from({ length: 30 }, (_, order) => [
      assistant(`Reading file ${order}.`, call("read", { path: `src/part_${order}.ts` })),
      result(lines(order)),
    ]).flat(),
    assistant("Back to src/part_0.ts and src/part_1.ts."),
  ),
);

function lines(order: number): string {
  return Array.from(
    { length: 40 },
    (_, line) => `export const value_${order}_${line} = ${order * line};`,
  ).join("\n");
}

const named = (name: string): Strategy => strategiesNamed([name])[0]!;
const run = (name: string, window: number) =>
  replay(recording, named(name), { window, prices: shippedPrices, recall: true });

test("doing nothing reads from the cache all that was sent before, and fails when the window is full", async () => {
  const roomy = await run("nothing", 100_000);
  expect(roomy).toMatchObject({ requests: 31, failed: 0, compactions: 0, brokenPrefixes: 0 });
  const { cacheReadTokens, cacheWriteTokens } = roomy.bills["anthropic-like"]!;
  // Every token of the last prompt was written once; the rest was read, but for the shortest prompts.
  expect(cacheWriteTokens).toBeLessThan(roomy.largestPromptTokens + 2048);
  expect(cacheReadTokens / roomy.promptTokens).toBeGreaterThan(0.9);
  expect(roomy.recall!.held).toBe(roomy.recall!.used);

  const tight = await run("nothing", 8_000);
  expect(tight.failed).toBeGreaterThan(10);
  expect(tight.largestPromptTokens).toBeLessThanOrEqual(7_000);
});

test.each(allStrategies.slice(1).map(({ name }) => name))(
  "%s keeps every request inside the window, and the prefix between compactions",
  async (name) => {
    const result = await run(name, 8_000);
    expect(result).toMatchObject({ requests: 31, failed: 0, brokenPrefixes: 0 });
    expect(result.compactions).toBeGreaterThan(0);
    expect(result.largestPromptTokens).toBeLessThanOrEqual(7_000);
  },
);

test("a strategy that changes what was sent and does not say so is found out", async () => {
  const sly: Strategy = {
    name: "sly",
    begin: () => {
      let count = 0;
      return async (body) => {
        const messages = body as readonly unknown[];
        return {
          body: count++ < 5 ? messages : [user(`changed ${count}`), ...messages.slice(1)],
          acted: false,
        };
      };
    },
  };
  const result = await replay(recording, sly, { window: 100_000, prices: shippedPrices });
  expect(result.brokenPrefixes).toBe(26);
});

test("a pause longer than the cache's life is billed as written anew", async () => {
  const stamped = (minutes: number) =>
    readRecording(
      ["a", "b"].flatMap((text, order) => [
        user(text.repeat(9_000)),
        { ...assistant("yes"), timestamp: 1_700_000_000 + order * 60 * minutes },
      ]),
    );
  const options = { window: 100_000, prices: shippedPrices };
  const [quick, slow] = await Promise.all(
    [4, 6].map((minutes) => replay(stamped(minutes), named("nothing"), options)),
  );
  expect(quick!.bills["anthropic-like"]!.cacheReadTokens).toBeGreaterThan(1_000);
  expect(slow!.bills["anthropic-like"]!.cacheReadTokens).toBe(0);
});

test("results print as a table and draw as a plot, a line for each strategy", async () => {
  const results = [await run("nothing", 8_000), await run("balanced", 8_000)];
  const [header, first, second] = printReplay(results).split("\n");
  expect(header).toMatch(/strategy.*failed.*compactions.*cache hits.*anthropic-like.*openai-like.*recall/);
  expect(first).toMatch(/^nothing +1\d .* 0%$/);
  expect(second).toMatch(/^balanced +0 +\d+ .*%$/);
  const plot = plotReplay(results, "a <title>");
  expect(plot).toContain("nothing *");
  expect(plot).toContain("a &lt;title&gt;");
  expect(plot.match(/>cost, /g)).toHaveLength(2);
});

test("an unknown strategy is refused with the list of those that there are", () => {
  expect(() => strategiesNamed(["keep"])).toThrow(/keep.*nothing, balanced/);
});
