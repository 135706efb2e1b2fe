import { expect, test } from "vitest";
import { splitCode } from "./code-blocks.ts";

const joined = (text: string) =>
  splitCode(text)
    .map((segment) => segment.text)
    .join("");
const codeOf = (text: string) =>
  splitCode(text)
    .filter((segment) => segment.kind === "code")
    .map((segment) => segment.text);

test("gives prose without code as one segment, and nothing for nothing", () => {
  expect(splitCode("Just words.\nMore.")).toEqual([{ kind: "prose", text: "Just words.\nMore." }]);
  expect(splitCode("")).toEqual([]);
});

test.each([
  ["a fence of backticks", "a\n```js\nx\n```\nb", ["```js\nx\n```\n"]],
  ["a fence of tildes", "a\n~~~\nx\n~~~\nb", ["~~~\nx\n~~~\n"]],
  ["a longer fence around a shorter one", "````\n```\nx\n```\n````\nb", ["````\n```\nx\n```\n````\n"]],
  ["a fence in a list", "- a\n  ```\n  x\n  ```\n- b", ["  ```\n  x\n  ```\n"]],
  ["a fence in a quote", "> a\n> ```\n> x\n> ```\n> b", ["> ```\n> x\n> ```\n"]],
  ["an unclosed fence to the end", "a\n```\nx\ny", ["```\nx\ny"]],
  ["indented code", "a\n\n    x\n    y\n\nb", ["    x\n    y\n"]],
  ["code after a tab", "a\n\n\tx\n", ["\tx\n"]],
  ["lines that end in \\r\\n", "a\r\n```\r\nx\r\n```\r\nb", ["```\r\nx\r\n```\r\n"]],
  ["lines that end in \\r", "a\r```\rx\r```\rb", ["```\rx\r```\r"]],
  ["a fence that opens in mid-line", "Run this: ```sh\nls. Now.\n```\nb", ["```sh\nls. Now.\n```"]],
  ["code that begins and ends in mid-line", "Put ```a = 1;\nb = 2;``` there.", ["```a = 1;\nb = 2;```"]],
  ["a mid-line fence of tildes", "So: ~~~\nx\n~~~\nb", ["~~~\nx\n~~~"]],
  ["an unclosed mid-line fence to the end", "So: ```js\nx\n\ny", ["```js\nx\n\ny"]],
  [
    "a mid-line fence in a list, and the plain block after it",
    "1. So: ```js\n   x\n   ```\n2. b\n\n```\ny\n```\n",
    ["```js\n   x\n   ```", "```\ny\n```\n"],
  ],
  ["a plain block after a lone mark in prose", "Write ``` by hand.\n\n```ts\nx\n```\nb", ["```ts\nx\n```\n"]],
  ["mid-line marks inside a block as its code", "```\na: ```js\n```\nb", ["```\na: ```js\n```\n"]],
  [
    "code in a list item, and code between paragraphs that come after it",
    "- a\n\n      x\n\n  still the item\n\nwords\n\n    y\n\nwords\n    go on\n\n- b\n\n      z\n",
    ["      x\n", "    y\n", "      z\n"],
  ],
  ["code beside mark-up that goes over empty lines", "<pre>\n\na\n\n    x\n</pre>\n\n    y\n", ["    y\n"]],
  ["two blocks, each its own", "```\na\n```\n```\nb\n```\n", ["```\na\n```\n", "```\nb\n```\n"]],
])("[F3] finds %s", (_, text, code) => {
  expect(codeOf(text)).toEqual(code);
  expect(joined(text)).toBe(text);
});

test("takes inline code and indented list text for prose", () => {
  expect(codeOf("Use ```x``` here.\nAnd `y`.")).toEqual([]);
  expect(codeOf("- a\n\n    still the item\n")).toEqual([]);
});

test.each([
  ["5,000 nested quotes", `${">".repeat(5000)} x    y\n\nafter\n`],
  ["1,500 nested lists", Array.from({ length: 1500 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n")],
  ["a list that nests on one line", `${"- ".repeat(20_000)}a    b\n`],
  ["a megabyte of spaces", " ".repeat(1e6)],
  ["a megabyte of backticks", "`".repeat(1e6)],
  ["a megabyte of lines with a mark", "a ```b\n".repeat(150_000)],
  ["a line of many marks", "a ```b ".repeat(100_000)],
  ["open comments", "<!--\n    ".repeat(50_000)],
  ["NUL, a BOM and lone surrogates", "\uFEFFa\0b\n```\n\uD800\n```\n\uDC00    x"],
])("loses nothing of %s", (_, text) => {
  expect(joined(text)).toBe(text);
});

test("leaves what is nested too deep alone, as code", () => {
  const deep = `${"> ".repeat(200)}x    y\n`;
  expect(splitCode(deep)).toEqual([{ kind: "code", text: deep }]);
});
