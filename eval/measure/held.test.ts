import { expect, test } from "vitest";
import { recallOf } from "./held.ts";

const past =
  "The parser lives in packages/core/src/parse.ts and reads order 48213 for customer Miller every night.";

test("a probe is held beside two of the words that stood beside it", () => {
  expect(recallOf(past, "order 48213 for Miller", ["48213"]).held).toBe(1);
});

test("a probe without its words is verbatim and not held", () => {
  expect(recallOf(past, "48213", ["48213"])).toMatchObject({ verbatim: 1, held: 0, missing: ["48213"] });
});

test("a path may stand by its last two parts, not by its name alone", () => {
  const probes = ["packages/core/src/parse.ts"];
  expect(recallOf(past, "the parser lives in src/parse.ts", probes).held).toBe(1);
  expect(recallOf(past, "the parser lives in parse.ts", probes).held).toBe(0);
});

test("upper and lower case do not matter in the texts", () => {
  expect(
    recallOf("Set MAX_RETRIES in Server Config", "server config: max_retries", ["max_retries"]).held,
  ).toBe(1);
});
