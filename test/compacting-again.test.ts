/** What is remembered of messages from one compaction to the next changes nothing of what comes out. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCompactor } from "../src/compactor.ts";
import { recordings } from "./recordings.ts";

async function conversations(): Promise<readonly (readonly unknown[])[]> {
  const example = JSON.parse(
    readFileSync(join(import.meta.dirname, "../examples/coding-session.json"), "utf8"),
  );
  const found: (readonly unknown[])[] = [example];
  for (const source of ["coding-sessions", "livemcpbench", "tau-bench-airline"])
    for await (const { messages } of recordings([source])) {
      if (messages.length < 12 || messages.length > 200) continue;
      found.push(messages);
      break;
    }
  return found;
}

test.each(["30%", "10%"] as const)(
  "a conversation that grows comes out at %s as if it were read for the first time",
  async (target) => {
    const compactor = createCompactor({ target, clock: () => 0 });
    const compacted = async (messages: readonly unknown[]) =>
      JSON.stringify((await compactor.compact(messages, { target })).messages);
    for (const messages of await conversations()) {
      for (let length = messages.length - 8; length <= messages.length; length++) {
        const known = messages.slice(0, length);
        expect(await compacted(known)).toBe(await compacted(structuredClone(known)));
      }
    }
  },
);
