/** scoreWords: BM25 over the stems of a query, computed for the messages that have its rarest words. */
import type { CandidateQuery } from "../archive.ts";
import type { Scores } from "./candidates.ts";
import type { Query } from "./connection.ts";
import type { Tables } from "./schema.ts";
import { newValues, scopeCondition } from "./scope.ts";
import { wordsOf } from "./words.ts";

/** More words than a person would ever ask for. */
const MAX_WORDS = 64;
/** So many messages are scored at most. The rare words of a query choose them; its common words only add to scores. */
const MAX_SCORED = 10_000;

/** The scores of the best `limit` messages, and those of the messages `also`, as far as they have a rare word. */
export async function scoreWords(
  tables: Tables,
  query: Query,
  asked: CandidateQuery,
  also: readonly string[],
): Promise<Scores> {
  const terms = await termsOf(tables, query, asked);
  const choosing = rarest(terms);
  if (choosing.length === 0) return new Map();
  const values = newValues();
  const chosen = `${values.value(choosing.map(({ term }) => term).join(" | "))}::tsquery`;
  const within = scopeCondition(tables, values, asked.scope);
  const weighted = `unnest(${values.value(terms.map(({ term }) => term))}::tsquery[],
    ${values.value(terms.map(({ rarity }) => rarity))}::float8[]) AS asked (term, rarity)`;
  // subtle: ts_rank with equal weights is the sum of 1/n² over the n occurrences of a term, divided by π²/6. That sum is
  // close to π²/6 - 1/(n + ½), so the count, which tsvector has no function for, comes back from the rank. Adding an
  // empty vector unpacks a large one once, not once a term.
  const rows = await query<{ key: string; score: number }>(
    `WITH pool AS (
       SELECT key, length, terms FROM ${tables.messages} WHERE terms @@ ${chosen} AND ${within} LIMIT ${MAX_SCORED}
     ), scored AS (
       SELECT key, (
         SELECT sum(rarity * 2.2 * count / (count + 1.2 * (0.25 + 0.75 * length / average)))
         FROM ${weighted},
           LATERAL (SELECT ts_rank('{1,1,1,1}', unpacked, term)::float8 AS rank) AS ranked,
           LATERAL (SELECT 1 / (1.6449340668 * (1 - least(rank, 0.998))) - 0.5 AS count) AS counted
         WHERE rank > 0
       ) AS score
       FROM pool, (SELECT greatest(avg(length), 1) AS average FROM pool) AS lengths,
         LATERAL (SELECT terms || ''::tsvector AS unpacked OFFSET 0) AS vectors
     ), placed AS (
       SELECT key, score, row_number() OVER (ORDER BY score DESC, key DESC) AS place FROM scored
     )
     SELECT key, score FROM placed
     WHERE place <= ${values.value(asked.limit)}::float8 OR key = ANY(${values.value(also)}::bigint[])`,
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

/** The stems of the query that occur at all, with how rare they are in the scope. */
async function termsOf(
  tables: Tables,
  query: Query,
  { words, scope }: CandidateQuery,
): Promise<readonly Term[]> {
  const asked = [...new Set(words.flatMap(wordsOf))].slice(0, MAX_WORDS);
  if (asked.length === 0) return [];
  const values = newValues();
  const within = scopeCondition(tables, values, scope);
  const counted = (condition: string): string =>
    `(SELECT count(*)::float8 FROM (SELECT FROM ${tables.messages} WHERE ${condition} LIMIT ${MAX_SCORED}) AS found)`;
  const branches = asked.map((word) => {
    const term = `plainto_tsquery('${tables.words}', ${values.value(word)})`;
    return `SELECT ${term}::text AS term, ${counted(`terms @@ ${term} AND ${within}`)} AS holders`;
  });
  const everything = `greatest((SELECT reltuples FROM pg_class WHERE oid = '${tables.messages}'::regclass), ${counted("true")})`;
  const rows = await query<{ term: string; holders: number; messages: number }>(
    `SELECT DISTINCT term, holders, ${everything} AS messages FROM (${branches.join(" UNION ALL ")}) AS terms
     WHERE holders > 0`,
    values.list,
  );
  return rows.map(({ term, holders, messages }) => ({
    term,
    holders,
    rarity: Math.log(1 + (Math.max(messages, holders) - holders + 0.5) / (holders + 0.5)),
  }));
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
