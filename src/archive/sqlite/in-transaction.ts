/** inTransaction: work that is done whole or not at all. */
import type { DatabaseSync } from "node:sqlite";

/**
 * `read` sees one state of the file, whatever others write meanwhile. `write` takes the lock at the start, so that nothing
 * that was read inside changes before it is written.
 */
export function inTransaction<Answer>(
  database: DatabaseSync,
  kind: "read" | "write",
  work: () => Answer,
): Answer {
  database.exec(kind === "read" ? "BEGIN" : "BEGIN IMMEDIATE");
  try {
    const answer = work();
    database.exec("COMMIT");
    return answer;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // After a full disk or a failed read SQLite has rolled back already; the first error is the one to tell.
  }
}
