import { expect, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { OptionsError } from "../errors/options-error.ts";
import { scriptedSummarizer } from "../testing/scripted-summarizer.ts";
import { summarizersOf } from "./summarizers-of.ts";

test("one, several in order, addresses and none", () => {
  const own = scriptedSummarizer(["a"]);
  const names = (given: Parameters<typeof summarizersOf>[0]) => summarizersOf(given).map(({ name }) => name);
  expect(summarizersOf(own)).toEqual([own]);
  expect(names([{ url: "http://a.example/v1", model: "m" }, own])).toEqual(["m at a.example", own.name]);
  expect(names({ url: "https://api.anthropic.com", model: "m", key: "k" })).toEqual([
    "m at api.anthropic.com",
  ]);
  expect([names("none"), names(undefined), names([])]).toEqual([[], [], []]);
});

test("same is refused where no model passes, and says where it works", () => {
  const create = () => createCompactor({ target: "50%", summarizer: "same" as never });
  expect(create).toThrow(OptionsError);
  expect(create).toThrow(/adapter and the gateway/);
  expect(() => createCompactor({ target: "50%", summarizer: { url: "http://a" } as never })).toThrow(
    /\{ url, model, key \}/,
  );
});
