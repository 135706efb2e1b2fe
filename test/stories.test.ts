/** A hundred and twenty conversations in which something is easily told that the record does not show, each with what may not be told. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { WireMessage } from "../src/testing/builders.ts";

vi.hoisted(() => {
  process.env.PITH_ENGINE = "1";
});
const { createCompactor } = await import("../src/compactor.ts");
const { assistant, call, rawConversation, result, user } = await import("../src/testing/builders.ts");

interface Story {
  readonly name: string;
  readonly why: string;
  readonly messages: readonly WireMessage[];
  /** No line of a hand-off matches these. */
  readonly mustNot: readonly string[];
  /** No line of that section does. */
  readonly claim: readonly {
    readonly section: "state" | "rules" | "deeds";
    readonly pattern: string;
    /** Where the hand-off says this, the claim is none. */
    readonly unless?: string;
  }[];
}

const stories = readFileSync(join(import.meta.dirname, "fixtures/stories.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Story);

/** What goes on after the first compaction. */
const more = rawConversation(
  assistant("I look at it."),
  user("Thanks. And how long is the list of names?"),
  assistant("", call("Read", { file_path: "/srv/app/names.txt" }, "call_names")),
  result(Array.from({ length: 300 }, (_, i) => `name ${i} in room ${i % 7}`).join("\n"), {
    id: "call_names",
  }),
  assistant("It has 300 names."),
  user("Good, go on."),
);

const MARKS = { state: "-", rules: "§", deeds: "!" } as const;
const FILES = "- changed and not committed: ";

test.each(stories)("$name: nothing is told that is not so", async ({ messages, mustNot, claim, why }) => {
  for (const target of ["60%", "30%", "15%", 400] as const) {
    const compactor = createCompactor({ window: 200_000 });
    const first = await compactor.compact([...messages], { target });
    if (first.report.error) continue;
    const grown = [...(first.messages as WireMessage[]), ...more];
    const second = await compactor.compact(grown, { target: 1500, state: first.state });
    for (const after of [first, second]) {
      const items = itemsIn(after.messages as WireMessage[]);
      const told = mustNot.flatMap((pattern) => items.filter((item) => new RegExp(pattern, "m").test(item)));
      const claimed = claim.flatMap(({ section, pattern, unless }) => {
        if (unless !== undefined && items.some((item) => new RegExp(unless).test(item))) return [];
        return items.filter((item) => item.startsWith(MARKS[section]) && claims(item, pattern));
      });
      expect([...told, ...claimed], why).toEqual([]);
    }
  }
});

function claims(item: string, pattern: string): boolean {
  // Each file stands in a line of its own under what is said of all.
  const files = item.startsWith(FILES) ? item.slice(FILES.length).split("\n") : [];
  return [item.replaceAll("\n", " "), ...files.map((file) => `Changed: ${file}`)].some((text) =>
    new RegExp(pattern, "m").test(text),
  );
}

/** The items of a hand-off, each with its mark and without its number. */
function itemsIn(messages: readonly WireMessage[]): readonly string[] {
  const text = messages
    .map(({ content }) => String(content ?? ""))
    .find((each) => each.includes("[Pith hand-off]"));
  return (text ?? "")
    .split(/\n(?! )/)
    .map((item) => item.replace(/^(\S)\d+ /, "$1 ").replaceAll("\n ", "\n"));
}
