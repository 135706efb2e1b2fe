/** Thinking that only the provider can read, counted against what the provider reported for it. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConversation } from "../src/providers/detect.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import { hasAllRecordings, recordingsFolder, recordsOf } from "./recordings.ts";

interface Answer {
  readonly model: string;
  readonly content: Record<string, unknown>[];
  reported: number;
}

const FILES = ["claude-code-log.jsonl.gz", "claude-code-oh-my-posh.jsonl.gz"];
/** A call's own id and markup, which the provider reports with it. */
const CALL_TOKENS = 20;

test("no recorded session's thinking answers are counted below what was reported", async () => {
  let answers = 0;
  const ratios: number[] = [];
  for (const file of FILES) {
    for await (const { messages } of recordsOf(join(recordingsFolder, file))) {
      const thinking = answersOf(messages).filter(({ content }) => content.some(isThinking));
      if (thinking.length === 0) continue;
      answers += thinking.length;
      const reported = thinking.reduce((sum, answer) => sum + answer.reported, 0);
      ratios.push(thinking.reduce((sum, answer) => sum + countedTokensOf(answer), 0) / reported);
    }
  }
  console.log(
    `${answers} answers, ${ratios.length} sessions: ${Math.min(...ratios)} to ${Math.max(...ratios)}`,
  );
  expect(answers).toBeGreaterThan(hasAllRecordings ? 1_000 : 5);
  expect(Math.min(...ratios)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...ratios)).toBeLessThan(1.5);
});

function countedTokensOf({ model, content }: Answer): number {
  const body = { model, messages: [{ role: "assistant", content }] };
  const calls = content.filter(({ type }) => type === "tool_use").length;
  return createTokenCounter({ model }).conversation(readConversation(body)) + calls * CALL_TOKENS;
}

/** One answer is logged as several lines with one id; the last has the whole report. Interrupted ones have none. */
function answersOf(lines: readonly Record<string, unknown>[]): readonly Answer[] {
  const answers = new Map<unknown, Answer & { stop?: unknown }>();
  for (const { type, isSidechain, message } of lines) {
    if (type !== "assistant" || isSidechain) continue;
    const { id, model, content, usage, stop_reason } = message as LoggedMessage;
    const answer = answers.get(id) ?? { model, content: [], reported: 0 };
    answer.content.push(...content);
    answer.reported = usage?.output_tokens ?? 0;
    answers.set(id, { ...answer, stop: stop_reason });
  }
  return [...answers.values()].filter(({ stop, reported }) => stop && reported > 10);
}

interface LoggedMessage {
  readonly id: string;
  readonly model: string;
  readonly content: Record<string, unknown>[];
  readonly usage?: { readonly output_tokens?: number };
  readonly stop_reason?: string;
}

function isThinking({ type }: Record<string, unknown>): boolean {
  return type === "thinking";
}
