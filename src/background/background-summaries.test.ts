import { expect, test } from "vitest";
import type { Narration } from "../summarizer/narrate.ts";
import { initialSummarizerState } from "../summarizer/summarizer-state.ts";
import { assistant, conversation, user } from "../testing/builders.ts";
import { createBackgroundSummaries } from "./background-summaries.ts";

const narration = (...lines: readonly string[]): Narration => ({
  lines,
  attempts: [],
  state: initialSummarizerState,
});
const wire = Array.from({ length: 6 }, (_, at) => [user(`Ask ${at}`), assistant(`Answer ${at}`)]).flat();
const told = (...more: typeof wire) => conversation(...wire, ...more).messages;
const settled = () => new Promise((resolve) => setTimeout(resolve));

test("[R49] a summary is taken once it is ready, by a conversation that went on meanwhile", async () => {
  const summaries = createBackgroundSummaries();
  summaries.start(told(), async () => narration("done"));
  expect(summaries.take(told())).toBeUndefined();
  await settled();
  expect(summaries.take(told(user("And now?")))?.lines).toEqual(["done"]);
  expect(summaries.take(told())).toBeUndefined();
});

test("[R49] a late summary of messages that were changed since is thrown away", async () => {
  const summaries = createBackgroundSummaries();
  summaries.start(told(), async () => narration("done"));
  await settled();
  const changed = conversation(...wire.with(8, user("Ask 4, differently"))).messages;
  expect(summaries.take(changed)).toBeUndefined();
  expect(summaries.take(told())).toBeUndefined();
});

test("[R49] one flight at a time for a conversation, another for another", async () => {
  const summaries = createBackgroundSummaries();
  let calls = 0;
  const slow = () => {
    calls++;
    return new Promise<Narration>(() => {});
  };
  summaries.start(told(), slow);
  summaries.start(told(user("more")), slow);
  expect(calls).toBe(1);
  summaries.start(conversation(user("Something else entirely")).messages, slow);
  expect(calls).toBe(2);
});

test("a failure is told once and not repeated at every turn; what throws may be tried again", async () => {
  const summaries = createBackgroundSummaries();
  let calls = 0;
  const fail = async () => {
    calls++;
    return narration();
  };
  summaries.start(told(), fail);
  await settled();
  summaries.start(told(user("more")), fail);
  expect(calls).toBe(1);
  expect(summaries.take(told())?.lines).toEqual([]);
  summaries.start(told(), async () => {
    throw new Error("down");
  });
  await settled();
  expect(summaries.take(told())).toBeUndefined();
});

test("the oldest of very many flights is given up", async () => {
  const summaries = createBackgroundSummaries();
  const other = (at: number) => conversation(user(`Conversation ${at}`)).messages;
  for (let at = 0; at < 17; at++) summaries.start(other(at), async () => narration(`of ${at}`));
  await settled();
  expect(summaries.take(other(0))).toBeUndefined();
  expect(summaries.take(other(16))?.lines).toEqual(["of 16"]);
});
