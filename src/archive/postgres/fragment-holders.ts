/** holdersOf: the newest messages that have pieces of text as they are, also inside words. */
import type { SearchScope } from "../archive.ts";
import { indexWords } from "../index-words.ts";
import type { Query } from "./connection.ts";
import type { Tables } from "./schema.ts";
import { newValues, scopeCondition, type Values } from "./scope.ts";
import { storableText } from "./storable-text.ts";

export interface FragmentHolder {
  /** Text, since a bigint is. */
  readonly key: string;
  readonly conversation: string;
}

/** Of each fragment no more than `most`, the later written first; the same holder is the same object. */
export async function holdersOf(
  tables: Tables,
  query: Query,
  fragments: readonly string[],
  { scope, most }: { readonly scope?: SearchScope | undefined; readonly most: number },
): Promise<ReadonlyMap<string, readonly FragmentHolder[]>> {
  const holders = new Map<string, FragmentHolder[]>(fragments.map((fragment) => [fragment, []]));
  if (fragments.length === 0) return holders;
  const values = newValues();
  const within = scopeCondition(tables, values, scope);
  // One branch a fragment, not one join over all: the server then chooses by each fragment how to find it.
  const branches = fragments.map(
    (fragment, index) =>
      `(SELECT ${index} AS fragment, key, conversation FROM ${tables.messages}
        WHERE ${fragmentCondition(values, fragment)} AND NOT own AND ${within}
        ORDER BY conversation DESC, key DESC LIMIT ${most})`,
  );
  const rows = await query<{ fragment: number; key: string; conversation: string }>(
    branches.join(" UNION ALL "),
    values.list,
  );
  const byKey = new Map<string, FragmentHolder>();
  for (const { fragment, key, conversation } of rows) {
    const holder = byKey.get(key) ?? { key, conversation };
    byKey.set(key, holder);
    holders.get(fragments[fragment]!)!.push(holder);
  }
  return holders;
}

/** Puts the later written first. */
export function laterFirst(one: FragmentHolder, other: FragmentHolder): number {
  return Number(other.conversation) - Number(one.conversation) || Number(other.key) - Number(one.key);
}

/** Trigrams need three characters; a shorter fragment is looked for where a word starts. */
function fragmentCondition({ value }: Values, fragment: string): string {
  if ([...fragment.trim()].length >= 3) return `text ILIKE ${value(likePattern(fragment))}`;
  const [start] = indexWords(fragment);
  return start ? `terms @@ ${value(`'${start}':*`)}::tsquery` : "false";
}

function likePattern(fragment: string): string {
  return `%${storableText(fragment).replace(/[\\%_]/g, "\\$&")}%`;
}
