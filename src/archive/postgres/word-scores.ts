/** scoreWords: BM25 over the stems of a query, computed for the messages that have its rarest words. */
import type { CandidateQuery } from "../archive.ts";
import { BY_LENGTH, rarityOfTerm, SATURATION, STEPS } from "../bm25.ts";
import type { AskedTerm } from "../index-words.ts";
import type { Query } from "./connection.ts";
import { COUNT, termQuery } from "./counted-terms.ts";
import type { Tables } from "./schema.ts";
import { newValues, scopeCondition } from "./scope.ts";

/** By the key of the message, best first. A key is text, since a bigint is. */
export type WordScores = ReadonlyMap<string, number>;

/**
 * So many messages are scored at most, but for those of one conversation, and but for those with the rarest word. The rare words
 * of a query choose them; its common words only add to scores.
 */
const MAX_SCORED = 10_000;

/** The scores of the best `limit` messages; of equals the later written. */
export async function scoreWords(
  tables: Tables,
  query: Query,
  { limit, scope = {} }: CandidateQuery,
  asked: readonly AskedTerm[],
): Promise<WordScores> {
  const { terms, averageLength } = await rarities(tables, query, asked);
  const choosing = scope.conversation === undefined ? rarest(terms) : terms;
  if (choosing.length === 0) return new Map();
  const values = newValues();
  const chosen = `${values.value(choosing.map(({ term }) => term).join(" | "))}::tsquery`;
  const within = scopeCondition(tables, values, scope);
  const weighted = `unnest(${values.value(terms.map(({ term }) => term))}::tsquery[],
    ${values.value(terms.map(({ rarity }) => rarity))}::float8[]) AS asked (term, rarity)`;
  const slow = `${SATURATION} * (1 - ${BY_LENGTH} + ${BY_LENGTH} * length / ${values.value(averageLength)}::float8)`;
  // subtle: adding an empty vector unpacks a large one once, not once a term.
  const rows = await query<{ key: string; score: number }>(
    `SELECT key, steps / ${STEPS} AS score FROM (
       SELECT key, conversation, trunc(${STEPS} * (
         SELECT sum(rarity * (count * (${SATURATION} + 1) / (count + slow)))
         FROM ${weighted}, LATERAL (SELECT ${COUNT} AS count) AS counted WHERE count > 0
       )) AS steps
       FROM ${tables.messages},
         LATERAL (SELECT terms || ''::tsvector AS vector, ${slow} AS slow OFFSET 0) AS unpacked
       WHERE terms @@ ${chosen} AND NOT own AND ${within}
     ) AS scored
     ORDER BY steps DESC, conversation DESC, key DESC LIMIT ${values.value(limit)}`,
    values.list,
  );
  return new Map(rows.map(({ key, score }) => [key, score]));
}

interface Term {
  /** The stem as a tsquery. */
  readonly term: string;
  readonly holders: number;
  readonly rarity: number;
}

/** The stems that occur at all, with how rare they are among all messages, and how many words a message has. */
async function rarities(
  tables: Tables,
  query: Query,
  asked: readonly AskedTerm[],
): Promise<{ readonly terms: readonly Term[]; readonly averageLength: number }> {
  if (asked.length === 0) return { terms: [], averageLength: 1 };
  const [{ messages, words } = { messages: 0, words: 0 }] = await query<Record<"messages" | "words", number>>(
    `SELECT count(*)::float8 AS messages, sum(length)::float8 AS words FROM ${tables.messages}`,
  );
  // What more than half of all messages have is as rare as what all of them have.
  const rows = await query<{ term: string; holders: number }>(
    `SELECT term::text, (
       SELECT count(*)::float8 FROM (
         SELECT FROM ${tables.messages} WHERE terms @@ term LIMIT ${Math.ceil(messages / 2) + 1}
       ) AS found
     ) AS holders FROM unnest($1::tsquery[]) AS asked (term)`,
    [asked.map(({ term }) => termQuery(term))],
  );
  return {
    terms: rows
      .filter(({ holders }) => holders > 0)
      .map(({ term, holders }) => ({ term, holders, rarity: rarityOfTerm(messages, holders) })),
    averageLength: words / messages,
  };
}

/** The rarest terms, as many as together have no more holders than are scored; at least one. */
function rarest(terms: readonly Term[]): readonly Term[] {
  let holders = 0;
  return terms
    .toSorted((one, other) => one.holders - other.holders)
    .filter((term, index) => {
      holders += term.holders;
      return index === 0 || holders <= MAX_SCORED;
    });
}
