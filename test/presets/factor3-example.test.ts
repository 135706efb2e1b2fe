/** Factor 3's own worked example, with the rows that the document leaves out, at half of its token budget. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCompactor } from "../../src/compactor.ts";
import { assistant, call, rawConversation, result, user } from "../../src/testing/index.ts";
import { createModelServer, type ModelServer } from "../../src/testing/model-server.ts";
import { inTemporaryFolder, runPith } from "../run-pith.ts";
import { tokensOf } from "./at-threshold.ts";

const summary =
  "User requested sales analysis. Fetched full dataset (1000 rows), analyzed Q3 (300 rows showing 15% growth), now comparing to Q2.";

const dialogue = rawConversation(
  user("Can you analyze the latest sales data?"),
  assistant("I'll fetch the sales data from the database.", call("database_query")),
  result(rows(30)),
  assistant("Here's the analysis: sales rose in every region; 1000 rows were read."),
  user("What about Q3 specifically?"),
  assistant("Let me filter for Q3...", call("database_query", { quarter: 3 })),
  result(rows(12)),
  assistant("Q3 shows 15% growth in its 300 rows."),
  user("Compare to Q2?"),
  assistant("I'll fetch Q2 data..."),
);

function rows(count: number): string {
  return Array.from({ length: count }, (_, row) => `| ${row} | north | ${row * 137 + 1009} | 7 |`).join("\n");
}

let model: ModelServer;
beforeAll(async () => {
  model = await createModelServer({ reply: () => ({ type: "say", text: `[CONTEXT SUMMARY]: ${summary}` }) });
});
afterAll(() => model.close());

test("[F23 F37] at half of the budget the model is asked, and its summary stands before the latest messages", async () => {
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, "sales.json");
    writeFileSync(file, JSON.stringify(dialogue));
    const compactAt = (window: number) =>
      runPith([
        ...["compact", file, "--preset", "factor3", "--window", String(window)],
        ...["--summarizer", `${model.url}/v1`, "--summarizer-model", "m"],
      ]);
    const tokens = tokensOf(dialogue, "factor3");
    const early = await compactAt(2 * tokens + 1);
    expect([early.exitCode, JSON.parse(early.stdout), model.requests.length]).toEqual([0, dialogue, 0]);

    const due = await compactAt(2 * tokens);
    expect([due.exitCode, model.requests.length]).toEqual([0, 1]);
    const [first, ...latest] = JSON.parse(due.stdout);
    // The assistant speaks next: a summary of its own would make two in a row (R5).
    expect(first.role).toBe("user");
    expect(first.content).toMatch(/^\[SUMMARY\]: /);
    expect(first.content).toContain(summary);
    expect(latest).toEqual(dialogue.slice(-3));
  });
});

test("[F88] utilisation is of the session's token budget, whatever is kept free for the answer", () => {
  const budget = 4 * tokensOf(dialogue, "factor3");
  for (const reserve of [0, budget / 2]) {
    const compactor = createCompactor({ preset: "factor3", window: budget, reserve });
    expect(compactor.health(dialogue).utilisation).toBeCloseTo(0.25, 2);
  }
});
