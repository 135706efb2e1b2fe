/** sqliteArchive: an Archive in one SQLite file, safe under several processes at once. The default. */
import "../needed-node.ts";
import { resolve } from "node:path";
import { ArchiveError } from "../errors/archive-error.ts";
import type {
  ArchivedMessage,
  Checkpoint,
  CompactionRecord,
  PithArchive,
  Removed,
  StoredItem,
} from "./archive.ts";
import { maskOnce, type OnMasked, tellMasked } from "./mask-once.ts";
import { readyWrite } from "./ready-write.ts";
import { backupFile } from "./sqlite/backup-file.ts";
import { createConnection, type Sql } from "./sqlite/connection.ts";
import { findCandidates } from "./sqlite/find-candidates.ts";
import {
  countErasure,
  type Erasing,
  erasuresIn,
  forgetConversation,
  forgetItems,
  forgetTenant,
  retainConversations,
} from "./sqlite/forget.ts";
import { maskOlder } from "./sqlite/mask-older.ts";
import { putWrite } from "./sqlite/put-write.ts";
import {
  compactionOfRow,
  ITEM_COLUMNS,
  type ItemRow,
  itemOfRow,
  MESSAGE_COLUMNS,
  type MessageRow,
  messageOfRow,
  OF_TENANT,
  type PackedCompaction,
} from "./sqlite/rows.ts";
import { demandScrub, isScrubDemanded, scrub } from "./sqlite/scrub.ts";
import { statFile } from "./sqlite/stat-file.ts";
import { verifyFile } from "./sqlite/verify-file.ts";
import { isOfUnlisted, UNLISTED_PREFIX } from "./unlisted.ts";

export interface SqliteArchiveOptions {
  /** Path of the file; it and its folder are created if missing. @default ".pith/archive.sqlite" */
  readonly file?: string;
  /** Opens read-only: a missing file is not created, and nothing is written. @default false */
  readonly readOnly?: boolean;
  /** How long to wait while other processes write. Increase it for many writers on a slow disk. @default 10_000 */
  readonly timeoutMs?: number;
  /** The file never grows beyond this; a write that would exceed it is rejected. @default limited by the disk only */
  readonly maxFileBytes?: number;
  /** The clock for the date that a forgotten item shows. @default Date.now */
  readonly now?: () => number;
  /** Called when secrets from an earlier version were masked. @default one line on stderr */
  readonly onMasked?: OnMasked;
}

