/** The verbs of the forty, in the order in which they are used. Each gives the lines that it has to tell. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readAnswers } from "../exam/answers.ts";
import { contextNames } from "../exam/contexts.ts";
import { type CutCase, cutCases } from "../exam/cut-case.ts";
import type { ExamCase } from "../exam/exam.ts";
import { readMarks } from "../exam/marks.ts";
import { makeSheets } from "../exam/sheets.ts";
import { examTables } from "../exam/table.ts";
import { writtenModel } from "../exam/written-model.ts";
import { renderMessages } from "../measure/render-messages.ts";
import { casesWithQuestions, fortyCases } from "./cases.ts";
import { firstQuarterText } from "./first-quarter.ts";
import { goOn } from "./go-on.ts";
import { archiveOf, makeFortyPapers } from "./papers.ts";

export interface FortyOptions {
  /** Where the questions are, and where the recordings are. */
  readonly questions: string;
  readonly data: string;
  /** @default those of cases.ts */
  readonly cases?: readonly ExamCase[];
  /** @default 40 */
  readonly compactions?: number;
  /** The window, and what is asked about, as shares of a recording. @default a quarter each */
  readonly windowShare?: number;
  readonly firstShare?: number;
  /** A folder of prompts and the answers to them: whoever answers by hand writes every story. */
  readonly written?: string | undefined;
}

type Verb = (options: FortyOptions, out: string, rest: readonly string[]) => Promise<readonly string[]>;

export const verbs: Readonly<Record<string, Verb>> = { first, contexts, papers, sheets, table };

async function first(options: FortyOptions, out: string): Promise<readonly string[]> {
  mkdirSync(join(out, "first"), { recursive: true });
  const lines: string[] = [];
  for (const cut of cutsOf(options)) {
    const text = firstQuarterText(cut);
    writeFileSync(join(out, "first", `${cut.case.id}.md`), text);
    lines.push(`${cut.case.id}: ${cut.past.length} messages, ${text.length} characters`);
  }
  return lines;
}

function cutsOf({ data, cases = fortyCases, firstShare = QUARTER }: FortyOptions): Generator<CutCase> {
  return cutCases({ cases: cases.map((each) => ({ ...each, cut: firstShare })), folder: data });
}

const QUARTER = 1 / 4;

async function contexts(options: FortyOptions, out: string): Promise<readonly string[]> {
  const { compactions: wanted = 40, windowShare = QUARTER, written } = options;
  const lines: string[] = [];
  for (const cut of cutsOf(options)) {
    const folder = join(out, cut.case.id);
    // What an earlier run left is no part of this one.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const { messages, compactions, window, tokens, saidTokens } = await goOn(cut, {
      archiveFile: archiveOf(out, cut.case),
      compactions: wanted,
      windowShare,
      summarizer: written === undefined ? undefined : writtenModel({ folder: written, name: cut.case.id }),
    });
    if (compactions < wanted) throw new Error(`${cut.case.id} was compacted ${compactions} times only.`);
    writeFileSync(join(folder, "pith.ctx"), renderMessages(messages));
    lines.push(
      `${cut.case.id}: ${compactions} compactions, ${saidTokens} tokens said, ${tokens} left in a window of ${window}`,
    );
  }
  return lines;
}

async function papers(
  options: FortyOptions,
  out: string,
  [count]: readonly string[],
): Promise<readonly string[]> {
  const readers = Number(count);
  if (!(Number.isInteger(readers) && readers > 0)) throw new Error("papers OUT READERS: how many readers?");
  const made = makeFortyPapers(out, casesIn(options, out), readers);
  return made.map(
    ({ reader, sections }) => `reader ${reader}: ${sections.map((each) => each.case).join(", ")}`,
  );
}

async function sheets(options: FortyOptions, out: string): Promise<readonly string[]> {
  const cases = casesIn(options, out);
  const made = makeSheets(out, cases, readAnswers(out, cases));
  return [`${made.flatMap(({ items }) => items).length} items on ${made.length} sheets`];
}

async function table(options: FortyOptions, out: string): Promise<readonly string[]> {
  return [examTables(readAnswers(out, casesIn(options, out)), readMarks(out))];
}

/** Those that have questions and were compacted into this folder. */
function casesIn({ questions, cases }: FortyOptions, out: string): readonly ExamCase[] {
  return casesWithQuestions(questions, cases).filter((each) => contextNames(out, each).length > 0);
}
