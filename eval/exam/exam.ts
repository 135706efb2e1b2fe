/** The exam: which recorded conversations are asked about, where each is cut, and the questions about what came before. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Question {
  /** intent, decision, state, failure, constraint, fact or next. */
  readonly kind: string;
  readonly question: string;
  /** The expected answer; the full past holds it. */
  readonly gold: string;
  /** A short quote from the past that proves it. */
  readonly evidence?: string;
}

export interface ExamCase {
  readonly id: string;
  /** Cases of one group are averaged: coding, others. */
  readonly group: string;
  /** The file of recordings, and the conversation in it. */
  readonly file: string;
  readonly conversation: string;
  /** The past ends at this message, the recorded model's own summary, whose size is the target. */
  readonly at?: number;
  /** Otherwise: the share of the messages that is the past, and the target as a share of its tokens. */
  readonly cut?: number;
  readonly ratio?: number;
  readonly questions: readonly Question[];
}

export const examFolder = join(import.meta.dirname, "../../../shared/data/exam");

/** The cases of a folder: cases.json names them, ID.json has the questions of each. All of them, or those named. */
export function readExam(folder: string, only: readonly string[] = []): readonly ExamCase[] {
  if (!existsSync(join(folder, "cases.json"))) throw new Error(`There is no exam in ${folder}.`);
  const cases = readJson(join(folder, "cases.json")) as readonly Omit<ExamCase, "questions">[];
  const unknown = only.filter((id) => !cases.some((each) => each.id === id));
  if (unknown.length > 0) throw new Error(`No case ${unknown.join(", ")} in this exam.`);
  return cases
    .filter(({ id }) => only.length === 0 || only.includes(id))
    .map((each) => ({
      ...each,
      questions: readJson(join(folder, `${each.id}.json`)) as readonly Question[],
    }));
}

export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
}

/** A file of JSON lines. */
export function readLines<Line>(file: string): readonly Line[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}
