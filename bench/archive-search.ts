/** Asking the archive, candidates, ranking and snippets, against the plain FTS5 query with the same words and scope. */
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { matchAnyWord } from "../src/archive/sqlite/match.ts";
import { messageNumbers } from "../src/archive/sqlite/message-numbers.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { readQuestion } from "../src/recall/question.ts";
import { recallSearch } from "../src/recall/search.ts";
import { type Filled, MESSAGES_PER_WRITE, numbers, word } from "./archive-corpus.ts";
import { type Bar, bar, p95 } from "./bar.ts";

export interface SearchKind {
  readonly name: string;
  /** Only in this one, counted from 0. */
  readonly conversation?: number;
  /** The question has a path as well, of which FTS5 is asked only for the words. */
  readonly withPath?: boolean;
}

const QUERIES = 60;
const LIMIT = 50;

export async function searchBar({ file, messages, seconds }: Filled, kind: SearchKind): Promise<Bar> {
  const { name, conversation, withPath } = kind;
  const archive = sqliteArchive({ file });
  const raw = new DatabaseSync(file, { readOnly: true });
  raw.exec("PRAGMA cache_size = -16000");
  // Ordered by `rank` it is half as fast.
  const statement = raw.prepare(
    `SELECT rowid, bm25(words) AS score FROM words WHERE words MATCH ?${conversation === undefined ? "" : " AND rowid BETWEEN ? AND ?"}
     ORDER BY score LIMIT ?`,
  );
  const range = conversation === undefined ? [] : messageNumbers(conversation + 1);
  const scope = conversation === undefined ? {} : { conversationId: `conversation-${conversation}` };
  const random = numbers(99);
  const [ours, plain]: [number[], number[]] = [[], []];
  for (let query = 0; query < QUERIES; query++) {
    const words = Array.from({ length: 2 + (query % 4) }, () => word(random));
    const order = Math.floor(random() * (messages / MESSAGES_PER_WRITE));
    const question = [...words, ...(withPath ? [`file-${order}-${query}.ts`] : [])].join(" ");
    const rawSearch = async (): Promise<unknown> =>
      statement.all(matchAnyWord(readQuestion(question).words)!, ...range, LIMIT);
    const ownSearch = (): Promise<unknown> => recallSearch(archive, { query: question, ...scope });
    // Whoever comes second finds the pages in memory: both come first half of the time.
    if (query % 2 === 0) plain.push(await elapsed(rawSearch));
    ours.push(await elapsed(ownSearch));
    if (query % 2 === 1) plain.push(await elapsed(rawSearch));
  }
  raw.close();
  await archive.close!();
  const [own, other] = [p95(ours), p95(plain)];
  const built = `${messages} messages, ${(statSync(file).size / 1e6).toFixed(0)} MB, built in ${seconds.toFixed(0)} s`;
  return bar(
    `archive: ${name} / plain FTS5, p95`,
    own / other,
    3,
    `${own.toFixed(1)} ms against ${other.toFixed(1)} ms; ${built}`,
  );
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
