/** The yardstick of appending: the same rows into the same tables and indexes, without hashes and compression. */
import type { DatabaseSync } from "node:sqlite";
import type { ArchiveWrite } from "../src/archive/archive.ts";
import { openDatabase } from "../src/archive/sqlite/open-database.ts";

/** Opens a file as the archive does, with the same durability; gives a function that writes, a transaction each time. */
export function plainInsert(file: string): {
  readonly insert: (write: ArchiveWrite) => void;
  readonly close: () => void;
} {
  const database: DatabaseSync = openDatabase({ file, readOnly: false });
  const noHash = Buffer.alloc(32);
  const conversation = database.prepare(
    "INSERT INTO conversations (id, first_at, last_at, next_message) VALUES (?, 0, 0, 0) " +
      "ON CONFLICT (id) DO UPDATE SET last_at = 0 RETURNING number",
  );
  const item = database.prepare("INSERT INTO items (id, kind, hash, codec, bytes) VALUES (?, ?, ?, 0, ?)");
  const owner = database.prepare("INSERT INTO owners (conversation, item) VALUES (?, ?)");
  const message = database.prepare(
    "INSERT INTO messages (number, conversation, position, item, role, at, hash, codec, bytes) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)",
  );
  const words = database.prepare("INSERT INTO words (rowid, text) VALUES (?, ?)");
  const fragments = database.prepare("INSERT INTO fragments (rowid, text) VALUES (?, ?)");
  return {
    insert: (write) => {
      database.exec("BEGIN IMMEDIATE");
      const number = Number(conversation.get(write.conversation)!.number);
      for (const [index, { id, kind, content }] of write.items.entries()) {
        const row = Number(item.run(id, kind, noHash, Buffer.from(content)).lastInsertRowid);
        owner.run(number, row);
        const { position, role, at, text } = write.messages![index]!;
        const rowid = BigInt(number) * 16_777_216n + BigInt(position);
        message.run(rowid, number, position, row, role, at, noHash, Buffer.from(text));
        words.run(rowid, text);
        fragments.run(rowid, text);
      }
      database.exec("COMMIT");
    },
    close: () => database.close(),
  };
}
