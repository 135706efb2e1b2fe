/** The golden files are what this code makes: a change of what agents get shows as a difference that somebody has read. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { goldenConversations, goldenFiles, goldenFolder } from "../eval/golden/golden.ts";
import { sayThatDataIsAbsent } from "./recordings.ts";

for (const golden of goldenConversations) {
  test(`${golden.name} comes out as its golden files say (npm run golden writes them anew)`, async (context) => {
    const files = await goldenFiles(golden);
    if (!files) {
      sayThatDataIsAbsent(`the golden files of ${golden.name}`);
      context.skip();
      return;
    }
    expect(files).toHaveLength(3);
    for (const { file, text } of files) {
      expect(text, file).toBe(readFileSync(join(goldenFolder, file), "utf8"));
    }
  });
}
