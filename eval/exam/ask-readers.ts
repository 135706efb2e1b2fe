/** Has a model answer every paper, case by case in a fresh context. What is already answered is not asked again. */
import { writeFileSync } from "node:fs";
import { answersFile, type Entry, entriesOf } from "./answers.ts";
import type { Ask } from "./ask.ts";
import { type Paper, readerTask } from "./papers.ts";

const replyForm = `Reply with JSON alone: {"answers": ["…", one per question], "done": ["…"], "actions": ["…", "…", "…"], "rating": n, "why": "…"}.`;

/** Tells what failed; another run asks for that alone. */
export async function askReaders(
  out: string,
  papers: readonly Paper[],
  ask: Ask,
): Promise<readonly string[]> {
  const failures = await Promise.all(papers.map((paper) => askReader(out, paper, ask)));
  return failures.flat();
}

async function askReader(out: string, { reader, sections }: Paper, ask: Ask): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const section of sections) {
    const known = entriesOf(out, reader);
    if (known.some((entry) => entry.case === section.case)) continue;
    try {
      const reply = (await ask([readerTask, replyForm, section.text].join("\n\n"))) as Omit<Entry, "case">;
      if (!Array.isArray(reply.answers)) throw new Error("The reply holds no answers.");
      const entries = [...known, { ...reply, case: section.case }];
      writeFileSync(answersFile(out, reader), `${JSON.stringify(entries, null, 1)}\n`);
    } catch (error) {
      failures.push(`Reader ${reader}, case ${section.case}: ${(error as Error).message}`);
    }
  }
  return failures;
}
