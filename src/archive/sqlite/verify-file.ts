/** verifyFile: every hash, every id and every table of an archive file, in small steps so that others may work. */
import { setImmediate } from "node:timers/promises";
import type { ArchiveFault, CompactionRecord, StoredItem, Verification } from "../archive.ts";
import { unpackText } from "../packed-text.ts";
import { verifyStore } from "../verify-store.ts";
import type { Connection } from "./connection.ts";
import {
  compactionOfRow,
  ITEM_COLUMNS,
  type ItemRow,
  itemOfRow,
  type MessageRow,
  type PackedCompaction,
} from "./rows.ts";

export function verifyFile(connection: Connection, file: string): Promise<Verification> {
  return verifyStore({
    items: itemsOf(connection, file),
    compactions: compactionsOf(connection, file),
    known: (ids) =>
      connection.read(
        (sql) => new Set(ids.filter((id) => sql("SELECT 1 FROM items WHERE id = ?").get(id) !== undefined)),
      ),
    ownFaults: async () => [
      ...(await damagedMessages(connection)),
      ...(await missingInIndex(connection)),
      ...(await damagedTables(connection)),
    ],
  });
}

const DAMAGED = "Its content is damaged: the hash differs.";
const STEP = 200;

/** The rows of a table by number, a step at a time. */
async function* rowsOf<Row>(connection: Connection, table: string, columns: string): AsyncGenerator<Row> {
  let last = -1;
  for (;;) {
    const rows = await connection.read((sql) =>
      sql(`SELECT ${columns} FROM ${table} WHERE number > ? ORDER BY number LIMIT ${STEP}`).all(last),
    );
    yield* rows as Row[];
    // Reading from a file never waits, and would keep this process from everything else until it is done.
    await setImmediate();
    if (rows.length < STEP) return;
    last = Number(rows.at(-1)!.number);
  }
}

async function* itemsOf(connection: Connection, file: string): AsyncGenerator<StoredItem | ArchiveFault> {
  for await (const row of rowsOf<ItemRow>(connection, "items", ITEM_COLUMNS)) {
    const isDamaged = row.forgotten_at === null && unpackText(row) === undefined;
    yield isDamaged ? { id: row.id, problem: DAMAGED } : itemOfRow(file, row);
  }
}

async function* compactionsOf(
  connection: Connection,
  file: string,
): AsyncGenerator<CompactionRecord | ArchiveFault> {
  for await (const row of rowsOf<PackedCompaction>(
    connection,
    "compactions",
    "number, id, hash, codec, bytes",
  )) {
    yield unpackText(row) === undefined ? { id: row.id, problem: DAMAGED } : compactionOfRow(file, row);
  }
}

async function damagedMessages(connection: Connection): Promise<readonly ArchiveFault[]> {
  const faults: ArchiveFault[] = [];
  const columns = "number, (SELECT id FROM items WHERE number = messages.item) AS id, hash, codec, bytes";
  for await (const row of rowsOf<MessageRow>(connection, "messages", columns)) {
    if (unpackText(row) !== undefined) continue;
    faults.push({ id: row.id, problem: "The searchable text of the message is damaged: its hash differs." });
  }
  return faults;
}

/** Messages that no search would find, and rows of the index that lead to no message. */
function missingInIndex(connection: Connection): Promise<readonly ArchiveFault[]> {
  return connection.read((sql) => {
    const unfound = sql(
      `SELECT id FROM messages JOIN items ON items.number = messages.item
         WHERE messages.number NOT IN (SELECT id FROM words_docsize) LIMIT ${STEP}`,
    ).all();
    const loose = sql(
      `SELECT id FROM words_docsize WHERE id NOT IN (SELECT number FROM messages) LIMIT ${STEP}`,
    ).all();
    return [
      ...unfound.map(({ id }) => ({ id: String(id), problem: "The message is not in the index." })),
      ...loose.map(({ id }) => ({ id: "", problem: `Row ${id} of the index leads to no message.` })),
    ];
  });
}

/** SQLite's own check of pages, indexes and references. */
function damagedTables(connection: Connection): Promise<readonly ArchiveFault[]> {
  return connection.read((sql) => {
    // subtle: FTS5 keeps a table of contents from its last query and checks by it. What others wrote since would then
    // look like damage; a query makes it read the table of contents anew.
    for (const index of ["words", "fragments"])
      sql(`SELECT rowid FROM ${index} WHERE ${index} MATCH 'abc'`).get();
    const problems = sql("PRAGMA quick_check(10)")
      .all()
      .map((row) => String(row.quick_check));
    const dangling = sql("PRAGMA foreign_key_check")
      .all()
      .map(({ table }) => `A row of ${table} refers to no row.`);
    return [...problems.filter((problem) => problem !== "ok"), ...dangling].map((problem) => ({
      id: "",
      problem,
    }));
  });
}
