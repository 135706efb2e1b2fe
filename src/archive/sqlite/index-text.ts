/** The two indexes over messages: words and fragments. A row leaves them by the very text that it was entered with. */
import type { DatabaseSync } from "node:sqlite";
import type { Connection, Sql } from "./connection.ts";

/**
 * The text as both indexes read it. The trigram tokenizer would stop at a NUL. Encoded data and the middle of what is longer
 * than a book take seconds to index, and nobody asks for them; the stored text has them all the same.
 */
export function indexedText(text: string): string {
  const bounded =
    text.length <= MAX_INDEXED
      ? text
      : `${text.slice(0, (MAX_INDEXED * 3) / 4)} ${text.slice(-MAX_INDEXED / 4)}`;
  const plain = bounded.includes("\0") ? bounded.replaceAll("\0", " ") : bounded;
  return hasEncoded(plain) ? plain.replace(ENCODED, (run) => run.slice(0, ENCODED_INDEXED)) : plain;
}

const MAX_INDEXED = 2_000_000;
const ENCODED_INDEXED = 500;
/** Base64 and the like. subtle: what stands before keeps the search from starting again at each character of a run. */
const ENCODED = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_=-]{1000,}/g;
const IS_ENCODED = Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/_=-]/.test(String.fromCharCode(code)),
);

/** Whether it can have such a run: one that long fills some stretch from one multiple of half its length to the next. */
function hasEncoded(text: string): boolean {
  for (let from = 0; from + ENCODED_INDEXED < text.length; from += ENCODED_INDEXED) {
    let at = from;
    while (at <= from + ENCODED_INDEXED && IS_ENCODED[text.charCodeAt(at)]) at++;
    if (at > from + ENCODED_INDEXED) return true;
  }
  return false;
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
export function rewriteIndex(database: DatabaseSync): void {
  for (const index of INDEXES) database.exec(`INSERT INTO ${index} (${index}) VALUES ('optimize')`);
}

/** The same in steps that each write so many pages, so that others can write between them. */
export async function rewriteIndexInSteps({ write }: Connection): Promise<void> {
  for (const index of INDEXES) {
    const step = (pages: number): Promise<boolean> =>
      write((sql) => {
        const changesSoFar = (): number => Number(sql("SELECT total_changes() AS count").get()!.count);
        const before = changesSoFar();
        sql(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ?)`).run(pages);
        // FTS5 counts the command itself as one change.
        return changesSoFar() - before > 1;
      });
    // A negative number begins a merge of everything; the others go on with it.
    let isLeft = await step(-PAGES_PER_STEP);
    while (isLeft) isLeft = await step(PAGES_PER_STEP);
  }
}

const INDEXES = ["words", "fragments"] as const;
/** About a tenth of a second. */
const PAGES_PER_STEP = 500;
