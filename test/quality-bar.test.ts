/** The quality bar itself: that the checks which hold it are there and switched on. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { whyUnreached } from "../scripts/reached.ts";

const read = (file: string): string => readFileSync(join(import.meta.dirname, "..", file), "utf8");

test("[F16] coverage is held at 95 % of the lines, and CI checks tests, types and lint", () => {
  expect(read("vitest.config.ts")).toContain("thresholds: { lines: 95 }");
  const { coverage, torture } = JSON.parse(read("package.json")).scripts;
  expect(coverage).toBe("vitest run --coverage");
  expect(torture).toMatch(/^npm run coverage && /);
  for (const command of ["npm test", "lint", "types"]) expect(read(".ci/run")).toContain(command);
});

test("[F68] surprisal is measured in the bench and asked by no preset; the cheap measures are reached", () => {
  expect(read("bench/salience.ts")).toContain('name: "surprisal"');
  const sources = globSync("src/**/*.ts", { cwd: join(import.meta.dirname, "..") });
  expect(sources.filter((file) => /surprisal/i.test(read(file)))).toEqual([]);
  expect(whyUnreached("src/sources/synthorg/tf-idf.ts", "export function tfIdf")).toBeUndefined();
});
