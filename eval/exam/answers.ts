/** Answers: what the readers wrote, each part under the item that a marker knows it by. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ExamCase, type Question, readJson, readLines } from "./exam.ts";
import type { KeyLine } from "./papers.ts";

/** An entry of answers.json, as far as a reader kept to the form. */
export interface Entry {
  readonly case: string;
  readonly answers: readonly string[];
  readonly done?: readonly string[];
  readonly actions?: readonly string[];
  readonly rating?: number | string;
  readonly why?: string;
}

/** One reader's work on one case. */
export interface Reading extends KeyLine {
  readonly group: string;
  /** 1 to 5. */
  readonly rating?: number;
  readonly answers: readonly AnswerItem[];
  /** Absent where the reader was not asked, or did not say. */
  readonly going?: GoingItem;
}

export interface AnswerItem {
  /** CASE.QUESTION.READER */
  readonly item: string;
  readonly question: Question;
  readonly answer: string;
}

export interface GoingItem {
  /** CASE.go.READER */
  readonly item: string;
  readonly done: readonly string[];
  readonly actions: readonly string[];
}

export function readAnswers(out: string, cases: readonly ExamCase[]): readonly Reading[] {
  const key = readLines<KeyLine>(join(out, "key.jsonl"));
  const entries = new Map(
    [...new Set(key.map(({ reader }) => reader))].map((reader) => [reader, entriesOf(out, reader)]),
  );
  return key.flatMap((line) => {
    const each = cases.find(({ id }) => id === line.case);
    const entry = entries.get(line.reader)!.find((given) => given.case === line.case);
    return each && entry ? [readingOf(line, each, entry)] : [];
  });
}

/** Nothing where the reader has not answered yet. */
export function entriesOf(out: string, reader: number): readonly Entry[] {
  const file = answersFile(out, reader);
  if (!existsSync(file)) return [];
  const entries = readJson(file);
  if (!Array.isArray(entries)) throw new Error(`${file} holds no array of answers.`);
  return entries as readonly Entry[];
}

export function answersFile(out: string, reader: number): string {
  return join(out, `reader-${reader}`, "answers.json");
}

function readingOf(line: KeyLine, each: ExamCase, entry: Entry): Reading {
  const rating = Number(entry.rating);
  return {
    ...line,
    group: each.group,
    ...(rating >= 1 && rating <= 5 && { rating }),
    answers: each.questions.map((question, order) => ({
      item: `${each.id}.${order + 1}.${line.reader}`,
      question,
      answer: String(entry.answers?.[order] ?? "UNKNOWN"),
    })),
    ...(entry.actions && {
      going: { item: `${each.id}.go.${line.reader}`, done: entry.done ?? [], actions: entry.actions },
    }),
  };
}
