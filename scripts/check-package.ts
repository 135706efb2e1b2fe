/** Checks the packed tarball as a user gets it: how much it installs, its metadata, its types, every subpath and the `pith` program. */
import { execFileSync, spawn } from "node:child_process";
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { addressesIn, pathAtHome } from "./addresses.ts";
import { projectRoot } from "./listed-tests.ts";
import { runReadme } from "./run-readme.ts";

/** What `npm install pith` brings, Pith included: a package more is a decision, not an accident. */
const MOST_PACKAGES = 16;
/** Unpacked, of all of them together; 15 on the day it was set. */
const MOST_MEGABYTES = 17;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifest: Manifest = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "pith-package-"));
const program = join(folder, "node_modules", manifest.name, manifest.bin.pith!);
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
  weighInstallation();
  importEverySubpath();
  runProgram();
  await runGateway();
  await runReadme(folder, manifest.name);
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
  const absent = linkedFiles().filter((linked) => !files.some(({ path }) => path.startsWith(linked)));
  if (absent.length > 0) throw new Error(`The README links to ${absent.join(", ")}: not in the tarball.`);
  process.stderr.write(`packed ${files.length} files\n`);
  return join(folder, filename);
}

/** What the README shows or links to, which opens for everybody from the published package. */
function linkedFiles(): readonly string[] {
  const readme = readFileSync(join(projectRoot, "README.md"), "utf8");
  return addressesIn(readme).flatMap((address) => pathAtHome(address) ?? []);
}

/** Unpacked where npm would put it, beside the dependencies it declares and nothing else: no network needed. */
function install(tarball: string): void {
  const home = join(folder, "node_modules", manifest.name);
  mkdirSync(home, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", home, "--strip-components=1"]);
  for (const name of [...Object.keys(manifest.dependencies), "@types/node"]) {
    const place = join(folder, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(projectRoot, "node_modules", name), place);
  }
}

/** Counted along the lock file, which says what npm would install. */
function weighInstallation(): void {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8")) as {
    packages: Readonly<Record<string, { dependencies?: Readonly<Record<string, string>> }>>;
  };
  const places = new Set<string>();
  const visit = (name: string, from: string): void => {
    const nested = `${from}/node_modules/${name}`;
    const place = from && nested in packages ? nested : `node_modules/${name}`;
    if (places.has(place)) return;
    places.add(place);
    for (const needed of Object.keys(packages[place]?.dependencies ?? {})) visit(needed, place);
  };
  for (const name of Object.keys(manifest.dependencies)) visit(name, "");
  const folders = [
    join(folder, "node_modules", manifest.name),
    ...[...places].map((place) => join(projectRoot, place)),
  ];
  const megabytes = folders.map(bytesIn).reduce((sum, bytes) => sum + bytes, 0) / 1e6;
  const said = `npm install ${manifest.name} brings ${folders.length} packages, ${megabytes.toFixed(1)} MB`;
  if (folders.length > MOST_PACKAGES || megabytes > MOST_MEGABYTES)
    throw new Error(`${said}: more than ${MOST_PACKAGES} and ${MOST_MEGABYTES}. ${[...places].join(", ")}`);
  process.stderr.write(`${said}\n`);
}

function bytesIn(home: string): number {
  return globSync("**/*", { cwd: home, exclude: ["node_modules"] })
    .map((path) => statSync(join(home, path)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
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
  const session = join(projectRoot, "examples", "coding-session.json");
  const version = execFileSync(process.execPath, [program, "--version"], { encoding: "utf8" }).trim();
  if (version !== manifest.version)
    throw new Error(`pith --version says ${version}, not ${manifest.version}.`);
  if (!readFileSync(program, "utf8").startsWith("#!/usr/bin/env node\n"))
    throw new Error("The program has no shebang.");
  process.stderr.write(`pith --version says ${version}\n`);
  const smaller = join(folder, "smaller.json");
  execFileSync(process.execPath, [program, "compact", session, "--target", "30%", "-o", smaller], {
    cwd: folder,
    stdio: ["ignore", "ignore", "ignore"],
  });
  if (!(statSync(smaller).size < statSync(session).size))
    throw new Error("pith compact made nothing smaller.");
  // The inspector's page must have been built and packed.
  const page = join(folder, "page.html");
  execFileSync(process.execPath, [program, "inspect", session, "--export", page], { stdio: "inherit" });
  if (!readFileSync(page, "utf8").includes("</html>")) throw new Error("The exported page is not whole.");
}

/** On a SQLite file, which is all that it has here. */
async function runGateway(): Promise<void> {
  const started = spawn(
    process.execPath,
    [program, "gateway", "--upstream", "http://127.0.0.1:9", "--port", "0"],
    { cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    started.stderr.on("data", (chunk) => {
      said += chunk;
      const found = /"url":"(http:[^"]+)"/.exec(said)?.[1];
      if (found) resolve(found);
    });
    started.on("exit", () => reject(new Error(`The gateway did not start: ${said}`)));
  });
  const { status } = await fetch(`${url}/healthz`);
  const ended = new Promise((resolve) => started.on("exit", resolve));
  started.kill();
  await ended;
  if (status !== 200) throw new Error(`The gateway's health check says ${status}.`);
  process.stderr.write("pith compact and pith gateway work beside these packages alone\n");
}

function run(checker: string, parameters: readonly string[]): void {
  execFileSync(process.execPath, [join(projectRoot, checker), ...parameters], {
    cwd: projectRoot,
    stdio: "inherit",
  });
}
