import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { buildPage, pageFolder } from "./built-page.ts";

await buildPage();
const files = readdirSync(pageFolder).map((name) => ({
  name,
  text: readFileSync(join(pageFolder, name), "utf8"),
}));

test("the page is one document, one script, one style sheet and one worker with their licences, 120 KB in all when packed", () => {
  expect(files.map(({ name }) => name).toSorted()).toEqual([
    "index.html",
    "licences.txt",
    "page.css",
    "page.js",
    "worker.js",
  ]);
  const packed = files.reduce((sum, { text }) => sum + gzipSync(text).length, 0);
  expect(packed).toBeLessThanOrEqual(120_000);
});

test("the page names no other host", () => {
  const code = files.filter(({ name }) => name !== "licences.txt");
  const named = code.flatMap(({ text }) => text.match(/\b(?:https?|wss?):\/\/[\w.-]+/g) ?? []);
  // Namespaces of XML: names, and never asked for.
  expect(named.filter((address) => address !== "http://www.w3.org")).toEqual([]);
});

test("nothing in the page makes markup or programs of text", () => {
  const sources = readdirSync(join(import.meta.dirname, "../../inspector/src"), {
    recursive: true,
    encoding: "utf8",
  });
  const texts = sources
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(import.meta.dirname, "../../inspector/src", name), "utf8"));
  expect(texts.length).toBeGreaterThan(20);
  for (const text of texts)
    expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/);
});
