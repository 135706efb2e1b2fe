/** scoreFragments: which messages have pieces of text as they are, also inside words, and how rare those are. */
import type { CandidateQuery } from "../archive.ts";
import type { Scores } from "./candidates.ts";
import type { Query } from "./connection.ts";
import type { Tables } from "./schema.ts";
import { newValues, scopeCondition, type Values } from "./scope.ts";
import { storableText } from "./storable-text.ts";
import { wordsOf } from "./words.ts";

/** More fragments than a person would ever ask for. */
const MAX_FRAGMENTS = 64;
/** A fragment that more messages have says little about any of them. */
const MAX_HOLDERS = 2_000;

export async function scoreFragments(
  tables: Tables,
  query: Query,
  { fragments = [], scope }: CandidateQuery,
): Promise<Scores> {
  const values = newValues();
  const conditions = [...new Set(fragments.map((fragment) => fragment.toLowerCase()))]
    .slice(0, MAX_FRAGMENTS)
    .flatMap((fragment) => fragmentCondition(values, fragment));
  if (conditions.length === 0) return new Map();
  const within = scopeCondition(tables, values, scope);
  // One branch a fragment, not one join over all: the server then chooses by each fragment how to find it.
  const branches = conditions.map(
    (condition, index) =>
      `(SELECT ${index} AS fragment, key FROM ${tables.messages} WHERE ${condition} AND ${within} LIMIT ${MAX_HOLDERS})`,
  );
  const rows = await query<{ fragment: number; key: string }>(branches.join(" UNION ALL "), values.list);
  const holders = conditions.map(() => 0);
  for (const { fragment } of rows) holders[fragment]!++;
  const scores = new Map<string, number>();
  for (const { fragment, key } of rows) {
    const rarity = Math.log(1 + MAX_HOLDERS / holders[fragment]!);
    scores.set(key, (scores.get(key) ?? 0) + rarity);
  }
  return scores;
}

/** Trigrams need three characters; a shorter fragment is looked for where a word starts. */
function fragmentCondition({ value }: Values, fragment: string): readonly string[] {
  if ([...fragment.trim()].length >= 3) return [`text ILIKE ${value(likePattern(fragment))}`];
  const [start] = wordsOf(fragment);
  return start ? [`terms @@ ${value(`'${start}':*`)}::tsquery`] : [];
}

function likePattern(fragment: string): string {
  return `%${storableText(fragment).replace(/[\\%_]/g, "\\$&")}%`;
}
