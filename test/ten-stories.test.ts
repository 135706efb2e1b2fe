import { expect, test } from "vitest";
import { createCompactor } from "../src/index.ts";
import type { Summarizer } from "../src/summarizer/summarizer.ts";
import { assistant, call, result, user, type WireMessage } from "../src/testing/builders.ts";
import { specificsOf } from "../src/text/specifics.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";

const counter = createTokenCounter();
const TARGET = 2_200;

/** Five asks, with a value in each that nobody can guess, and much that was read for it. */
function asked(round: number): readonly WireMessage[] {
  return Array.from({ length: 5 }, (_, at) => {
    const part = round * 5 + at + 1;
    const id = `read-${part}`;
    const lines = Array.from({ length: 60 }, (_, line) => `export const row${line} = ${part * 100 + line};`);
    return [
      user(`Set the limit of part ${part} to ${limitOf(part)}, please.`),
      assistant("Reading it first.", call("Read", { file_path: `src/part-${part}/limits.ts` }, id)),
      result(lines.join("\n"), { id }),
      assistant(`The limit of part ${part} is ${limitOf(part)} now. ${factsOf(part).join(" ")}`),
    ];
  }).flat();
}

const limitOf = (part: number) => `limit-${part}x${(part * 7919) % 10_007}`;
const factsOf = (part: number) =>
  [1, 2, 3, 4, 5].map((at) => `Its check-${part}-${at} took ${(part * 31 * at) % 997}7 ms.`);

/** Follows no advice: what is new gets two fifths of the room, and whatever it wrote before is cut to fit, every paragraph the same. */
function lazyWriter(): Summarizer {
  return {
    name: "lazy",
    summarize: async ({ prompt }) => {
      const room = Number(/Your room is (\d+) tokens/.exec(prompt)?.[1]);
      const earlier =
        /Summary by a model: ([\s\S]*?)\n\(goes on below\)/.exec(prompt)?.[1]?.split("\n") ?? [];
      const turns = prompt.slice(prompt.indexOf("TURNS TO SUMMARIZE"));
      const parts = [...turns.matchAll(/The limit of part (\d+) is/g)].map(([, part]) => Number(part));
      const fresh = [...new Set(parts)].map(
        (part) => `${part}. User: limit ${limitOf(part)}. Answer: done. ${factsOf(part).join(" ")}`,
      );
      const known = earlier.filter((line) => /^\d/.test(line));
      const kept = shortened(known, room - sizeOf(shortened(fresh, room * 0.4)) - 20);
      return {
        text: [...kept, ...shortened(fresh, room * 0.4), "Answer: the last part is open."].join("\n"),
        finish: "stop",
        model: "lazy",
      };
    },
  };
}

const sizeOf = (lines: readonly string[]) => counter.text(lines.join("\n"));

/** Every line by the same share, sentence by sentence from its end. */
function shortened(lines: readonly string[], most: number): readonly string[] {
  const share = Math.min(1, most / Math.max(1, sizeOf(lines)));
  return lines.map((line) => {
    const sentences = line.split(/(?<=\.) /);
    while (sentences.length > 2 && counter.text(sentences.join(" ")) > counter.text(line) * share)
      sentences.pop();
    return sentences.join(" ");
  });
}

test("after ten stories in a row, by a writer who shortens everything each time, what was told first is still known", async () => {
  const compactor = createCompactor({ target: "50%", summarizer: lazyWriter() });
  let messages: readonly WireMessage[] = [];
  const stories: string[] = [];
  for (let round = 0; round < 10; round++) {
    const said = [...messages, ...asked(round), user("Go on with the next ones.")];
    const {
      messages: output,
      report,
      conversation,
    } = await compactor.compact(said, {
      target: TARGET,
      summarize: true,
    });
    expect(report.summary).not.toHaveProperty("failure");
    expect(report.tokensAfter).toBeLessThanOrEqual(TARGET);
    messages = output as readonly WireMessage[];
    const text = conversation.messages
      .flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")))
      .join("\n");
    stories.push(/Summary by a model: ([\s\S]*?)\n\(goes on below\)/.exec(text)![1]!);
  }
  const last = stories.at(-1)!;
  const first = [...specificsOf(stories[0]!)];
  const known = specificsOf(last);
  expect(first.length).toBeGreaterThan(12);
  expect(first.filter((each) => known.has(each)).length).toBeGreaterThan(first.length * 0.45);
  // Nothing is told twice, and nothing grows.
  const sentences = last.split(/(?<=\.)\s/).filter(({ length }) => length > 30);
  expect(new Set(sentences).size).toBe(sentences.length);
  expect(last).not.toContain("> >");
  expect(counter.text(last)).toBeLessThan(TARGET);
});
