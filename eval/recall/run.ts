/**
 * npm run eval:recall: which share of the questions in eval/recall-questions a search answers, plain BM25 beside ours without and
 * with vectors. See docs/recall.md.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sqliteArchive } from "../../src/archive/sqlite.ts";
import type { Embedder } from "../../src/recall/embedder.ts";
import { recallSearch } from "../../src/recall/search.ts";
import { dataFolder } from "../recordings/sources.ts";
import { fillArchive } from "./fill-archive.ts";
import { HALVES, measure, SCOPES, type Search, type Shares } from "./measure.ts";
import { minilm } from "./minilm.ts";
import { plainBm25 } from "./plain-bm25.ts";
import { readQuestions } from "./questions.ts";

const { values: flags } = parseArgs({
  options: {
    vectors: { type: "string", default: join(tmpdir(), "pith-minilm-vectors.bin") },
    "no-model": { type: "boolean", default: false },
  },
});

const folder = dataFolder();
if (folder === undefined)
  process.stderr.write("SKIPPED: the recorded conversations (../shared/data) are not here.\n");
else await evaluate(folder);

async function evaluate(recordings: string): Promise<void> {
  const questions = readQuestions();
  const place = mkdtempSync(join(tmpdir(), "pith-eval-recall-"));
  const archive = sqliteArchive({ file: join(place, "archive.sqlite") });
  const ours =
    (embed?: Embedder): Search =>
    async (asked) =>
      (await recallSearch(archive, { ...asked, ...(embed && { embed }) })).results;
  try {
    await fillArchive(archive, recordings, questions);
    const conversations = await archive.conversations!();
    const messages = conversations.reduce((sum, each) => sum + each.messages, 0);
    process.stdout.write(
      `${questions.length} questions over ${conversations.length} conversations, ${messages} messages; ` +
        "a right message among the first five, in %\n",
    );
    const embed = flags["no-model"] ? undefined : await minilm(flags.vectors);
    const searches: readonly (readonly [string, Search])[] = [
      ["plain BM25, porter", await plainBm25(archive, "porter unicode61 remove_diacritics 2")],
      ["plain BM25, no stemming", await plainBm25(archive, "unicode61 remove_diacritics 2")],
      ["ours, no model", ours()],
      ...(embed ? [["ours, MiniLM", ours(embed)] as const] : []),
    ];
    if (!embed)
      process.stderr.write("Without MiniLM: npm ci --prefix eval/recall --ignore-scripts brings it.\n");
    let plain: Shares | undefined;
    for (const [name, search] of searches) {
      const shares = await measure(search, questions);
      plain ??= shares;
      process.stdout.write(`${lineOf(name, shares, plain)}\n`);
    }
  } finally {
    await archive.close!();
    rmSync(place, { recursive: true });
  }
}

/** Each share with how many times the first line's it is. */
function lineOf(name: string, shares: Shares, plain: Shares): string {
  const parts = SCOPES.map((scope) => {
    const figures = HALVES.map((half) => {
      const share = shares[scope][half];
      return `${half} ${(100 * share).toFixed(1)} (${(share / plain[scope][half]).toFixed(2)}×)`;
    });
    return `${scope}: ${figures.join(", ")}`;
  });
  return [name, ...parts].join("\n  ");
}
