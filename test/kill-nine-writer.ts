/**
 * One agent that works on an archive until it is killed, and goes on where it was when it is started again.
 * Parameters: the archive's file, a folder of its own, a conversation's file, the size of its window in tokens.
 * What it would have sent to a model it notes in `sent.jsonl` first thing after a compaction; "begin" and "end" on
 * stdout say when the work is under way.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { createCompactor } from "../src/index.ts";
import type { WireMessage } from "../src/testing/builders.ts";

const [file = "", folder = "", source = "", windowTokens = ""] = process.argv.slice(2);
const recorded: readonly WireMessage[] = JSON.parse(readFileSync(source, "utf8"));
const checkpoint = join(folder, "checkpoint.json");
const archive = sqliteArchive({ file, timeoutMs: 60_000 });
const compactor = createCompactor({ archive, window: Number(windowTokens), reserve: 0 });

interface Checkpoint {
  readonly fed: number;
  readonly round: number;
  readonly messages: readonly WireMessage[];
}

let { fed, round, messages }: Checkpoint = existsSync(checkpoint)
  ? JSON.parse(readFileSync(checkpoint, "utf8"))
  : { fed: 0, round: 0, messages: [] };

for (;;) {
  // The next messages up to where a turn may end; the recording is said again and again.
  do messages = [...messages, recorded[fed++ % recorded.length]!];
  while (
    fed % 6 !== 0 ||
    messages.at(-1)?.tool_calls !== undefined ||
    recorded[fed % recorded.length]?.role === "tool"
  );
  process.stdout.write("begin\n");
  const { messages: output, report } = await compactor.compact(messages, {
    conversationId: `${folder} ${round}`,
  });
  if (report.error) throw report.error;
  if (report.compacted) {
    appendFileSync(
      join(folder, "sent.jsonl"),
      `${JSON.stringify({ compaction: report.compaction, output })}\n`,
    );
    process.stdout.write("end\n");
  }
  messages = output as readonly WireMessage[];
  if (fed >= recorded.length * 3) {
    [fed, round, messages] = [0, round + 1, []];
  }
  writeFileSync(`${checkpoint}.new`, JSON.stringify({ fed, round, messages }));
  renameSync(`${checkpoint}.new`, checkpoint);
}
