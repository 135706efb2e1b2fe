/** maskOlder: masks what earlier versions wrote in clear, in small steps so that others may work, and leaves no copy of it. */
import { setImmediate } from "node:timers/promises";
import { maskText } from "../../redact/mask-json.ts";
import { maskContent } from "../masked-item.ts";
import { type PackedText, packText, unpackText } from "../packed-text.ts";
import type { Connection, Sql } from "./connection.ts";
import { addToIndex, removeFromIndex } from "./index-text.ts";
import { columnOf, type ItemRow, listOf } from "./rows.ts";
import { demandScrub, isScrubDemanded, scrub } from "./scrub.ts";

/** How many items and messages had secrets. A process that dies in between leaves the rest to the next. */
export async function maskOlder(connection: Connection): Promise<number> {
  const isDemanded = await connection.read(
    (sql) => sql("SELECT 1 FROM chores WHERE name = 'mask'").get() !== undefined,
  );
  if (!isDemanded) return 0;
  const count =
    (await maskRows(connection, "items", maskItem)) + (await maskRows(connection, "messages", maskMessage));
  const isLeft = await connection.write((sql) => {
    sql("DELETE FROM chores WHERE name = 'mask'").run();
    return isScrubDemanded(sql);
  });
  // Where somebody reads an older state the demand stays, and whoever opens the file next meets it.
  if (isLeft) await scrub(connection).catch(() => {});
  return count;
}

type Row = PackedText & { readonly number: number };

/** Rows of one transaction. */
const STEP = 100;

async function maskRows(
  connection: Connection,
  table: string,
  mask: (sql: Sql, row: Row) => boolean,
): Promise<number> {
  let [count, last] = [0, -1];
  for (;;) {
    const step = await connection.write((sql) => {
      const rows = sql(`SELECT * FROM ${table} WHERE number > ? ORDER BY number LIMIT ${STEP}`).all(last);
      const masked = rows.filter((row) => mask(sql, row as unknown as Row)).length;
      if (masked > 0) demandScrub(sql);
      return { masked, last: rows.length < STEP ? undefined : Number(rows.at(-1)!.number) };
    });
    count += step.masked;
    if (step.last === undefined) return count;
    last = step.last;
    await setImmediate();
  }
}

/** False where there is no secret in it; what is damaged or forgotten has no text. */
function maskItem(sql: Sql, row: Row): boolean {
  const item = row as ItemRow;
  const content = item.forgotten_at === null ? unpackText(row) : undefined;
  if (content === undefined) return false;
  const { text, masked } = maskContent(item.kind, content);
  if (masked.length === 0) return false;
  const { hash, codec, bytes } = packText(text);
  const kinds = columnOf([...listOf(item.masked), ...masked]);
  sql("UPDATE items SET masked = ?, hash = ?, codec = ?, bytes = ? WHERE number = ?").run(
    kinds,
    hash,
    codec,
    bytes,
    row.number,
  );
  return true;
}

function maskMessage(sql: Sql, row: Row): boolean {
  const said = unpackText(row);
  const { text, masked } = maskText(said ?? "");
  if (said === undefined || masked.length === 0) return false;
  removeFromIndex(sql, BigInt(row.number), said);
  const { hash, codec, bytes } = packText(text);
  sql("UPDATE messages SET hash = ?, codec = ?, bytes = ? WHERE number = ?").run(
    hash,
    codec,
    bytes,
    row.number,
  );
  addToIndex(sql, BigInt(row.number), text);
  return true;
}
