/** Pith beside nothing but what it installs: whoever needs a package more is told the command that installs it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { optionalPackages } from "../src/errors/missing-package-error.ts";
import { installPith } from "./installed-pith.ts";

const project = mkdtempSync(join(tmpdir(), "pith-missing-"));
const nowhere = "postgres://ann:secret@127.0.0.1:9/notes";
const gatewayOnPostgres = ["--upstream", "http://127.0.0.1:9", "--port", "0", "--archive", nowhere];
let program: string;

beforeAll(() => {
  program = join(installPith(project), "dist/cli/main.js");
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function run(parameters: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, {
    cwd: project,
    encoding: "utf8",
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

test.each([
  ["mcp", ["mcp"], "@modelcontextprotocol/server@2"],
  ["recall", ["recall", "why", "--archive", nowhere], "pg@8"],
  ["gateway", ["gateway", ...gatewayOnPostgres], "pg@8"],
])(
  "pith %s says which command installs what it lacks, and nothing of a password",
  (_, parameters, install) => {
    const { status, stdout, stderr } = run([program, ...parameters]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`npm install ${install} `);
    expect(stderr).toContain(`npx -p pith -p ${install} pith`);
    expect(stderr).not.toMatch(/secret|ERR_MODULE|\n\s+at /);
  },
);

test("a library's user is told so by the first use of the archive, and only then", () => {
  const file = join(project, "app.mjs");
  writeFileSync(
    file,
    `import { postgresArchive } from "pith/archive/postgres";
     const archive = postgresArchive({ url: "${nowhere}" });
     await archive.get("pith:0").catch(({ name, code, install, message }) => console.log(JSON.stringify({ name, code, install, message })));
     await archive.close();`,
  );
  const { status, stdout, stderr } = run([file]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject({
    name: "MissingPackageError",
    code: "MISSING_PACKAGE",
    install: "pg@8",
    message: expect.stringContaining("A PostgreSQL archive needs the package pg, which is not installed."),
  });
});

test("a gateway that has the driver and writes summaries on PostgreSQL asks for its queue at the start", () => {
  symlinkSync(join(import.meta.dirname, "../node_modules/pg"), join(project, "node_modules/pg"));
  const summarizer = ["--summarizer", "http://127.0.0.1:9/v1", "--summarizer-model", "small"];
  const { status, stderr } = run([program, "gateway", ...gatewayOnPostgres, ...summarizer]);
  expect(status).toBe(2);
  expect(stderr).toContain("npm install pg-boss@12 ");
});

test("what the messages name is what the package declares and is tested with", () => {
  const { peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../package.json"), "utf8"),
  );
  for (const [name, major] of Object.entries(optionalPackages)) {
    expect([peerDependencies[name], peerDependenciesMeta[name]]).toEqual([`>=${major}`, { optional: true }]);
    expect(devDependencies[name]).toMatch(new RegExp(`^${major}\\.`));
  }
});
