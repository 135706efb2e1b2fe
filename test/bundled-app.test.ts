/** An app that uses the package, bundled into files that run without node_modules: it compacts as it does unbundled. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build as bundleWithEsbuild } from "esbuild";
import { build as bundleWithVite } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPith } from "./installed-pith.ts";

const project = mkdtempSync(join(tmpdir(), "pith-app-"));
const bundles = mkdtempSync(join(tmpdir(), "pith-bundles-"));
const entry = join(project, "app.mjs");

/** Counts before anything is awaited, compacts 81 messages, some with indented code in them, and prints what came of it. */
const app = `
  import { createCompactor } from "pith";
  import { createTokenCounter } from "pith/tokens";
  import { memoryArchive } from "pith/archive/memory";
  const counts = ["gpt-4o", "gpt-4"].map((model) => createTokenCounter({ model }).text("Hello, world"));
  const ask = "Find out why the nightly build fails, and never touch src/legacy. It runs\\n\\n    npm test -- --retry 3\\n";
  const messages = [{ role: "user", content: ask }];
  for (let step = 1; step <= 40; step++) {
    const id = "call-" + step;
    const path = "src/module-" + step + ".ts";
    const lines = Array.from({ length: 40 }, (_, line) => "export const value" + line + " = compute(" + step * line + ");");
    messages.push({
      role: "assistant",
      content: "I decided to read " + path + " next.\\n\\n    npm test -- module-" + step + "\\n",
      tool_calls: [{ id, type: "function", function: { name: "read_file", arguments: JSON.stringify({ path }) } }],
    });
    messages.push({ role: "tool", tool_call_id: id, content: lines.join("\\n") });
  }
  const compactor = createCompactor({ target: "20%", archive: memoryArchive(), clock: () => 0 });
  compactor.compact(messages).then(({ messages: output, report }) => {
    if (report.error) throw report.error;
    console.log(JSON.stringify({ counts, before: messages.length, output }));
  });
`;

interface Told {
  readonly counts: readonly number[];
  readonly before: number;
  readonly output: readonly unknown[];
}

let unbundled: Told;

beforeAll(() => {
  installPith(project);
  writeFileSync(entry, app);
  unbundled = run(entry);
});
afterAll(() => {
  for (const folder of [project, bundles]) rmSync(folder, { recursive: true, force: true });
});

test("the app compacts a long conversation to a few messages", () => {
  expect([unbundled.counts, unbundled.before]).toEqual([[3, 3], 81]);
  expect(unbundled.output.length).toBeLessThan(unbundled.before / 4);
});

test.each([
  ["esm", "app.mjs"],
  ["cjs", "app.cjs"],
] as const)("bundled by esbuild as %s it compacts the same", async (format, name) => {
  const outfile = join(bundles, "esbuild", name);
  await bundleWithEsbuild({ entryPoints: [entry], outfile, format, bundle: true, platform: "node" });
  expect(run(outfile)).toEqual(unbundled);
});

test("bundled by Vite for a server it compacts the same", async () => {
  const outDir = join(bundles, "vite");
  await bundleWithVite({
    root: project,
    configFile: false,
    logLevel: "warn",
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: "app.mjs" } },
    },
  });
  expect(run(join(outDir, "app.mjs"))).toEqual(unbundled);
});

test("no part of the library looks for a file beside its own, which a bundle does not have", async () => {
  const manifest = JSON.parse(readFileSync(join(project, "node_modules/pith/package.json"), "utf8"));
  const subpaths = Object.keys(manifest.exports).filter((subpath) => subpath !== "./package.json");
  const contents = subpaths.map((subpath, at) => `export * as part${at} from "${join("pith", subpath)}";`);
  const { outputFiles, metafile } = await bundleWithEsbuild({
    stdin: { contents: contents.join("\n"), resolveDir: project },
    bundle: true,
    external: ["pg"],
    platform: "node",
    format: "esm",
    metafile: true,
    write: false,
  });
  expect(outputFiles[0]!.text).not.toContain("import.meta");
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(imported).not.toContain("node:module");
});

function run(file: string): Told {
  return JSON.parse(execFileSync(process.execPath, [file], { cwd: bundles, encoding: "utf8" }));
}
