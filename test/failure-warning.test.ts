/** What a developer sees of a compactor that cannot work: one warning on stderr, whoever reads the reports. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { runPith } from "./run-pith.ts";

/** Three attempts by two compactors, without the data; prints each failure's code, and whether the original came back. */
const app = `
  import { registerHooks } from "node:module";
  registerHooks({
    load: (url, context, next) =>
      url.endsWith("/o200k-base.json") ? { format: "json", source: "{}", shortCircuit: true } : next(url, context),
  });
  const { createCompactor } = await import(${JSON.stringify(import.meta.resolve("../src/index.ts"))});
  const messages = [{ role: "user", content: "Fix the build." }];
  const told = [];
  const first = createCompactor({ window: 1000 });
  for (const compactor of [first, first, createCompactor({ target: "50%" })]) {
    const result = await compactor.compact(messages, { target: "50%" });
    told.push(result.report.error?.code, result.messages === messages);
  }
  console.log(JSON.stringify(told));
`;

test("tokenizer data that cannot be read is told on stderr, once, with what to do", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", app], {
    encoding: "utf8",
  });
  const failed = ["COMPACTION_FAILED", true];
  expect(JSON.parse(stdout)).toEqual([...failed, ...failed, ...failed]);
  expect(stderr.match(/PithWarning/g)).toHaveLength(1);
  expect(stderr).toMatch(/PITH_COMPACTION_FAILED.* data for o200k_base cannot be read.* Install pith anew/);
});

test("the program tells its failures in its own words, and no other", async () => {
  const { exitCode, stderr } = await runPith(["compact", "-"], { input: '[{"role":"user","content":"Hi"}]' });
  expect([exitCode, stderr.match(/context window/g)?.length]).toEqual([2, 1]);
  expect(stderr).not.toContain("PithWarning");
});
