import { expect, test } from "vitest";
import { initialState } from "../../state/compaction-state.ts";
import { ownQueue } from "./own-queue.ts";
import type { SummaryJob } from "./summary-job.ts";
import { MOST_AT_ONCE } from "./summary-queue.ts";

const job = (snapshot: string, tenant = "t"): SummaryJob => ({
  ...{ tenant, snapshot, conversation: "c", text: "{}", format: "openai-chat", preset: "balanced" },
  ...{ window: 8_000, reserve: 1_000, state: initialState },
});

/** A queue whose writes end when they are told to. */
function heldQueue() {
  const begun: { readonly snapshot: string; readonly end: (error?: Error) => void }[] = [];
  const failures: unknown[] = [];
  const ended: string[] = [];
  const queue = ownQueue({
    write: ({ tenant, snapshot }, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("stopped")));
        begun.push({
          snapshot: `${tenant}/${snapshot}`,
          end: (error) => (error ? reject(error) : resolve()),
        });
      }),
    onFailure: (error) => failures.push(error),
    onEnd: ({ snapshot }) => ended.push(snapshot),
  });
  return { queue, begun, failures, ended };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("each snapshot is written once, also when it failed, and tenants have their own", async () => {
  const { queue, begun, failures } = heldQueue();
  await queue.send(job("a"));
  await queue.send(job("a"));
  await queue.send(job("a", "other"));
  begun[0]!.end(new Error("the model is down"));
  await turn();
  await queue.send(job("a"));
  expect(begun.map(({ snapshot }) => snapshot)).toEqual(["t/a", "other/a"]);
  expect(failures).toEqual([new Error("the model is down")]);
});

test("only so many are written at once, in their order, and a stop ends them", async () => {
  const { queue, begun, failures } = heldQueue();
  for (let at = 0; at < MOST_AT_ONCE + 2; at++) await queue.send(job(String(at)));
  expect(begun).toHaveLength(MOST_AT_ONCE);
  begun[1]!.end();
  await turn();
  expect(begun.at(-1)!.snapshot).toBe(`t/${MOST_AT_ONCE}`);
  await queue.close();
  expect(begun).toHaveLength(MOST_AT_ONCE + 1);
  expect(failures).toHaveLength(MOST_AT_ONCE);
});

test("it tells of each job that nothing more comes of", async () => {
  const { queue, begun, ended } = heldQueue();
  await queue.send(job("written"));
  await queue.send(job("failed"));
  await queue.send(job("written"));
  expect(ended).toEqual([]);
  begun[0]!.end();
  begun[1]!.end(new Error("the archive is down"));
  await turn();
  expect(ended).toEqual(["written", "failed"]);
  await queue.send(job("written"));
  expect(ended).toEqual(["written", "failed", "written"]);
  // More than may wait: the oldest of them is given up.
  for (let at = 0; at <= MOST_AT_ONCE + 64; at++) await queue.send(job(String(at)));
  expect(ended.at(-1)).toBe(String(MOST_AT_ONCE));
});
