/** rebuildIndex: both indexes from nothing, out of the stored texts. */
import { unpackText } from "../packed-text.ts";
import type { Sql } from "./connection.ts";
import { addToIndex } from "./index-text.ts";
import type { MessageRow } from "./rows.ts";

/** Texts that are damaged stay out; verify names them. */
export function rebuildIndex(sql: Sql): void {
  sql("INSERT INTO words (words) VALUES ('delete-all')").run();
  sql("INSERT INTO fragments (fragments) VALUES ('delete-all')").run();
  const next = sql(
    "SELECT number, hash, codec, bytes FROM messages WHERE number > ? ORDER BY number LIMIT 1",
  );
  for (let last = -1; ; ) {
    const row = next.get(last) as unknown as MessageRow | undefined;
    if (!row) return;
    const text = unpackText(row);
    if (text !== undefined) addToIndex(sql, BigInt(row.number), text);
    last = row.number;
  }
}