/** The file is opened with the first call, so that a problem with it is that call's error. */
export function sqliteArchive({
  file = ".pith/archive.sqlite",
  readOnly = false,
  timeoutMs = 10_000,
  maxFileBytes,
  now = Date.now,
  onMasked = tellMasked(file),
}: SqliteArchiveOptions = {}): PithArchive {
  const path = resolve(file);
  const connection = createConnection({
    file: path,
    readOnly,
    timeoutMs,
    ...(maxFileBytes !== undefined && { maxFileBytes }),
  });

  const masked = maskOnce(async () => (readOnly ? 0 : maskOlder(connection)), onMasked);

  const getItem = (sql: Sql, id: string): StoredItem | undefined => {
    const row = sql(`SELECT ${ITEM_COLUMNS} FROM items WHERE id = ?`).get(id);
    return row && itemOfRow(file, row as unknown as ItemRow);
  };

  const checkpointOf = (sql: Sql, conversation: string): Checkpoint | undefined => {
    const row = sql(
      `SELECT checkpoints.at, items.* FROM checkpoints JOIN items ON items.number = checkpoints.item
         WHERE conversation = (SELECT number FROM conversations WHERE id = ?) AND forgotten_at IS NULL
         ORDER BY at DESC, items.number DESC LIMIT 1`,
    ).get(conversation);
    if (!row) return undefined;
    return { conversation, at: Number(row.at), state: itemOfRow(file, row as unknown as ItemRow).content };
  };

  /** Erases in one transaction, then sees to it that no page of any file holds the erased text any longer. */
  const erase = async (work: (erasing: Erasing) => Removed, isCounted = true): Promise<Removed> => {
    const { removed, isLeft } = await connection.write((sql) => {
      const result = work({ sql, at: now() });
      if (result.conversations + result.items > 0) {
        demandScrub(sql);
        if (isCounted) countErasure(sql);
      }
      return { removed: result, isLeft: isScrubDemanded(sql) };
    });
    if (isLeft) await scrubbed();
    return removed;
  };

  const scrubbed = (): Promise<void> =>
    scrub(connection).catch((cause: Error) => {
      throw new ArchiveError(
        file,
        `It is erased and found no more, but copies are still in unused parts of ${file}: ${cause.message} ` +
          "They go when forget or retain is run again, or when the archive is next opened.",
        { cause },
      );
    });

  return {
    name: file,
    put: async (given) => {
      const write = readyWrite(file, given);
      await masked();
      await connection.write((sql) => putWrite(sql, file, write));
    },
    get: (id) => connection.read((sql) => getItem(sql, id)),
    getMany: (ids) => connection.read((sql) => ids.map((id) => getItem(sql, id))),
    held: (holder, ids) =>
      connection.read((sql) => {
        const isOne = typeof holder === "string";
        const owner = sql(
          `SELECT 1 FROM owners WHERE item = (SELECT number FROM items WHERE id = ?)
             AND conversation IN (${isOne ? "SELECT number FROM conversations WHERE id = ?" : OF_TENANT}) LIMIT 1`,
        );
        return new Set(ids.filter((id) => owner.get(id, isOne ? holder : holder.tenant)));
      }),
    candidates: (query) => connection.read((sql) => findCandidates(sql, file, query)),
    messages: (conversation, { from = 0, to = Number.MAX_SAFE_INTEGER } = {}) =>
      connection.read((sql): readonly ArchivedMessage[] =>
        sql(
          `SELECT ${MESSAGE_COLUMNS} FROM messages JOIN items ON items.number = messages.item
             WHERE conversation = (SELECT number FROM conversations WHERE id = ?)
               AND position BETWEEN ? AND ? ORDER BY position, messages.number`,
        )
          .all(conversation, from, to)
          .map((row) => messageOfRow(file, row as unknown as MessageRow)),
      ),
    conversations: () =>
      connection.read((sql) =>
        sql(
          `SELECT id, first_at, last_at,
               (SELECT count(*) FROM messages WHERE conversation = conversations.number) AS messages,
               (SELECT count(*) FROM compactions WHERE conversation = conversations.number) AS compactions
             FROM conversations WHERE substr(id, 1, ?) <> ? ORDER BY number`,
        )
          .all(UNLISTED_PREFIX.length, UNLISTED_PREFIX)
          .map((row) => ({
            id: String(row.id),
            messages: Number(row.messages),
            compactions: Number(row.compactions),
            firstAt: Number(row.first_at),
            lastAt: Number(row.last_at),
          })),
      ),
    compactions: (conversation) =>
      connection.read((sql): readonly CompactionRecord[] =>
        sql(
          `SELECT id, hash, codec, bytes FROM compactions
             WHERE conversation = (SELECT number FROM conversations WHERE id = ?) ORDER BY at, number`,
        )
          .all(conversation)
          .map((row) => compactionOfRow(file, row as unknown as PackedCompaction)),
      ),
    compaction: (id) =>
      connection.read((sql) => {
        const row = sql("SELECT id, hash, codec, bytes FROM compactions WHERE id = ?").get(id);
        return row && compactionOfRow(file, row as unknown as PackedCompaction);
      }),
    checkpoint: (conversation) => connection.read((sql) => checkpointOf(sql, conversation)),
    checkpoints: (conversations) =>
      connection.read((sql) => [...new Set(conversations)].flatMap((name) => checkpointOf(sql, name) ?? [])),
    forget: (what) =>
      erase((erasing) => {
        if ("conversation" in what) return forgetConversation(erasing, what.conversation);
        return "tenant" in what ? forgetTenant(erasing, what.tenant) : forgetItems(erasing, what.ids);
      }, !isOfUnlisted(what)),
    retain: (retention) => erase((erasing) => retainConversations(erasing, retention)),
    erasures: () => connection.read(erasuresIn),
    verify: () => verifyFile(connection, file),
    stat: () => connection.read((sql) => statFile(sql, path)),
    backup: (copy) => backupFile(connection, resolve(copy)),
    maskOlder: masked,
    close: async () => connection.close(),
  };
}
