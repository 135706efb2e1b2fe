import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder, runPith } from "./run-pith.ts";

const example = join(import.meta.dirname, "../examples/coding-session.json");

test("pith replay prints what every strategy costs, draws it, and gives it as JSON", async () => {
  await inTemporaryFolder(async (folder) => {
    const plain = await runPith(["replay", example, "--window", "16000", "--plot", "plot.svg"], { folder });
    expect(plain.exitCode).toBe(0);
    const lines = plain.stdout.trim().split("\n");
    expect(lines[0]).toMatch(/^strategy +failed +compactions/);
    expect(lines.map((line) => line.split(" ")[0])).toEqual(
      expect.arrayContaining(["nothing", "balanced", "keep-recent", "truncate-tool-output"]),
    );
    expect(readFileSync(join(folder, "plot.svg"), "utf8")).toMatch(/^<svg[\s\S]*balanced[\s\S]*<\/svg>\n$/);
    const json = await runPith(["replay", example, "--window", "16000", "--strategy", "balanced", "--json"]);
    const { results, requests } = JSON.parse(json.stdout);
    expect(requests).toBe(35);
    expect(results).toMatchObject([{ strategy: "balanced", failed: 0, brokenPrefixes: 0 }]);
  });
});

test("prices of one's own are used, and wrong ones refused by name", async () => {
  await inTemporaryFolder(async (folder) => {
    const free = { free: { fresh: 0, cacheWrite: 0, cacheRead: 0, output: 0 } };
    writeFileSync(join(folder, "prices.json"), JSON.stringify(free));
    const parameters = ["replay", example, "--window", "64000", "--strategy", "nothing", "--prices"];
    const { stdout } = await runPith([...parameters, "prices.json"], { folder });
    expect(stdout).toMatch(/free\nnothing .* 0\.0000\n/);
    writeFileSync(join(folder, "prices.json"), '{"free":{"fresh":"nothing"}}');
    const refused = await runPith([...parameters, "prices.json"], { folder });
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toContain("free.fresh");
  });
});

test("without a window, or with nothing to replay, it says what is missing", async () => {
  const unknown = await runPith(["replay", example]);
  expect(unknown).toMatchObject({ exitCode: 2, stdout: "" });
  expect(unknown.stderr).toContain("--window");
  expect(unknown.stderr).not.toContain("target");
  const empty = await runPith(["replay", "-", "--window", "8000"], {
    input: '[{"role":"user","content":"hi"}]',
  });
  expect(empty.exitCode).toBe(2);
  expect(empty.stderr).toContain("no request to replay");
});
