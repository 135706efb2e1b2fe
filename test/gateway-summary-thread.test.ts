/** The thread that writes summaries, as the gateway has it: what it asks of clients' own models, and what becomes of that. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { openArchive } from "../src/archive/open-archive.ts";
import { createMetrics } from "../src/gateway/metrics.ts";
import { plainRecipe } from "../src/gateway/recipe.ts";
import { createRecipes } from "../src/gateway/recipes.ts";
import { createSummaries } from "../src/gateway/summaries/summaries.ts";
import type { SummaryJob } from "../src/gateway/summaries/summary-job.ts";
import { summaryStore } from "../src/gateway/summaries/summary-store.ts";
import { initialState } from "../src/state/compaction-state.ts";
import type { SentRequest } from "../src/summarizer/own-model.ts";
import { until } from "./until.ts";

/** Summaries by the client's own model, over a file, and the threads that were begun for them. */
async function startWorld(jobs: readonly SummaryJob[]) {
  const folder = mkdtempSync(join(tmpdir(), "pith-summaries-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "archive.sqlite");
  const archive = (await openArchive(file))!;
  onTestFinished(() => archive.close?.());
  const threads: Worker[] = [];
  const onWorker = (worker: Worker): unknown => threads.push(worker);
  process.on("worker", onWorker);
  onTestFinished(() => void process.off("worker", onWorker));
  const recipes = createRecipes(archive, Date.now);
  for (const { tenant, snapshot, conversation: name } of jobs)
    await recipes.keep(tenant, snapshot, { recipe: plainRecipe, state: initialState, name });
  const told: string[] = [];
  const summaries = createSummaries(
    { archive: file, summarizer: ["same"] },
    (_level, event) => told.push(event),
    createMetrics(),
  );
  onTestFinished(summaries.close);
  return { summaries, store: summaryStore(archive, Date.now), threads, told };
}

function jobOf(tenant: string): SummaryJob {
  const messages = Array.from({ length: 40 }, (_, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: `Module ${at} parses file_${at}.ts. `.repeat(30),
  }));
  return {
    ...{ tenant, snapshot: `snapshot-of-${tenant}`, conversation: `${tenant}/c`, format: "openai-chat" },
    ...{ text: JSON.stringify({ model: "m", messages }), preset: "balanced" },
    ...{ window: 12_000, reserve: 1_000, state: initialState },
  };
}

/** A client's model that answers when it is told to, even when nobody waits any more. */
function heldModel({ text }: SummaryJob) {
  const signals: AbortSignal[] = [];
  const { promise, resolve } = Promise.withResolvers<Response>();
  const post: SentRequest["post"] = (_body, signal) => {
    signals.push(signal);
    return promise;
  };
  const say = (content: string): void =>
    resolve(Response.json({ choices: [{ message: { content }, finish_reason: "stop" }] }));
  return { sent: { format: "openai-chat", text, post } as const, signals, say };
}

test("an answer to a thread that died is nobody else's", async () => {
  const [alpha, beta] = [jobOf("alpha"), jobOf("beta")];
  const { summaries, store, threads, told } = await startWorld([alpha, beta]);
  const [ofAlpha, ofBeta] = [heldModel(alpha), heldModel(beta)];
  summaries.begin(alpha, ofAlpha.sent);
  await until(() => ofAlpha.signals.length > 0);
  await threads[0]!.terminate();
  await until(() => threads.length > 1);
  summaries.begin(beta, ofBeta.sent);
  await until(() => ofBeta.signals.length > 0);
  expect(ofAlpha.signals[0]!.aborted).toBe(true);
  ofAlpha.say("Alpha's parser work was finished and reviewed.");
  await new Promise((resolve) => setTimeout(resolve, 300));
  ofBeta.say("Beta's parser work was finished and reviewed.");
  await until(() => told.includes("summary"));
  const { story } = (await store.find("beta", beta.snapshot))!;
  expect(story.join(" ")).toContain("Beta's parser work");
});
