/** Checks the packed tarball as a user gets it: its metadata, its types, every subpath and the `pith` program. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { projectRoot } from "./listed-tests.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifest: Manifest = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "pith-package-"));
try {
  const tarball = pack();
  run("node_modules/publint/src/cli.js", [tarball, "--strict"]);
  run("node_modules/@arethetypeswrong/cli/dist/index.js", [
    tarball,
    "--profile",
    "esm-only",
    "--no-emoji",
    "-f",
    "table-flipped",
  ]);
  install(tarball);
  importEverySubpath();
  runProgram();
} finally {
  rmSync(folder, { recursive: true });
}

/** dist/ is built already; npm's own scripts need not build it again. */
function pack(): string {
  const output = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: projectRoot,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const packed = JSON.parse(output) as
    | { filename: string; files: { path: string }[] }[]
    | Record<string, never>;
  const [{ filename, files }] = (Array.isArray(packed) ? packed : Object.values(packed)) as [
    { filename: string; files: { path: string }[] },
  ];
  const stray = files.filter(({ path }) => /\.test\.|\.tgz$|^(src|test|node_modules)\//.test(path));
  if (stray.length > 0) throw new Error(`The tarball holds ${stray.map(({ path }) => path).join(", ")}.`);
  process.stderr.write(`packed ${files.length} files\n`);
  return join(folder, filename);
}

/** Unpacked where npm would put it, beside the dependencies it declares and nothing else: no network needed. */
function install(tarball: string): void {
  const home = join(folder, "node_modules", manifest.name);
  mkdirSync(home, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", home, "--strip-components=1"]);
  for (const name of Object.keys(manifest.dependencies)) {
    const place = join(folder, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(projectRoot, "node_modules", name), place);
  }
}

function importEverySubpath(): void {
  const subpaths = Object.keys(manifest.exports).filter((subpath) => subpath !== "./package.json");
  const script = subpaths.map((subpath) => {
    const specifier = JSON.stringify(join(manifest.name, subpath));
    return `const names = Object.keys(await import(${specifier})); if (names.length === 0) throw new Error(${specifier});`;
  });
  const file = join(folder, "import-all.mjs");
  writeFileSync(file, script.map((line) => `{ ${line} }`).join("\n"));
  execFileSync(process.execPath, [file], { cwd: folder, stdio: "inherit" });
  process.stderr.write(`imported ${subpaths.join(", ")}\n`);
}

function runProgram(): void {
  const program = join(folder, "node_modules", manifest.name, manifest.bin.pith!);
  const version = execFileSync(process.execPath, [program, "--version"], { encoding: "utf8" }).trim();
  if (version !== manifest.version)
    throw new Error(`pith --version says ${version}, not ${manifest.version}.`);
  if (!readFileSync(program, "utf8").startsWith("#!/usr/bin/env node\n"))
    throw new Error("The program has no shebang.");
  process.stderr.write(`pith --version says ${version}\n`);
  // The inspector's page must have been built and packed.
  const page = join(folder, "page.html");
  const session = join(projectRoot, "examples", "coding-session.json");
  execFileSync(process.execPath, [program, "inspect", session, "--export", page], { stdio: "inherit" });
  if (!readFileSync(page, "utf8").includes("</html>")) throw new Error("The exported page is not whole.");
}

function run(program: string, parameters: readonly string[]): void {
  execFileSync(process.execPath, [join(projectRoot, program), ...parameters], {
    cwd: projectRoot,
    stdio: "inherit",
  });
}
