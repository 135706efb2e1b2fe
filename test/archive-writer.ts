/**
 * A process that writes to an archive until it has written enough, is killed, or fails:
 * `node test/archive-writer.ts FILE|postgres://… CONVERSATION COUNT` says `stored N` after each write that is durable.
 */
import { postgresArchive } from "../src/archive/postgres.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { numberedWrite } from "./numbered-write.ts";

const [where = "", conversation = "", count = "0"] = process.argv.slice(2);
const archive = where.startsWith("postgres:")
  ? postgresArchive({ url: where })
  : sqliteArchive({ file: where });
try {
  for (let number = 1; number <= Number(count); number++) {
    await archive.put(numberedWrite(conversation, number));
    process.stdout.write(`stored ${number}\n`);
  }
} catch (error) {
  const { code, message } = error as { readonly code?: string; readonly message: string };
  process.stdout.write(`failed ${code} ${message}\n`);
}
await archive.close!();
