import { expect, test } from "vitest";
import { grepLines } from "../recall/grep-lines.ts";
import { wordMatcher } from "../recall/match-words.ts";
import { passagesOf } from "../recall/passages.ts";
import { piecesOf } from "../recall/pieces.ts";
import { readQuestion } from "../recall/question.ts";
import { rarityOf } from "../recall/rarity.ts";
import { likeness, relatedWords } from "../recall/related-words.ts";
import { stem } from "./stem.ts";
import { forEachRun, wordsOfRun } from "./words.ts";

test("[R35] stems bring the forms of a word together", () => {
  const forms = ["deletes", "deleted", "deleting", "deletion"].map(stem);
  expect(new Set(forms)).toEqual(new Set(["delet"]));
  expect(["configurations", "relational", "hopping", "agreed", "happy", "ties", "sky"].map(stem)).toEqual([
    "configur",
    "relat",
    "hop",
    "agre",
    "happi",
    "ti",
    "sky",
  ]);
  expect(stem("größe")).toBe("größe");
});

test("[R35] runs of letters are found in any script, and identifiers fall into their parts", () => {
  const runs: string[] = [];
  forEachRun("call getUserName(naïve, 数据 x2)", (run) => runs.push(run));
  expect(runs).toEqual(["call", "getUserName", "naïve", "数", "据", "x2"]);
  expect(wordsOfRun("parseHTTPHeader2")).toEqual(["parsehttpheader2", "parse", "http", "header", "2"]);
  expect(wordsOfRun("plain")).toEqual(["plain"]);
});

test("[R35] a question tells its words from its names, paths and quotes", () => {
  const question = readQuestion("Why does src/app.ts say 'no route' for ORD-2291?");
  expect(question.fragments).toEqual(["no route", "src/app.ts", "ORD-2291"]);
  expect(question.words.slice(0, 2)).toEqual(["src", "app"]);
  expect(question.words).not.toContain("why");
  expect(readQuestion("what was it then?").words).toContain("was");
  expect(readQuestion("what did the user ask for?").isAboutPeople).toBe(true);
  expect(readQuestion("which port is open?").isAboutPeople).toBe(false);
});

test("[R35] related words and phrases are asked for, too", () => {
  expect(relatedWords(stem("delete")).map(({ word }) => word)).toContain("remove");
  expect(readQuestion("how did we get rid of it?").words).toContain("delete");
});

test("[R35] other forms of a word that the stemmer keeps apart are alike, other words are not", () => {
  expect(likeness("config", "configur")).toBe(0.75);
  expect(likeness("cat", "category")).toBe(0);
  expect(likeness("contract", "contrast")).toBeGreaterThan(0);
  expect(likeness("port", "report")).toBe(0);
});

test("[R35] rare words say more than common ones", () => {
  expect(rarityOf("zebra")).toBeGreaterThan(rarityOf("file"));
});

test("[R35] a passage with every word of the question beats one with some word many times", () => {
  const match = wordMatcher(readQuestion("cache eviction policy"));
  const all = match("The eviction policy of the cache is least recently used.").score;
  expect(all).toBeGreaterThan(match("cache cache cache cache cache").score);
  expect(all).toBeGreaterThan(match("The removal rule of the store.").score);
  expect(match("Nothing of the kind.").score).toBe(0);
  expect(match("").score).toBe(0);
});

test("[R35] many synonyms of a word are worth no more than the word", () => {
  const match = wordMatcher(readQuestion("delete it"));
  expect(match("delete").score).toBeGreaterThan(match("remove drop erase discard purge").score);
  expect(match("remove drop erase").score).toBeGreaterThan(0);
});

test("[R35] the best passage is found inside a long text", () => {
  const text = `${"other words here. ".repeat(200)}\nthe zebra crossed\n${"more words. ".repeat(200)}`;
  const { passage } = wordMatcher(readQuestion("zebra"))(text);
  expect(text.slice(passage.from, passage.to)).toContain("zebra crossed");
});

test("[R35] passages cover a text and stay short", () => {
  for (const text of ["word ".repeat(900), "a".repeat(3_000), "😀".repeat(900), "line\n".repeat(700)]) {
    const passages = passagesOf(text);
    expect(passages.map(({ from, to }) => text.slice(from, to)).join("")).toBe(text);
    expect(Math.max(...passages.map(({ from, to }) => to - from))).toBeLessThanOrEqual(480);
    expect(passages.every(({ from, to }) => text.slice(from, to).isWellFormed())).toBe(true);
  }
  expect(passagesOf("   ")).toEqual([]);
});

test("[R35] a message is embedded by itself and behind what it follows, without its calls", () => {
  const before = { text: "Does the parser have tests?", tools: [] };
  const message = { text: 'No, none.\nGrep {"pattern":"x"}', tools: ["Grep"] };
  expect(piecesOf(message, before).map(({ text }) => text)).toEqual([
    message.text,
    "Does the parser have tests?\nNo, none.",
  ]);
  expect(piecesOf(message, undefined).map(({ text }) => text)).toEqual([message.text]);
  expect(piecesOf({ text: "", tools: [] }, before)).toEqual([]);
  expect(piecesOf({ text: "x ".repeat(50_000), tools: [] }, before).length).toBe(5);
});

test("[R35] lines are found by words, alternatives and gaps, never by the pattern's special characters", () => {
  const text = "Timeout!\nretry 3 failed\nall fine\na+b (c)\na|b";
  const lines = (pattern: string): readonly number[] => grepLines(text, pattern).map(({ line }) => line);
  expect(lines("timeout|retry.*fail")).toEqual([1, 2]);
  expect(lines("a+b (")).toEqual([4]);
  expect(lines("a\\|b")).toEqual([5]);
  expect(lines("")).toEqual([]);
  expect(lines(".*")).toEqual([]);
  const [found] = grepLines(`${"x".repeat(5_000)}needle${"y".repeat(5_000)}`, "needle");
  expect(found!.text).toContain("needle");
  expect(found!.text.length).toBeLessThan(450);
});
