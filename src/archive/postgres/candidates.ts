/** candidates: the messages of a PostgreSQL archive that have the words or the fragments of a query, scored. */
import type { Candidate, CandidateQuery } from "../archive.ts";
import { askedTerms } from "../index-words.ts";
import { mostHolders, offerCandidates, rankHolders, wantedFragments } from "../offer-candidates.ts";
import type { Query } from "./connection.ts";
import { holdersOf, laterFirst } from "./fragment-holders.ts";
import { MESSAGE_COLUMNS, type MessageRow, messageOf } from "./read.ts";
import type { Tables } from "./schema.ts";
import { scoreWords } from "./word-scores.ts";

export async function candidates(
  tables: Tables,
  query: Query,
  asked: CandidateQuery,
): Promise<readonly Candidate[]> {
  const { words, fragments, limit, scope } = asked;
  if (limit <= 0) return [];
  const terms = askedTerms(words);
  const wordScores = await scoreWords(tables, query, asked, terms);
  const most = mostHolders(limit);
  const holders = await holdersOf(tables, query, wantedFragments(fragments), { scope, most });
  const { best, rarities } = rankHolders(holders, limit, laterFirst);
  const keys = [...new Set([...wordScores.keys(), ...best.map(({ key }) => key)])];
  if (keys.length === 0) return [];
  const rows = await query<MessageRow & { key: string; conversation: string }>(
    `SELECT messages.key, conversations.name AS conversation, ${MESSAGE_COLUMNS}
     FROM ${tables.messages} AS messages
     JOIN ${tables.conversations} AS conversations ON conversations.key = messages.conversation
     WHERE messages.key = ANY($1::bigint[])`,
    [keys],
  );
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const found = keys.flatMap((key) => {
    const row = byKey.get(key);
    if (!row) return [];
    return [{ ...messageOf(row), conversation: row.conversation, wordScore: wordScores.get(key) ?? 0 }];
  });
  return offerCandidates(found, terms, rarities);
}
