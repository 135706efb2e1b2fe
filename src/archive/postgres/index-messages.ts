/** indexMessages: what the index holds of messages, and the messages of earlier releases indexed anew. */
import type { ArchivedMessage } from "../archive.ts";
import { saidIn } from "../own-words.ts";
import type { Query } from "./connection.ts";
import { countedTerms } from "./counted-terms.ts";
import { MESSAGE_COLUMNS, type MessageRow, messageOf } from "./read.ts";
import type { Tables } from "./schema.ts";

/** The columns of a message that searches read. */
export interface IndexColumns {
  readonly length: number;
  readonly terms: string;
  /** Nothing in it but Pith's own words: it is found by no search. */
  readonly own: boolean;
}

export function indexColumns(message: Pick<ArchivedMessage, "role" | "tools" | "text">): IndexColumns {
  const { vector, length } = countedTerms(message.text);
  return { length, terms: vector, own: saidIn(message) === "" };
}

/** Messages that a release wrote which had no column `own`. Takes some minutes for a million, once. */
export async function indexOlderMessages(tables: Tables, query: Query): Promise<void> {
  for (;;) {
    const rows = await query<MessageRow & { key: string }>(
      `SELECT key, ${MESSAGE_COLUMNS} FROM ${tables.messages} WHERE own IS NULL ORDER BY key LIMIT ${PER_STEP}`,
    );
    if (rows.length === 0) return;
    const columns = rows.map((row) => indexColumns(messageOf(row)));
    await query(
      `UPDATE ${tables.messages} AS messages SET length = given.length, terms = given.terms, own = given.own
       FROM unnest($1::bigint[], $2::integer[], $3::tsvector[], $4::boolean[]) AS given (key, length, terms, own)
       WHERE messages.key = given.key`,
      [
        rows.map(({ key }) => key),
        columns.map(({ length }) => length),
        columns.map(({ terms }) => terms),
        columns.map(({ own }) => own),
      ],
    );
  }
}

/** Messages in memory at once. */
const PER_STEP = 200;
