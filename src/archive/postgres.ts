/** postgresArchive: an Archive in a PostgreSQL database, for many processes on many machines. */
import "../needed-node.ts";
import type { Pool } from "pg";
import type { PithArchive } from "./archive.ts";
import { maskOnce, type OnMasked, tellMasked } from "./mask-once.ts";
import { candidates } from "./postgres/candidates.ts";
import { connect } from "./postgres/connection.ts";
import { countErasure, erasures, forget, retain } from "./postgres/forget.ts";
import { maskOlder } from "./postgres/mask-older.ts";
import { migrate } from "./postgres/migrate.ts";
import { put } from "./postgres/put.ts";
import {
  checkpoints,
  compaction,
  compactions,
  conversations,
  getMany,
  held,
  messages,
} from "./postgres/read.ts";
import { tablesIn } from "./postgres/schema.ts";
import { stat } from "./postgres/stat.ts";
import { verify } from "./postgres/verify.ts";
import { readyWrite } from "./ready-write.ts";
import { isOfUnlisted } from "./unlisted.ts";

export interface PostgresArchiveOptions {
  /** `postgres://user:password@host:port/database`, with any setting that `pg` understands after a `?`. */
  readonly url?: string;
  /** Instead of `url`: your own pool, such as one with certificates. Closing the archive leaves it open. */
  readonly pool?: Pool;
  /** The schema of the tables; created if missing. Change it to keep several archives in one database. @default "pith" */
  readonly schema?: string;
  /** The clock for the date that a forgotten item shows. @default Date.now */
  readonly now?: () => number;
  /** Called when secrets from an earlier version were masked. @default one line on stderr */
  readonly onMasked?: OnMasked;
}

/** Connects when it is first used, and makes or updates its tables then. */
export function postgresArchive({
  url,
  pool,
  schema = "pith",
  now = Date.now,
  onMasked,
}: PostgresArchiveOptions): PithArchive {
  const tables = tablesIn(schema);
  const connection = connect({ url, pool, prepare: (name, query) => migrate(name, tables, query) });
  const { name, read, transaction } = connection;
  const masked = maskOnce(() => maskOlder(connection, tables), onMasked ?? tellMasked(name));
  return {
    name,
    put: async (given) => {
      const write = readyWrite(name, given);
      await masked();
      await transaction("storing", (query) => put(name, tables, query, write));
    },
    get: async (id) => (await read("reading", (query) => getMany(name, tables, query, [id])))[0],
    getMany: (ids) => read("reading", (query) => getMany(name, tables, query, ids)),
    held: (holder, ids) => read("reading", (query) => held(tables, query, holder, ids)),
    candidates: (asked) => read("searching", (query) => candidates(tables, query, asked)),
    messages: (conversation, range) =>
      read("reading messages", (query) => messages(tables, query, conversation, range)),
    conversations: () => read("listing conversations", (query) => conversations(tables, query)),
    compactions: (conversation) =>
      read("listing compactions", (query) => compactions(tables, query, conversation)),
    compaction: (id) => read("reading a compaction", (query) => compaction(tables, query, id)),
    checkpoint: async (conversation) =>
      (await read("reading a checkpoint", (query) => checkpoints(name, tables, query, [conversation])))[0],
    checkpoints: (conversations) =>
      read("reading checkpoints", (query) => checkpoints(name, tables, query, conversations)),
    forget: (what) =>
      transaction("forgetting", async (query) => {
        const removed = await forget(tables, query, what, now());
        if (removed.conversations + removed.items > 0 && !isOfUnlisted(what))
          await countErasure(tables, query);
        return removed;
      }),
    retain: (retention) => retain(connection, tables, retention, now),
    erasures: () => read("looking for erasures", (query) => erasures(tables, query)),
    verify: () => read("verifying", (query) => verify(tables, query)),
    stat: () => read("measuring its size", (query) => stat(tables, query)),
    maskOlder: masked,
    close: connection.close,
  };
}
