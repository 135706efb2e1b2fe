/** A Node that is too old: every entry of the package says which one is needed, and so does the program. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { inTemporaryFolder, program } from "./run-pith.ts";

const root = join(import.meta.dirname, "..");
const { exports, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const needed = `Node ${engines.node.replace(">=", "")} or newer`;
const sources = Object.values<string | { readonly default: string }>(exports).flatMap((entry) =>
  typeof entry === "string" ? [] : [entry.default.replace("./dist/", "src/").replace(/js$/, "ts")],
);

/** What a Node before 22 does not have. */
const OLDER =
  "delete Promise.withResolvers; Object.defineProperty(process, 'version', { value: 'v20.20.2' })";

function runNode(flags: readonly string[]) {
  const { status, stderr } = spawnSync(process.execPath, flags, { encoding: "utf8" });
  return { status, stderr };
}

test("there are entries", () => {
  expect(sources).toContain("src/index.ts");
  expect(sources.length).toBeGreaterThan(20);
});

test.each(sources)("%s says which Node is needed before anything else fails", (source) => {
  const { href } = pathToFileURL(join(root, source));
  const { status, stderr } = runNode([
    "--import",
    `data:text/javascript,${encodeURIComponent(OLDER)}`,
    "--input-type=module",
    "--eval",
    `await import(${JSON.stringify(href)})`,
  ]);
  expect(stderr).toContain(`Error: Pith needs ${needed}, this is v20.20.2. Install a newer Node.`);
  expect(status).not.toBe(0);
});

/** As in Node 22.13 to 22.15. */
const WITHOUT_SEARCH = `
  const { prototype } = process.getBuiltinModule("node:sqlite").DatabaseSync;
  const { exec } = prototype;
  prototype.exec = function (sql) {
    if (/fts5/.test(sql)) throw Object.assign(new Error("no such module: fts5"), { errcode: 1 });
    return exec.call(this, sql);
  }`;

test.each([
  ["no SQLite", ["--no-experimental-sqlite"]],
  ["one that cannot search", ["--import", `data:text/javascript,${encodeURIComponent(WITHOUT_SEARCH)}`]],
])("an archive in a file says which Node it needs where this one has %s", (_what, flags) =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, "archive.sqlite");
    const said = `The archive ${file} needs the SQLite of Node 22.16 or newer, this is ${process.version}. Install a newer Node`;
    const input = join(root, "examples/coding-session.json");
    const run = runNode([...flags, program, "compact", input, "--target", "30%", "--archive", file]);
    expect(run).toMatchObject({ status: 4, stderr: expect.stringContaining(said) });
  }),
);

test("the program says which Node is needed, with exit code 2", () => {
  const older =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.12.0' } })";
  const flags = ["--import", `data:text/javascript,${encodeURIComponent(older)}`, program, "--version"];
  expect(runNode(flags)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`pith: ${needed} is needed`),
  });
});
