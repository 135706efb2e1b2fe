import { expect, test } from "vitest";
import type { ReplayRow } from "./row.ts";
import { replayTables } from "./tables.ts";

function row(id: string, strategy: string, cost: number, rest: Partial<ReplayRow> = {}): ReplayRow {
  const bill = { cost, cacheReadTokens: 50, cacheWriteTokens: 50 };
  return {
    id,
    source: "test",
    window: 32_000,
    strategy,
    requests: 10,
    failed: 0,
    compactions: 0,
    brokenPrefixes: 0,
    promptTokens: 100,
    largestPromptTokens: 100,
    outputTokens: 10,
    bills: { "anthropic-like": bill, "openai-like": bill },
    recall: { used: 10, held: 9 },
    ...rest,
  };
}

const line = (text: string, start: string) => text.split("\n").find((each) => each.startsWith(start));

test("a recording where balanced costs over 1 % more than doing nothing is counted, one that does not fit is not", () => {
  const tables = replayTables([
    row("a", "nothing", 100),
    row("a", "balanced", 100.5),
    row("b", "nothing", 100),
    row("b", "balanced", 105, { brokenPrefixes: 2 }),
    row("c", "nothing", 10, { failed: 5 }),
    row("c", "balanced", 100),
  ]);
  expect(line(tables, "| 32k    | anthropic-like |")).toMatch(/\| +2 \| +\+5\.0 % \| +1 \| +2 \|$/);
});

test("a naive strategy is better when it is cheaper and remembers as much", () => {
  const better = (cost: number, held: number) =>
    /(\S+) \|$/.exec(
      line(
        replayTables([
          row("a", "nothing", 100),
          row("a", "balanced", 100),
          row("a", "keep-recent", cost, { recall: { used: 10, held } }),
        ]).split("### Beside")[1]!,
        "| 32k    | anthropic-like |",
      )!,
    )![1];
  expect([better(90, 9), better(90, 8), better(110, 10)]).toEqual(["keep-recent", "none", "none"]);
  expect([better(100, 10), better(100, 9)]).toEqual(["keep-recent", "none"]);
});

test("[F17] the best threshold of a window is in bold, by the recordings that do not fit", () => {
  const tables = replayTables([
    row("a", "nothing", 10, { failed: 5 }),
    row("a", "at 50 %", 80),
    row("a", "at 70 %", 70),
    row("a", "balanced", 75),
    row("b", "nothing", 10),
    row("b", "at 50 %", 9),
    row("b", "at 70 %", 20),
    row("b", "balanced", 10),
  ]).split("### The best threshold")[1]!;
  const cellsOf = (what: string) => {
    const found = tables.split("\n").find((each) => each.includes(` ${what} |`))!;
    return found
      .split("|")
      .slice(3, -1)
      .map((cell) => cell.trim());
  };
  expect(cellsOf("cost, anthropic-like")).toEqual(["80.00", "-", "**70.00**", "-", "-", "-", "75.00"]);
  expect(cellsOf("over 1 %, anthropic-like")).toEqual(["0", "0", "1", "0", "0", "0", "0"]);
});
