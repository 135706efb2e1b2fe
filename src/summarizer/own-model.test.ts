import { expect, test } from "vitest";
import { contextOverflowOf } from "../providers/overflow.ts";
import { summarizeWithFallback } from "./chain.ts";
import { askSameModel, ownModel } from "./own-model.ts";
import type { Summarizer } from "./summarizer.ts";

const KEY = "sk-abcdefghijklmnopqrstuvwxyz012345";
const ANSWER = {
  choices: [{ finish_reason: "stop", message: { content: "[CONTEXT SUMMARY]: The user's port was read." } }],
};
const signal = new AbortController().signal;

/** A model on the chat wire that refuses once for size, with the key among its words. */
function refusing(said: string): Summarizer {
  const error = { code: "context_length_exceeded", message: `${said} Key: ${KEY}` };
  const answers = [Response.json({ error }, { status: 400 }), Response.json(ANSWER)];
  const post = async () => answers.shift()!;
  const text = '{"model":"m","messages":[]}';
  return ownModel({ ask: (request) => askSameModel({ format: "openai-chat", text, post }, request) });
}

test("the agent's own model that was asked too much is asked once more at the size it named", async () => {
  const windows: (number | undefined)[] = [];
  const { summary, attempts } = await summarizeWithFallback({
    summarizers: [refusing("This model's maximum context length is 8192 tokens.")],
    request: ({ window }) => {
      windows.push(window);
      return { prompt: "Sum up.", targetTokens: 100, signal };
    },
  });
  expect(summary?.text).toContain("port was read");
  expect(windows).toEqual([undefined, 8192]);
  expect(JSON.stringify(attempts)).not.toContain(KEY);
});

test("an overflow without a size is one too, and none of the provider's words is told", async () => {
  const asked = refusing("Your input exceeds the context window of this model.").summarize({
    prompt: "Sum up.",
    targetTokens: 100,
    signal,
  });
  const error = await asked.catch((thrown: unknown) => thrown as Error);
  expect(contextOverflowOf(error)).toEqual({});
  expect(`${(error as Error).message} ${String((error as Error).cause)}`).not.toMatch(/sk-|Your input/);
});
