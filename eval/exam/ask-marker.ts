/** Has a model mark every sheet, each in a fresh context. Sheets that are marked already are not asked for again. */
import { writeFileSync } from "node:fs";
import type { Ask } from "./ask.ts";
import { checkMarks, marksFile, readMarks } from "./marks.ts";
import { markerTask, type Sheet } from "./sheets.ts";

const replyForm = `Reply with JSON alone: one object with every item of this sheet, {"CASE.QUESTION.READER": mark, …, "CASE.go.READER": {"again": n, "contradicts": n, "quotes": ["…"]}, …}.`;

/** Tells what failed; another run asks for that alone. */
export async function askMarker(out: string, sheets: readonly Sheet[], ask: Ask): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const sheet of sheets) {
    const known = readMarks(out);
    if (sheet.items.every((item) => known[item] !== undefined)) continue;
    try {
      const reply = await ask([markerTask, replyForm, sheet.text].join("\n\n"));
      const marks = { ...known, ...checkMarks(reply, "The reply") };
      writeFileSync(marksFile(out), `${JSON.stringify(marks, null, 1)}\n`);
      const left = sheet.items.filter((item) => marks[item] === undefined);
      if (left.length > 0) failures.push(`Sheet ${sheet.case}: ${left.join(", ")} not marked`);
    } catch (error) {
      failures.push(`Sheet ${sheet.case}: ${(error as Error).message}`);
    }
  }
  return failures;
}
