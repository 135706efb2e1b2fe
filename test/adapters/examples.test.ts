/** The examples of the adapters run, and check themselves. */
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { expect, test } from "vitest";

test.each(globSync("examples/0[3-7]-*.ts").sort())("%s runs", (file) => {
  const output = execFileSync(process.execPath, ["--import", "./test/adapters/resolve-sdks.ts", file], {
    encoding: "utf8",
  });
  expect(output).not.toBe("");
});
