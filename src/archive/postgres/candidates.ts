/** candidates: the messages of a PostgreSQL archive that have the words or the fragments of a query, scored. */
import type { Candidate, CandidateQuery } from "../archive.ts";
import type { Query } from "./connection.ts";
import { scoreFragments } from "./fragment-scores.ts";
import { MESSAGE_COLUMNS, type MessageRow, messageOf } from "./read.ts";
import type { Tables } from "./schema.ts";
import { scoreWords } from "./word-scores.ts";

/** Scores by the key of the message. A key is text, since a bigint is. */
export type Scores = ReadonlyMap<string, number>;

export async function candidates(
  tables: Tables,
  query: Query,
  asked: CandidateQuery,
): Promise<readonly Candidate[]> {
  if (asked.limit <= 0) return [];
  const fragmentScores = await scoreFragments(tables, query, asked);
  const byFragments = bestOf(fragmentScores, asked.limit);
  const wordScores = await scoreWords(tables, query, asked, byFragments);
  const keys = new Set([...bestOf(wordScores, asked.limit), ...byFragments]);
  if (keys.size === 0) return [];
  const rows = await query<MessageRow & { key: string; conversation: string }>(
    `SELECT messages.key, conversations.name AS conversation, ${MESSAGE_COLUMNS}
     FROM ${tables.messages} AS messages
     JOIN ${tables.conversations} AS conversations ON conversations.key = messages.conversation
     WHERE messages.key = ANY($1::bigint[])`,
    [[...keys]],
  );
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return [...keys].flatMap((key) => {
    const row = byKey.get(key);
    if (!row) return [];
    const scores = { wordScore: wordScores.get(key) ?? 0, fragmentScore: fragmentScores.get(key) ?? 0 };
    return [{ ...messageOf(row), conversation: row.conversation, ...scores }];
  });
}

/** The best keys, best first; of equals the later written. */
function bestOf(scores: Scores, limit: number): readonly string[] {
  return [...scores]
    .toSorted(([one, left], [other, right]) => right - left || Number(other) - Number(one))
    .slice(0, limit)
    .map(([key]) => key);
}
