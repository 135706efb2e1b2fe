/** maskOlder: masks what earlier versions wrote in clear, a batch a transaction, so that writers need not wait for all of it. */
import { maskText } from "../../redact/mask-json.ts";
import { maskContent } from "../masked-item.ts";
import { packText } from "../packed-text.ts";
import type { Connection, Query } from "./connection.ts";
import { indexColumns } from "./index-messages.ts";
import { lockForErasing } from "./locks.ts";
import { putBlobs } from "./put.ts";
import { ITEM_COLUMNS, type ItemRow, itemOf, MESSAGE_COLUMNS, type MessageRow, messageOf } from "./read.ts";
import type { Tables } from "./schema.ts";
import { storableText } from "./storable-text.ts";

const DOING = "masking secrets of an earlier version";
/** Rows of one transaction. */
const STEP = 100;

/** How many items and messages had secrets. A process that dies in between leaves the rest to the next. */
export async function maskOlder({ read, transaction }: Connection, tables: Tables): Promise<number> {
  const [demand] = await read(DOING, (query) => query(`SELECT 1 FROM ${tables.chores} WHERE name = 'mask'`));
  if (!demand) return 0;
  const inSteps = async (
    first: string,
    mask: (query: Query, last: string) => Promise<Step>,
  ): Promise<number> => {
    let [count, last]: [number, string | undefined] = [0, first];
    while (last !== undefined) {
      const from: string = last;
      const step: Step = await transaction(DOING, async (query) => {
        await lockForErasing(tables, query);
        return mask(query, from);
      });
      count += step.masked;
      last = step.last;
    }
    return count;
  };
  const items = await inSteps("", (query, last) => maskItems(tables, query, last));
  const messages = await inSteps("0", (query, last) => maskMessages(tables, query, last));
  await transaction(DOING, (query) => query(`DELETE FROM ${tables.chores} WHERE name = 'mask'`));
  return items + messages;
}

interface Step {
  readonly masked: number;
  /** The key of the last row, where there may be more. */
  readonly last: string | undefined;
}

async function maskItems(tables: Tables, query: Query, last: string): Promise<Step> {
  const rows = await query<ItemRow>(
    `SELECT ${ITEM_COLUMNS} FROM ${tables.items} AS items LEFT JOIN ${tables.blobs} USING (hash)
     WHERE id > $1 ORDER BY id LIMIT ${STEP}`,
    [last],
  );
  const changed = rows.flatMap((row) => {
    // What is damaged or forgotten has no text.
    const item = itemOf(row);
    const { text, masked } = maskContent(row.kind, item?.content ?? "");
    if (!item || masked.length === 0) return [];
    return [
      { ...item, content: text, masked: [...item.masked, ...masked], ...packText(text), old: row.hash! },
    ];
  });
  await putBlobs(tables, query, changed);
  for (const { id, hash, masked } of changed) {
    const kinds = JSON.stringify(masked.map(storableText));
    await query(`UPDATE ${tables.items} SET hash = $2, masked = $3 WHERE id = $1`, [id, hash, kinds]);
  }
  await query(
    `DELETE FROM ${tables.blobs} AS blobs WHERE hash = ANY($1::bytea[])
       AND NOT EXISTS (SELECT FROM ${tables.items} AS items WHERE items.hash = blobs.hash)`,
    [changed.map(({ old }) => old)],
  );
  return { masked: changed.length, last: rows.length < STEP ? undefined : rows.at(-1)!.id };
}

async function maskMessages(tables: Tables, query: Query, last: string): Promise<Step> {
  const rows = await query<MessageRow & { key: string }>(
    `SELECT key, ${MESSAGE_COLUMNS} FROM ${tables.messages} WHERE key > $1 ORDER BY key LIMIT ${STEP}`,
    [last],
  );
  let count = 0;
  for (const row of rows) {
    const message = messageOf(row);
    const { text, masked } = maskText(message.text);
    if (masked.length === 0) continue;
    const { length, terms, own } = indexColumns({ ...message, text });
    await query(
      `UPDATE ${tables.messages} SET text = $2, length = $3, terms = $4::tsvector, own = $5 WHERE key = $1`,
      [row.key, storableText(text), length, terms, own],
    );
    count++;
  }
  return { masked: count, last: rows.length < STEP ? undefined : rows.at(-1)!.key };
}
