import { expect, test } from "vitest";
import { plainFences } from "./plain-fences.ts";

const fences = (text: string) => {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return plainFences(text, starts.at(-1) === text.length ? starts : [...starts, text.length]);
};

test.each([
  ["no code at all\n", []],
  ["Run:\n```\nls\n```\nthen\n", [[1, 4]]],
  ["~~~ js\n\tx\n```\n  ~~~~  \n", [[0, 4]]],
  ["````\n```\n    ```\n````\n", [[0, 4]]],
  ["- one\n    - two\n        - three\n```\nx\n```", [[3, 6]]],
  ['{\n  "a": [\n    "1",\n    { "b": 2 }\n  ]\n}\n', []],
  ["a\n        \n\t\nb\n", []],
  ["# Title\n> quote\n---\n*a    b*\n1) x\n```\n```\n", [[5, 7]]],
])("finds the fences of %j without a parser", (text, ranges) => {
  expect(fences(text)).toEqual(ranges);
});

test.each([
  ["an unclosed fence", "```\nls\n"],
  ["indented code", "Run:\n\n    ls\n"],
  ["code after a heading", "# Run\n    ls\n"],
  ["a tab", "\tls\n"],
  ["a fence in a list", "- a\n  ```\n  x\n  ```\n"],
  ["a fence after a list mark", "- ```\n  x\n"],
  ["a fence in a quote", "> ```\n> x\n"],
  ["a wide list mark", "-     x\n"],
  ["a fence that mark-up may hide", "<div>\n```\nx\n```\n</div>\n"],
  ["three backticks that are inline code", "```x``` y\n"],
  ["quotes in quotes without end", `${">".repeat(80)} x\n`],
  ["lists in lists without end", `- a\n${" ".repeat(30)}- b\n`],
])("leaves %s to the parser", (_, text) => {
  expect(fences(text)).toBeUndefined();
});
