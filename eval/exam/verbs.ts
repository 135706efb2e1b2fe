/** The verbs of the exam, in the order in which they are used. Each gives the lines that it has to tell. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { saidText } from "../measure/render-messages.ts";
import { readAnswers } from "./answers.ts";
import { askOf, type Environment } from "./ask.ts";
import { askMarker } from "./ask-marker.ts";
import { askReaders } from "./ask-readers.ts";
import { compactJob, type Job, jobOf, type Outcome } from "./compact.ts";
import { contextNames, writeContexts } from "./contexts.ts";
import { type CutCase, cutCases } from "./cut-case.ts";
import { type ExamCase, readExam, readLines } from "./exam.ts";
import { readMarks } from "./marks.ts";
import { makePapers } from "./papers.ts";
import { makeSheets } from "./sheets.ts";
import { examTables } from "./table.ts";
import { writtenModel } from "./written-model.ts";

export interface ExamOptions {
  /** Where the questions are, and where the recordings are. */
  readonly exam: string;
  readonly data: string;
  /** Only these; all when empty. */
  readonly cases?: readonly string[];
  readonly ratio?: number | undefined;
  readonly presetThreshold?: boolean;
  /** A folder of prompts and the answers to them: Pith with that model is a strategy, too. */
  readonly written?: string | undefined;
  /** Every target is so many times as large. @default 1 */
  readonly times?: number | undefined;
  /** Where a reader and a marker may be named. */
  readonly environment?: Environment;
}

export interface Told {
  readonly lines: readonly string[];
  /** What a model did not answer; another run asks for that alone. */
  readonly failures?: readonly string[];
}

/** What is typed: where to, and what else. */
type Verb = (options: ExamOptions, place: string, rest: readonly string[]) => Promise<Told>;

export const verbs: Readonly<Record<string, Verb>> = { jobs, compact, papers, sheets, table };

async function jobs({ presetThreshold = false, ...options }: ExamOptions, file: string): Promise<Told> {
  const made = [...cutsOf(options)].map((cut) => jobOf(cut, { presetThreshold }));
  writeFileSync(file, jsonLines(made));
  return { lines: [`${made.length} jobs`] };
}

async function compact(
  { presetThreshold = false, ...options }: ExamOptions,
  out: string,
  named: readonly string[],
): Promise<Told> {
  mkdirSync(out, { recursive: true });
  const others = named.map(namedResults);
  const own: Outcome[] = [];
  const lines: string[] = [];
  for (const cut of cutsOf(options)) {
    const job = jobOf(cut, { presetThreshold });
    const made = await compactJob(job);
    own.push(made);
    const outcomes = new Map([
      ["pith", made],
      ...(await withModels(cut, job, options.written)),
      ...others.map(([name, results]) => [name, results.get(made.id)] as const),
    ]);
    lines.push(...writeContexts({ cut, outcomes, out, presetThreshold }));
  }
  writeFileSync(join(out, "pith.jsonl"), jsonLines(own));
  return { lines };
}

/** Pith with whoever answers by hand, and with the recorded agent's own summary as the answer. */
async function withModels(
  { case: { id }, summary }: CutCase,
  job: Job,
  folder: string | undefined,
): Promise<readonly (readonly [string, Outcome])[]> {
  if (folder === undefined) return [];
  const model = writtenModel({ folder, name: id });
  const told = summary && writtenModel({ folder, name: id, answer: saidText(summary) });
  return [
    ["pith-model", await compactJob(job, model)],
    ...(told ? [["pith-recorded", await compactJob(job, told)] as const] : []),
  ];
}

async function papers(options: ExamOptions, out: string, [count]: readonly string[]): Promise<Told> {
  const readers = Number(count);
  if (!(Number.isInteger(readers) && readers > 0)) throw new Error("papers OUT READERS: how many readers?");
  const made = makePapers(out, casesIn(options, out), readers);
  const ask = askOf("READER", options.environment ?? {});
  return {
    lines: [`${made.length} papers of ${made[0]!.sections.length} cases`],
    ...(ask && { failures: await askReaders(out, made, ask) }),
  };
}

async function sheets(options: ExamOptions, out: string): Promise<Told> {
  const cases = casesIn(options, out);
  const made = makeSheets(out, cases, readAnswers(out, cases));
  const ask = askOf("MARKER", options.environment ?? {});
  return {
    lines: [`${made.flatMap(({ items }) => items).length} items on ${made.length} sheets`],
    ...(ask && { failures: await askMarker(out, made, ask) }),
  };
}

async function table(options: ExamOptions, out: string): Promise<Told> {
  return { lines: [examTables(readAnswers(out, casesIn(options, out)), readMarks(out))] };
}

/** Those that were compacted into this folder. */
function casesIn({ exam, cases }: ExamOptions, out: string): readonly ExamCase[] {
  return readExam(exam, cases).filter((each) => contextNames(out, each).length > 0);
}

function cutsOf({ exam, data, cases, ratio, times }: ExamOptions): Generator<CutCase> {
  return cutCases({ cases: readExam(exam, cases), folder: data, ratio, times });
}

function namedResults(argument: string): readonly [string, ReadonlyMap<string, Outcome>] {
  const at = argument.indexOf("=");
  if (at <= 0) throw new Error(`${argument} is not NAME=RESULTS.jsonl.`);
  const results = readLines<Outcome>(argument.slice(at + 1));
  return [argument.slice(0, at), new Map(results.map((result) => [result.id, result]))];
}

function jsonLines(lines: readonly unknown[]): string {
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}
