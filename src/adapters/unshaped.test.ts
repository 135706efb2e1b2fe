import { expect, test } from "vitest";
import { unshaped } from "./unshaped.ts";

test("caps, stops and schemas go, and what decides on the cache stays", () => {
  const kept = { temperature: 0, prompt_cache_key: "mine", reasoning: { effort: "low" } };
  const shaping = { max_tokens: 5, maxTokens: 5, stop: ["."], response_format: { type: "json_object" } };
  expect(unshaped({ ...kept, ...shaping })).toEqual(kept);
  const text = { verbosity: "low", format: { type: "json_schema" } };
  expect(unshaped({ text })).toEqual({ text: { verbosity: "low" } });
});
