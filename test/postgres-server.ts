/** A real PostgreSQL server for tests, from an npm package, in a temporary folder on a free loopback port. */
import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { password, postgresFolder, runProgram, unpackedPostgres } from "./unpacked-postgres.ts";

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
  const unpacked = await unpackedPostgres();
  const folder = postgresFolder();
  const port = await freePort();
  const log: string[] = [];
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
    server = runProgram(unpacked, "postgres", ["-D", data, "-p", String(port), ...flags]);
    server.stdout?.on("data", (chunk) => log.push(String(chunk)));
    server.stderr?.on("data", (chunk) => log.push(String(chunk)));
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
    // Owners and permissions come along, which the server looks at.
    execFileSync("cp", ["-a", join(unpacked, "data"), data]);
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
