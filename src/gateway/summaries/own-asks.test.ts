import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SentRequest } from "../../summarizer/own-model.ts";
import { createOwnAsks } from "./own-asks.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const job = (snapshot: string) => ({ tenant: "t", snapshot }) as never;
const sent: SentRequest = {
  format: "openai-chat",
  text: '{"model":"m","messages":[{}]}',
  post: async () =>
    Response.json({ choices: [{ message: { content: "It is done." }, finish_reason: "stop" }] }),
};
const question = (snapshot: string) => ({
  ...{ tenant: "t", snapshot, prompt: "Sum it up.", rides: true, targetTokens: 100 },
});
const { signal } = new AbortController();

test("what is forgotten, replaced or given up is held by no timer", () => {
  const owns = createOwnAsks();
  owns.keep(job("a"), sent);
  owns.keep(job("a"), sent);
  expect(vi.getTimerCount()).toBe(1);
  owns.forget(job("a"));
  expect(vi.getTimerCount()).toBe(0);
  for (let at = 0; at < 200; at++) owns.keep(job(String(at)), sent);
  expect(vi.getTimerCount()).toBe(64);
  owns.forgetAll();
  expect(vi.getTimerCount()).toBe(0);
});

test("a request is there to be asked behind for ten minutes", async () => {
  const owns = createOwnAsks();
  owns.keep(job("a"), sent);
  vi.advanceTimersByTime(599_000);
  expect(await owns.ask(question("a"), signal)).toMatchObject({ summary: { text: "It is done." } });
  vi.advanceTimersByTime(1_000);
  expect(await owns.ask(question("a"), signal)).toEqual({ failure: "aborted" });
});
