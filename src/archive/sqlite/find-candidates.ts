/** findCandidates: the messages that words or fragments of a query find, texts read only for those that are given. */
import type { SQLInputValue } from "node:sqlite";
import type { Candidate, CandidateQuery, SearchScope } from "../archive.ts";
import type { Sql } from "./connection.ts";
import { indexedText } from "./index-text.ts";
import { type FragmentMatch, matchAnyWord, matchFragment } from "./match.ts";
import { messageNumbers } from "./message-numbers.ts";
import { MESSAGE_COLUMNS, type MessageRow, messageOfRow } from "./rows.ts";

/** @param file where the archive is, for errors */
export function findCandidates(
  sql: Sql,
  file: string,
  { words, fragments = [], limit, scope = {} }: CandidateQuery,
): readonly Candidate[] {
  const filter = filterOf(sql, scope);
  if (!filter || limit < 1) return [];
  const wordScores = findWords(sql, words, { limit, filter });
  const wanted = [...new Set(fragments.slice(0, MAX_FRAGMENTS).map(folded))].filter((text) => text.trim());
  const rarities = findFragments(sql, wanted, { limit, filter });
  const likely = bestOf(rarities.scores, limit);
  const found = [...new Set([...wordScores.keys(), ...likely])].map((number) => {
    const candidate = candidateOf(sql, file, number);
    const text = wanted.length > 0 ? folded(candidate.text) : "";
    const fragmentScore = wanted.reduce(
      (sum, fragment) => sum + (text.includes(fragment) ? rarities.of.get(fragment)! : 0),
      0,
    );
    return { ...candidate, wordScore: wordScores.get(number) ?? 0, fragmentScore };
  });
  return found.filter(({ wordScore, fragmentScore }) => wordScore > 0 || fragmentScore > 0);
}

/** More fragments than a question has. */
const MAX_FRAGMENTS = 16;

/** The scope as SQL on the rows of an index. */
interface Filter {
  readonly from: (index: IndexName) => string;
  readonly values: readonly SQLInputValue[];
}

type IndexName = FragmentMatch["table"];

/** Undefined when nothing can be in the scope. */
function filterOf(sql: Sql, { conversation, roles, tool, since, until }: SearchScope): Filter | undefined {
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
}

/** The best rows by BM25, with their scores. */
function findWords(
  sql: Sql,
  words: readonly string[],
  { limit, filter }: Search,
): ReadonlyMap<number, number> {
  const match = matchAnyWord(words);
  if (match === undefined) return new Map();
  const rows = sql(
    `SELECT words.rowid AS number, bm25(words) AS score ${filter.from("words")} ORDER BY score LIMIT ?`,
  ).all(match, ...filter.values, limit);
  return new Map(rows.map(({ number, score }) => [Number(number), -Number(score)]));
}

interface FragmentRows {
  /** How much a fragment says: the fewer messages have it, the more. */
  readonly of: ReadonlyMap<string, number>;
  readonly scores: ReadonlyMap<number, number>;
}

/** The newest rows that have all trigrams of a fragment; whether they have the fragment, their text will tell. */
function findFragments(sql: Sql, fragments: readonly string[], { limit, filter }: Search): FragmentRows {
  const rarities = new Map<string, number>();
  const scores = new Map<number, number>();
  const most = 2 * limit;
  for (const fragment of fragments) {
    const { table, match } = matchFragment(fragment);
    const rows = sql(
      `SELECT ${table}.rowid AS number ${filter.from(table)} ORDER BY ${table}.rowid DESC LIMIT ?`,
    ).all(match, ...filter.values, most);
    const rarity = Math.log(1 + most / Math.max(1, rows.length));
    rarities.set(fragment, rarity);
    for (const { number } of rows) scores.set(Number(number), (scores.get(Number(number)) ?? 0) + rarity);
  }
  return { of: rarities, scores };
}

function bestOf(scores: ReadonlyMap<number, number>, limit: number): readonly number[] {
  return [...scores]
    .toSorted(([, left], [, right]) => right - left)
    .slice(0, limit)
    .map(([number]) => number);
}

function candidateOf(sql: Sql, file: string, number: number): Omit<Candidate, "wordScore" | "fragmentScore"> {
  const row = sql(
    `SELECT ${MESSAGE_COLUMNS}, conversations.id AS conversation FROM messages ` +
      "JOIN items ON items.number = messages.item " +
      "JOIN conversations ON conversations.number = messages.conversation WHERE messages.number = ?",
  ).get(number) as unknown as MessageRow & { readonly conversation: string };
  return { ...messageOfRow(file, row), conversation: row.conversation };
}

function folded(text: string): string {
  return indexedText(text).toLowerCase();
}
