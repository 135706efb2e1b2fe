/** npm run golden: writes the golden files anew. Read the difference before it goes in: it is what agents will get. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goldenConversations, goldenFiles, goldenFolder } from "./golden.ts";

mkdirSync(goldenFolder, { recursive: true });
for (const golden of goldenConversations) {
  const files = await goldenFiles(golden);
  if (!files) process.stderr.write(`${golden.name}: its recording is not here; its files stay as they are\n`);
  for (const { file, text } of files ?? []) {
    writeFileSync(join(goldenFolder, file), text);
    process.stdout.write(`${file}: ${text.length} characters\n`);
  }
}
