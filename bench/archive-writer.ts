/** One of several writers of a file: `node bench/archive-writer.ts FILE ORDER` puts one conversation into it. */
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { shortWrite } from "./archive-corpus.ts";

const PART = 100;
const [file = "", order = "0"] = process.argv.slice(2);
const archive = sqliteArchive({ file, timeoutMs: 60_000 });
const { items, messages = [], ...write } = shortWrite(Number(order));
for (let first = 0; first < items.length; first += PART) {
  const part = [first, first + PART] as const;
  await archive.put({ ...write, items: items.slice(...part), messages: messages.slice(...part) });
}
await archive.close!();
