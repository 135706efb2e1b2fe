/** Contexts: a folder for each case, with what each strategy leaves a reader of its past. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderMessages } from "../measure/render-messages.ts";
import { countedTokens, systemTexts } from "../measure/sizes.ts";
import type { Outcome } from "./compact.ts";
import type { CutCase } from "./cut-case.ts";
import type { ExamCase } from "./exam.ts";

export interface ContextsInput {
  readonly cut: CutCase;
  /** By the strategy's name. */
  readonly outcomes: ReadonlyMap<string, Outcome | undefined>;
  readonly out: string;
  /** Where the preset decides how far, nothing is too large. */
  readonly presetThreshold: boolean;
}

/** The name under which the recorded model's own summary is a strategy. */
const recordedName = "summary";
/** What a strategy may have over the target, since not everybody counts alike. */
const tolerance = 1.02;
const excerptChars = 8000;
const excerptMessageChars = 1000;

/** Writes NAME.ctx for each strategy, past.txt, future.txt and the marker's record.md; tells what is in them. */
export function writeContexts({ cut, outcomes, out, presetThreshold }: ContextsInput): readonly string[] {
  const folder = join(out, cut.case.id);
  // What an earlier run left is no part of this exam.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "past.txt"), renderMessages(cut.past));
  writeFileSync(join(folder, "future.txt"), renderMessages(cut.future));
  writeFileSync(join(folder, "record.md"), recordOf(cut));
  const told = [
    `${cut.case.id}: past ${cut.pastTokens} tokens${presetThreshold ? "" : `, target ${cut.targetTokens}`}`,
  ];
  const write = (name: string, messages: NonNullable<Outcome["messages"]>): void => {
    const tokens = countedTokens(messages, systemTexts(cut.past));
    const isOver = !presetThreshold && tokens > cut.targetTokens * tolerance;
    told.push(`  ${name}: ${tokens} tokens${isOver ? ", over the target: not in the exam" : ""}`);
    if (!isOver) writeFileSync(join(folder, `${name}.ctx`), renderMessages(messages));
  };
  if (cut.summary && !presetThreshold) write(recordedName, [cut.summary]);
  for (const [name, outcome] of outcomes) {
    if (outcome?.messages) write(name, outcome.messages);
    else told.push(`  ${name}: ${outcome?.error?.message ?? "no result"}`);
  }
  return told;
}

/** The strategies that have a context of this case, in a fixed order. */
export function contextNames(out: string, { id }: ExamCase): readonly string[] {
  const folder = join(out, id);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ctx"))
    .map((file) => file.slice(0, -".ctx".length))
    .sort();
}

/** What the marker of going on sees: how the past ended, and how the recorded agent went on. */
function recordOf({ past, future }: CutCase): string {
  const options = { longest: excerptMessageChars };
  return [
    `<past-end>\n${renderMessages(past, options).slice(-excerptChars)}</past-end>`,
    `<future>\n${renderMessages(future, options).slice(0, excerptChars)}\n</future>\n`,
  ].join("\n\n");
}
