/** The two indexes over messages: words and fragments. A row leaves them by the very text that it was entered with. */
import type { DatabaseSync } from "node:sqlite";
import { indexedText } from "../indexed-text.ts";
import type { Connection, Sql } from "./connection.ts";

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
