import { expect, test } from "vitest";
import { createTokenCounter } from "../tokens/counter.ts";
import { rulesWithin } from "./rules.ts";

const counter = createTokenCounter();
const rules = ["Never push to main.", "Use tabs.", "Do not touch the lexer."];

test("within their share all rules stay, in their order", () => {
  expect(rulesWithin(rules, 100, counter)).toEqual(rules);
});

test("what was said again and again with other numbers lays nothing down: the newest of it stays", () => {
  const series = Array.from(
    { length: 200 },
    (_, at) => `Turn ${at}: read module ${at} and tell me its port.`,
  );
  expect(rulesWithin([rules[0]!, ...series, rules[1]!], 1000, counter)).toEqual([
    rules[0],
    series[199],
    rules[1],
  ]);
});

test("a series of rules that say so stays", () => {
  const series = Array.from({ length: 5 }, (_, at) => `You must never rename module number ${at}.`);
  expect(rulesWithin(series, 1000, counter)).toEqual(series);
});

test("beyond it those stay that bind most likely, whatever comes after them", () => {
  const doubtful = Array.from(
    { length: 40 },
    (_, at) => `It will be one-way to ${String.fromCharCode(65 + at)}ville, I guess.`,
  );
  const kept = rulesWithin([...rules, ...doubtful], 60, counter);
  expect(kept.slice(0, 3)).toEqual(rules);
  expect(kept.reduce((sum, rule) => sum + counter.text(rule) + 2, 0)).toBeLessThanOrEqual(60);
});
