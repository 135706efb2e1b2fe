/** Connection: a pool of connections to one PostgreSQL server, with transactions and errors that name the server. */
import type pg from "pg";
import { ArchiveError } from "../../errors/archive-error.ts";
import { OptionsError } from "../../errors/options-error.ts";
import { loadDriver } from "./driver.ts";
import { archiveFailure, isConflict, isConnectionLost } from "./failure.ts";
import { poolName, serverName } from "./server-name.ts";

/** Runs one statement; what it is given never becomes part of the statement. */
export type Query = <Row extends pg.QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>;

export interface Connection {
  readonly name: string;
  /** Only reads, so it is tried again when the connection turns out to be dead. `doing` is said in errors. */
  readonly read: <T>(doing: string, work: (query: Query) => Promise<T>) => Promise<T>;
  /** All of it or nothing. Begins again once when another transaction got in its way. */
  readonly transaction: <T>(doing: string, work: (query: Query) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

export interface ConnectionOptions {
  readonly url?: string | undefined;
  readonly pool?: pg.Pool | undefined;
  /** Done once, before anything else, in a transaction of its own; again at the next call when it failed. */
  readonly prepare: (name: string, query: Query) => Promise<void>;
}

type GetPool = () => Promise<pg.Pool>;

/** A server that does not answer is a failure after this time. */
const CONNECT_TIMEOUT_MS = 10_000;
/** So is one that falls silent in the middle. Longer than any statement takes, an index over a full table included. */
const STATEMENT_TIMEOUT_MS = 600_000;

export function connect({ url, pool: given, prepare }: ConnectionOptions): Connection {
  if ((url === undefined) === (given === undefined)) {
    throw new OptionsError("url", "A PostgreSQL archive needs either `url` or `pool`.");
  }
  const name = url === undefined ? poolName(given!.options) : serverName(url);
  // An idle connection that dies raises this; without a listener it would end the process. The pool drops it by itself.
  const ignoreIdleLoss = (): void => {};
  given?.on("error", ignoreIdleLoss);

  let own: Promise<pg.Pool> | undefined;
  const pool: GetPool = async () => {
    if (given) return given;
    own ??= ownPool(url!).then((made) => made.on("error", ignoreIdleLoss));
    return own;
  };
  let closed = false;
  let prepared: Promise<void> | undefined;
  const ready = (): Promise<void> => {
    prepared ??= transaction(pool, (query) => prepare(name, query)).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  };
  const guarded = async <T>(doing: string, work: () => Promise<T>): Promise<T> => {
    if (closed) throw new ArchiveError(name, `The archive ${name} is closed: make a new one.`);
    try {
      await ready();
      return await work();
    } catch (error) {
      throw archiveFailure(name, doing, error);
    }
  };
  return {
    name,
    read: (doing, work) => guarded(doing, () => once(isConnectionLost, () => withClient(pool, work))),
    transaction: (doing, work) => guarded(doing, () => once(isConflict, () => transaction(pool, work))),
    close: async () => {
      if (closed) return;
      closed = true;
      if (given) given.off("error", ignoreIdleLoss);
      else await (await own?.catch(() => undefined))?.end();
    },
  };
}

async function ownPool(url: string): Promise<pg.Pool> {
  const { Pool } = await loadDriver();
  return new Pool({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    application_name: "pith",
  });
}

async function transaction<T>(pool: GetPool, work: (query: Query) => Promise<T>): Promise<T> {
  return await withClient(
    pool,
    async (query) => {
      const result = await work(query);
      await query("COMMIT");
      return result;
    },
    "BEGIN",
  );
}

/** A pooled connection may have died unnoticed. The first statement finds out, and another connection takes over. */
async function withClient<T>(pool: GetPool, work: (query: Query) => Promise<T>, first?: string): Promise<T> {
  const client = await once(isConnectionLost, async () => {
    const fresh = await (await pool()).connect();
    try {
      if (first) await fresh.query(first);
      return fresh;
    } catch (error) {
      fresh.release(true);
      throw error;
    }
  });
  // A connection that dies while it is in use also raises this besides failing its statement.
  const ignoreLoss = (): void => {};
  client.on("error", ignoreLoss);
  let failed = true;
  try {
    const result = await work(
      async (text, values = []) => (await client.query(text, [...values])).rows as never,
    );
    failed = false;
    return result;
  } finally {
    client.off("error", ignoreLoss);
    // Whatever state a failure left behind ends with its connection.
    client.release(failed);
  }
}

/** Does it, and when it fails in the named way, does it a second time. */
async function once<T>(again: (error: unknown) => boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!again(error)) throw error;
    return await work();
  }
}
