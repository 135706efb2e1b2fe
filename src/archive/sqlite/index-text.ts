/** The two indexes over messages: words and fragments. A row leaves them by the very text that it was entered with. */
import type { Sql } from "./connection.ts";

/** The text as both indexes read it: the trigram tokenizer would stop at a NUL. */
export function indexedText(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", " ") : text;
}

export function addToIndex(sql: Sql, number: bigint, text: string): void {
  const indexed = indexedText(text);
  sql("INSERT INTO words (rowid, text) VALUES (?, ?)").run(number, indexed);
  sql("INSERT INTO fragments (rowid, text) VALUES (?, ?)").run(number, indexed);
}

export function removeFromIndex(sql: Sql, number: bigint, text: string): void {
  const indexed = indexedText(text);
  sql("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)").run(number, indexed);
  sql("INSERT INTO fragments (fragments, rowid, text) VALUES ('delete', ?, ?)").run(number, indexed);
}

/** Writes both indexes anew: until then removed rows are only marked as removed, with all their terms. */
export function rewriteIndex(sql: Sql): void {
  sql("INSERT INTO words (words) VALUES ('optimize')").run();
  sql("INSERT INTO fragments (fragments) VALUES ('optimize')").run();
}
