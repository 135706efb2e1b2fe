/** Recorded conversations hold hardly a secret, so nearly all of what is masked in them would be a false hit. */
import { expect, test } from "vitest";
import { maskJson } from "../src/redact/mask-json.ts";
import { hasAllRecordings, recordings } from "./recordings.ts";

const sources = [
  "derived-openai",
  "livemcpbench",
  "tau-bench-airline",
  "openhands-llm-log",
  "claude-code-log",
];

test("[R46] recorded conversations come back as they are, but for less than one hit in a megabyte", async () => {
  let characters = 0;
  let hits = 0;
  for await (const { messages } of recordings(sources)) {
    for (const message of messages) {
      const source = JSON.stringify(message);
      const { text, masked } = maskJson(source);
      characters += source.length;
      hits += masked.length;
      if (masked.length === 0) expect(text === source).toBe(true);
    }
  }
  expect(characters).toBeGreaterThan(hasAllRecordings ? 10_000_000 : 100_000);
  expect(hits).toBeLessThan(Math.max(1, characters / 1_000_000));
}, 120_000);
