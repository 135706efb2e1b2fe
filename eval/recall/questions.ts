/** Questions about recorded conversations, each with the messages that answer it. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { halfOf } from "../recordings/split.ts";

export interface RecallQuestion {
  readonly id: string;
  /** The file of recordings that has the conversation. */
  readonly source: string;
  readonly conversation: string;
  readonly question: string;
  /** Any of these messages, by index, is right. */
  readonly answers: readonly number[];
}

export function readQuestions(): readonly RecallQuestion[] {
  const folder = join(import.meta.dirname, "../recall-questions");
  return globSync("*.jsonl", { cwd: folder })
    .toSorted()
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean))
    .map((line) => JSON.parse(line) as RecallQuestion);
}

/** Ranking was developed on one half of the conversations; the other half tells how well it does elsewhere. */
export function isHeldOut({ conversation }: RecallQuestion): boolean {
  return halfOf(conversation) === "closed";
}
