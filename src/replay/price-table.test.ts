import { expect, test } from "vitest";
import { readPriceTables, shippedPrices } from "./price-table.ts";

test("two tables are shipped: writes at 1.25 and reads at a tenth, and writes for nothing extra", () => {
  const [one, other] = Object.values(shippedPrices);
  expect(one!.cacheWrite / one!.fresh).toBe(1.25);
  expect(one!.cacheRead / one!.fresh).toBeCloseTo(0.1);
  expect(other!.cacheWrite).toBe(other!.fresh);
  expect([one, other].map((table) => table!.cacheSeconds)).toEqual([300, 300]);
});

test("tables of one's own need four prices; the cache's life and least length have defaults", () => {
  const own = { mine: { fresh: 1, cacheWrite: 1, cacheRead: 0.5, output: 4 } };
  expect(readPriceTables(JSON.stringify(own), "p.json").mine).toEqual({
    ...own.mine,
    cacheSeconds: 300,
    cacheMinimumTokens: 1024,
  });
});

test.each([
  ["{", "not JSON"],
  ["{}", "names no table"],
  ['{"mine":{"fresh":1}}', "mine.cacheWrite is missing"],
  ['{"mine":{"fresh":-1,"cacheWrite":1,"cacheRead":1,"output":1}}', "mine.fresh must be at least 0"],
  ["[]", "names no table"],
  [
    '{"mine":{"fresh":1,"cacheWrite":1,"cacheRead":1,"output":1,"cacheSecond":1}}',
    'there is no "cacheSecond" in mine (did you mean "cacheSeconds"?)',
  ],
])("%s is refused, saying where", (text, place) => {
  expect(() => readPriceTables(text, "p.json")).toThrow(place);
});
