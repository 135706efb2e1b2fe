/** Connection: one database handle, opened when first needed, its statements prepared once, locks waited for. */
import { statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { ArchiveError } from "../../errors/archive-error.ts";
import { inTransaction } from "./in-transaction.ts";
import { type DatabaseOptions, openDatabase } from "./open-database.ts";
import { isBusy, sqliteFailure } from "./sqlite-failure.ts";

/** The prepared statement of an SQL text. */
export type Sql = (text: string) => StatementSync;

export interface Connection {
  /** Runs the work at once, without a pause inside, on one state of the file. */
  readonly read: <Answer>(work: (sql: Sql) => Answer) => Promise<Answer>;
  /** The same in one transaction that holds the write lock from its start: all of it or nothing. */
  readonly write: <Answer>(work: (sql: Sql) => Answer) => Promise<Answer>;
  /** Statements that no transaction can hold. */
  readonly maintain: (work: (database: DatabaseSync) => void) => Promise<void>;
  readonly close: () => void;
}

export interface ConnectionOptions extends DatabaseOptions {
  /** How long to wait for a lock that another process holds. */
  readonly timeoutMs: number;
}

export function createConnection({ timeoutMs, ...options }: ConnectionOptions): Connection {
  const { file } = options;
  let database: DatabaseSync | undefined;
  let opened: string | undefined;
  let closed = false;
  const statements = new Map<string, StatementSync>();

  const sql: Sql = (text) => {
    let statement = statements.get(text);
    if (!statement) {
      statement = database!.prepare(text);
      statements.set(text, statement);
    }
    return statement;
  };

  const disconnect = (): void => {
    statements.clear();
    database?.close();
    database = undefined;
  };

  /** Someone may remove the file or put another in its place: what was written to the old one would be lost with it. */
  const connected = (): DatabaseSync => {
    if (database && opened !== identityOf(file)) disconnect();
    if (!database) {
      database = openDatabase(options);
      opened = identityOf(file);
    }
    return database;
  };

  /** While others hold the lock this process goes on with its other work. */
  const whenFree = async <Answer>(
    work: (database: DatabaseSync) => Answer,
    consequence = "",
  ): Promise<Answer> => {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      if (closed) throw new ArchiveError(file, `The archive ${file} is closed: open it again.`);
      try {
        return work(connected());
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) {
          throw sqliteFailure(file, error, consequence);
        }
      }
      await sleep(PAUSE_MS);
    }
  };

  return {
    read: (work) => whenFree((open) => inTransaction(open, "read", () => work(sql))),
    write: (work) =>
      whenFree((open) => inTransaction(open, "write", () => work(sql)), " Nothing was changed."),
    maintain: (work) => whenFree(work),
    close: () => {
      closed = true;
      disconnect();
    },
  };
}

const PAUSE_MS = 5;

/** Differs for another file of the same name; undefined when there is none. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
