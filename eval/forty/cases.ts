/** The long recordings that are asked about after forty compactions, and the questions about the first quarter of each. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type ExamCase, readJson } from "../exam/exam.ts";

/** Where the questions are looked for. */
export const questionsFolder = join(import.meta.dirname, "questions");

type Chosen = Pick<ExamCase, "group" | "file" | "conversation">;

/** Long ones of four agent programs, with many asks and with one; none is a case of the exam, or a fork of one. */
const chosen: readonly Chosen[] = [
  { group: "pi", file: "derived-openai.jsonl.gz", conversation: "pi-before-compaction-openai" },
  { group: "Claude Code", file: "derived-openai.jsonl.gz", conversation: "oh-my-posh-94fab1a1-openai" },
  { group: "Codex", file: "derived-openai.jsonl.gz", conversation: "agentv-019eef3d-abd1-openai" },
  {
    group: "many asks",
    file: "coding-sessions.jsonl.br",
    conversation: "6113e919-67d3-417b-b525-c63700228d19",
  },
  {
    group: "many asks",
    file: "coding-sessions.jsonl.br",
    conversation: "79e9becd-0b83-42f1-8cb1-33375d080476",
  },
  {
    group: "one ask",
    file: "coding-sessions.jsonl.br",
    conversation: "ca8cc13b-d3df-4615-8f3f-f48a96b1a6f9",
  },
];

/** Each cut after its first quarter; nothing is asked yet. */
export const fortyCases: readonly ExamCase[] = chosen.map((each) => ({
  ...each,
  id: each.conversation,
  cut: 1 / 4,
  questions: [],
}));

interface Asked {
  readonly recording: string;
  readonly questions: readonly { readonly id: string; readonly question: string; readonly answer: string }[];
}

/** The cases that a folder has questions about: a file of JSON for each. */
export function casesWithQuestions(
  folder: string,
  cases: readonly ExamCase[] = fortyCases,
): readonly ExamCase[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".json")) : [];
  if (files.length === 0) throw new Error(`There are no questions in ${folder}.`);
  return files.sort().map((file) => caseOf(join(folder, file), cases));
}

function caseOf(file: string, cases: readonly ExamCase[]): ExamCase {
  const { recording, questions } = readJson(file) as Asked;
  const found = cases.find(({ id }) => id === recording);
  if (!found)
    throw new Error(`${file} asks about ${recording}; it is one of ${cases.map(({ id }) => id).join(", ")}.`);
  return {
    ...found,
    questions: questions.map(({ question, answer }) => ({ kind: "first quarter", question, gold: answer })),
  };
}
