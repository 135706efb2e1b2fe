/** findCandidates: the messages that words or fragments of a query find, texts read only for those that are given. */
import type { SQLInputValue } from "node:sqlite";
import type { Candidate, CandidateQuery, SearchScope } from "../archive.ts";
import { STEPS } from "../bm25.ts";
import { type AskedTerm, askedTerms } from "../index-words.ts";
import {
  type FoundMessage,
  foldedText,
  mostHolders,
  offerCandidates,
  rankHolders,
  wantedFragments,
} from "../offer-candidates.ts";
import { saidIn } from "../own-words.ts";
import type { Sql } from "./connection.ts";
import { type FragmentMatch, matchAnyWord, matchFragment } from "./match.ts";
import { messageNumbers } from "./message-numbers.ts";
import { MESSAGE_COLUMNS, type MessageRow, messageOfRow, OF_TENANT } from "./rows.ts";

/** @param file where the archive is, for errors */
export function findCandidates(
  sql: Sql,
  file: string,
  { words, fragments, limit, scope = {} }: CandidateQuery,
): readonly Candidate[] {
  const filter = filterOf(sql, scope);
  if (!filter || limit < 1) return [];
  const read = reader(sql, file);
  const search = { limit, filter, read };
  const terms = askedTerms(words);
  const wordScores = findWords(sql, terms, search);
  const wanted = wantedFragments(fragments);
  const holders = new Map(wanted.map((fragment) => [fragment, findHolders(sql, fragment, search)]));
  const { best, rarities } = rankHolders(holders, limit, (one, other) => other - one);
  const found = [...new Set([...wordScores.keys(), ...best])].map((number) => ({
    ...read(number).message,
    wordScore: wordScores.get(number) ?? 0,
  }));
  return offerCandidates(found, terms, rarities);
}

/** For each message that is given, so many rows are looked at: some are Pith's own words, some have only parts of a fragment. */
const LOOKED_AT = 20;

/** The scope as SQL on the rows of an index. */
interface Filter {
  readonly from: (index: IndexName) => string;
  readonly values: readonly SQLInputValue[];
}

type IndexName = FragmentMatch["table"];

/** Undefined when nothing can be in the scope. */
function filterOf(sql: Sql, scope: SearchScope): Filter | undefined {
  const { conversation, tenant, without = [], roles, tool, since, until } = scope;
  const values: SQLInputValue[] = [];
  let range = "";
  if (conversation !== undefined) {
    const row = sql("SELECT number FROM conversations WHERE id = ?").get(conversation);
    if (!row) return undefined;
    range = " AND rowid BETWEEN ? AND ?";
    values.push(...messageNumbers(Number(row.number)));
  }
  const conditions: string[] = [];
  const demand = (condition: string, value: SQLInputValue | undefined): void => {
    if (value === undefined) return;
    conditions.push(` AND ${condition}`);
    values.push(value);
  };
  demand(`messages.conversation IN (${OF_TENANT})`, tenant);
  demand(
    `messages.item NOT IN (SELECT number FROM items WHERE id IN (SELECT value FROM json_each(?)))`,
    without.length > 0 ? JSON.stringify(without) : undefined,
  );
  demand("messages.role IN (SELECT value FROM json_each(?))", roles && JSON.stringify(roles));
  demand("EXISTS (SELECT 1 FROM json_each(messages.tools) WHERE value = ?)", tool);
  demand("messages.at >= ?", since);
  demand("messages.at <= ?", until);
  // CROSS keeps SQLite from reading the messages first.
  const join = conditions.length > 0 ? "CROSS JOIN messages ON messages.number = rowid" : "";
  const from: Filter["from"] = (index) =>
    `FROM ${index} ${join} WHERE ${index} MATCH ?${range}${conditions.join("")}`.replaceAll(
      " rowid",
      ` ${index}.rowid`,
    );
  return { from, values };
}

interface Search {
  readonly limit: number;
  readonly filter: Filter;
  readonly read: Reader;
}

/** The best rows by BM25, with their scores; of equals the later written. */
function findWords(
  sql: Sql,
  terms: readonly AskedTerm[],
  { limit, filter, read }: Search,
): ReadonlyMap<number, number> {
  const match = matchAnyWord(terms.map(({ word }) => word));
  const best = new Map<number, number>();
  if (match === undefined) return best;
  const rows = sql(
    `SELECT words.rowid AS number, CAST(bm25(words) * ${STEPS} AS INTEGER) AS steps ${filter.from("words")}
     ORDER BY steps, words.rowid DESC LIMIT ?`,
  ).all(match, ...filter.values, LOOKED_AT * limit);
  for (const { number, steps } of rows) {
    if (best.size === limit) break;
    if (read(Number(number)).isSaid) best.set(Number(number), -Number(steps) / STEPS);
  }
  return best;
}

/** The newest rows that have a fragment, among those that have all its trigrams. */
function findHolders(sql: Sql, fragment: string, { limit, filter, read }: Search): readonly number[] {
  const { table, match } = matchFragment(fragment);
  const rows = sql(
    `SELECT ${table}.rowid AS number ${filter.from(table)} ORDER BY ${table}.rowid DESC LIMIT ?`,
  ).all(match, ...filter.values, LOOKED_AT * limit);
  const holders: number[] = [];
  for (const { number } of rows) {
    if (holders.length === mostHolders(limit)) break;
    const { isSaid, folded } = read(Number(number));
    if (isSaid && folded().includes(fragment)) holders.push(Number(number));
  }
  return holders;
}

interface Read {
  readonly message: Omit<FoundMessage, "wordScore">;
  /** Not all of it is Pith's own words. */
  readonly isSaid: boolean;
  readonly folded: () => string;
}

type Reader = (number: number) => Read;

/** Reads messages by number, each once. */
function reader(sql: Sql, file: string): Reader {
  const known = new Map<number, Read>();
  return (number) => {
    let found = known.get(number);
    if (!found) {
      const message = messageAt(sql, file, number);
      let folded: string | undefined;
      found = {
        message,
        isSaid: saidIn(message) !== "",
        folded: () => {
          folded ??= foldedText(message.text);
          return folded;
        },
      };
      known.set(number, found);
    }
    return found;
  };
}

function messageAt(sql: Sql, file: string, number: number): Omit<FoundMessage, "wordScore"> {
  const row = sql(
    `SELECT ${MESSAGE_COLUMNS}, conversations.id AS conversation FROM messages ` +
      "JOIN items ON items.number = messages.item " +
      "JOIN conversations ON conversations.number = messages.conversation WHERE messages.number = ?",
  ).get(number) as unknown as MessageRow & { readonly conversation: string };
  return { ...messageOfRow(file, row), conversation: row.conversation };
}
