/** Plain BM25: FTS5's own ranking of messages that have any word of the question, as a search to compare with. */
import { DatabaseSync } from "node:sqlite";
import type { Archive } from "../../src/archive/archive.ts";
import type { FoundMessage, Search } from "./measure.ts";

/** @param tokenizer FTS5's, such as "porter unicode61" */
export async function plainBm25(archive: Archive, tokenizer: string): Promise<Search> {
  const database = new DatabaseSync(":memory:");
  database.exec(`CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = '${tokenizer}')`);
  const insert = database.prepare("INSERT INTO words (rowid, text) VALUES (?, ?)");
  const rows: FoundMessage[] = [];
  const ranges = new Map<string, readonly [first: number, last: number]>();
  for (const { id: conversationId } of await archive.conversations!()) {
    const first = rows.length;
    for (const { position, text } of await archive.messages!(conversationId)) {
      insert.run(rows.length, text);
      rows.push({ conversationId, message: position });
    }
    ranges.set(conversationId, [first, rows.length - 1]);
  }
  const find = database.prepare(
    "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rank LIMIT ?",
  );
  return async ({ query, conversationId, limit }) => {
    const words = new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu));
    const match = [...words].map((word) => `"${word}"`).join(" OR ");
    const [first, last] = conversationId === undefined ? [0, rows.length] : ranges.get(conversationId)!;
    return find.all(match, first, last, limit).map(({ rowid }) => rows[Number(rowid)]!);
  };
}
