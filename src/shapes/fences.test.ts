import { expect, test } from "vitest";
import { createTokenCounter } from "../tokens/counter.ts";
import { fencePairs } from "./fences.ts";
import { fitText } from "./fit-text.ts";

test("fences are paired as Markdown reads them", () => {
  expect(fencePairs(["a", "```ts", "x", "```", "~~~~", "```", "~~~~", "```"])).toEqual([
    [1, 3],
    [4, 6],
  ]);
});

test("of a block of code that is shown in part both fences stay", () => {
  const code = Array.from({ length: 60 }, (_, at) => `const value${at} = compute(${at * 7919});`).join("\n");
  const text = `First the parser.\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThen the writer: it fails on blanks.\n\n\`\`\`ts\n${code}\n\`\`\`\n\nDone.`;
  for (const room of [80, 150, 300, 500]) {
    const fitted = fitText(text, room, { counter: createTokenCounter() });
    expect((fitted.match(/^```/gm) ?? []).length % 2, fitted).toBe(0);
  }
});
