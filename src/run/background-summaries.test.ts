import { expect, test } from "vitest";
import { SummarizerFailedError } from "../errors/summarizer-failed-error.ts";
import { initialSummarizerState } from "../state/summarizer-state.ts";
import type { Narration } from "../summarizer/narrate.ts";
import { assistant, conversation, user } from "../testing/builders.ts";
import { createBackgroundSummaries } from "./background-summaries.ts";

const narration = (...story: readonly string[]): Narration => ({
  story,
  until: 1,
  attempts: [],
  before: initialSummarizerState,
  state: initialSummarizerState,
});
const wire = Array.from({ length: 6 }, (_, at) => [user(`Ask ${at}`), assistant(`Answer ${at}`)]).flat();
const told = (...more: typeof wire) => conversation(...wire, ...more).messages;
const settled = () => new Promise((resolve) => setTimeout(resolve));

const storyOf = (taken: Narration | "not-ready" | undefined) =>
  typeof taken === "object" ? taken.story : taken;

test("[R49] a summary is taken once it is ready, by a conversation that went on meanwhile", async () => {
  const summaries = createBackgroundSummaries();
  summaries.start(told(), async () => narration("done"));
  await settled();
  expect(storyOf(summaries.take(told(user("And now?"))))).toEqual(["done"]);
  expect(summaries.take(told())).toBeUndefined();
});

test("[R49] a summary that is not ready when it is wanted is called off, and never given later", async () => {
  const summaries = createBackgroundSummaries();
  let answer: (told: Narration) => void = () => {};
  let calledOff: AbortSignal | undefined;
  summaries.start(told(), (signal) => {
    calledOff = signal;
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  expect(calledOff?.aborted).toBe(false);
  expect(summaries.take(told())).toBe("not-ready");
  expect(calledOff?.aborted).toBe(true);
  answer(narration("too late"));
  await settled();
  expect(summaries.take(told())).toBeUndefined();
});

test("[R49] a late summary of messages that were changed since is not given", async () => {
  const summaries = createBackgroundSummaries();
  summaries.start(told(), async () => narration("done"));
  await settled();
  for (const at of [0, 8, 11]) {
    const changed = conversation(...wire.with(at, user("Something else"))).messages;
    expect(summaries.take(changed)).toBeUndefined();
  }
  expect(summaries.take(told().slice(0, -1))).toBeUndefined();
});

test("[R49] one flight at a time for a conversation, another for another, also where they begin alike", async () => {
  const summaries = createBackgroundSummaries();
  let calls = 0;
  const counted = async () => narration(`of ${++calls}`);
  summaries.start(told(), counted);
  summaries.start(told(user("more")), counted);
  expect(calls).toBe(1);
  const alike = conversation(...wire.slice(0, 8), user("Something else entirely")).messages;
  summaries.start(alike, counted);
  summaries.start(told(user("more"), assistant("and more")), counted);
  expect(calls).toBe(2);
  await settled();
  expect(storyOf(summaries.take(alike))).toEqual(["of 2"]);
  expect(storyOf(summaries.take(told()))).toEqual(["of 1"]);
});

test("a short conversation is known again when it has grown", async () => {
  const summaries = createBackgroundSummaries();
  summaries.start(told().slice(0, 1), async () => narration("of one"));
  summaries.start([], async () => narration("of nothing"));
  await settled();
  expect(storyOf(summaries.take(told()))).toEqual(["of one"]);
  expect(summaries.take(told())).toBeUndefined();
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
  expect(storyOf(summaries.take(told()))).toEqual([]);
  summaries.start(told(), async () => {
    throw new Error("down");
  });
  await settled();
  expect(summaries.take(told())).toBeUndefined();
});

test("summaries that are done wait for their compaction, however many there are", async () => {
  const summaries = createBackgroundSummaries();
  const other = (at: number) => conversation(user(`Conversation ${at}`)).messages;
  for (let at = 0; at < 100; at++) {
    summaries.start(other(at), async () => narration(`of ${at}`));
    await settled();
  }
  for (const at of [0, 16, 99]) expect(storyOf(summaries.take(other(at)))).toEqual([`of ${at}`]);
});

test("no more than sixteen are written side by side, and none is called off for another", async () => {
  const summaries = createBackgroundSummaries();
  const other = (at: number) => conversation(user(`Conversation ${at}`)).messages;
  const signals: AbortSignal[] = [];
  for (let at = 0; at < 20; at++)
    summaries.start(other(at), (signal) => {
      signals.push(signal);
      return new Promise(() => {});
    });
  expect(signals).toHaveLength(16);
  expect(signals.some(({ aborted }) => aborted)).toBe(false);
});

test("one that never came about may be begun again; one that failed is told", async () => {
  const failedWith = (failure: "aborted" | "empty"): Narration => ({
    ...narration(),
    error: new SummarizerFailedError("m", failure, "no"),
  });
  for (const [failure, begun] of [
    ["aborted", 2],
    ["empty", 1],
  ] as const) {
    const summaries = createBackgroundSummaries();
    let count = 0;
    for (let turn = 0; turn < 2; turn++) {
      summaries.start(told(), async () => {
        count++;
        return failedWith(failure);
      });
      await settled();
    }
    expect(count).toBe(begun);
  }
});
