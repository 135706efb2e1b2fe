import { describe, expect, test } from "vitest";
import { OptionsError } from "../errors/options-error.ts";
import { testSummarizer } from "../testing/test-summarizer.ts";
import { type AiSdkModel, aiSdkSummarizer } from "./ai-sdk.ts";

interface CallOptions {
  readonly prompt: readonly { readonly content: readonly { readonly text: string }[] }[];
  readonly abortSignal: AbortSignal;
}

/** A language model as a provider of the AI SDK makes it: it asks over HTTP and throws errors with a status code. */
function modelAt({ url, key }: { url: string; key: string }, version: "v2" | "v3"): AiSdkModel {
  const apiError = (message: string, fields: object) =>
    Object.assign(new Error(message), { name: "AI_APICallError", ...fields });
  return {
    modelId: "small",
    provider: "test.chat",
    async doGenerate({ prompt, abortSignal }: CallOptions) {
      const response = await fetch(`${url}/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({
          model: "small",
          messages: [{ role: "user", content: prompt[0]!.content[0]!.text }],
        }),
        signal: abortSignal,
      }).catch((cause: Error) => {
        if (abortSignal.aborted) throw cause;
        throw apiError("Cannot connect to API", { cause });
      });
      const statusCode = response.status;
      const headers = { authorization: `Bearer ${key}` };
      if (!response.ok) {
        throw apiError("Failed", {
          statusCode,
          responseBody: await response.text(),
          requestHeaders: headers,
        });
      }
      const answer = (await response.json().catch((cause: Error) => {
        throw apiError("Invalid JSON response", { statusCode, cause });
      })) as {
        choices: [{ message: { content: string | null; refusal?: string }; finish_reason: string }];
        usage: { prompt_tokens: number; completion_tokens: number };
      };
      const { message, finish_reason } = answer.choices[0];
      const reason = message.refusal ? "content-filter" : finish_reason;
      const { prompt_tokens, completion_tokens } = answer.usage;
      return {
        content: [
          { type: "reasoning", text: "hm" },
          ...(message.content ? [{ type: "text", text: message.content }] : []),
        ],
        finishReason: version === "v2" ? reason : { unified: reason, raw: finish_reason },
        usage:
          version === "v2"
            ? { inputTokens: prompt_tokens, outputTokens: completion_tokens }
            : { inputTokens: { total: prompt_tokens }, outputTokens: { total: completion_tokens } },
      };
    },
  };
}

describe("aiSdkSummarizer with a v2 model", () => {
  testSummarizer((server) => aiSdkSummarizer(modelAt(server, "v2")), { test, expect });
});

describe("aiSdkSummarizer with a v3 model", () => {
  testSummarizer((server) => aiSdkSummarizer(modelAt(server, "v3")), { test, expect });
});

test("is named after model and provider, and carries its window", () => {
  const summarizer = aiSdkSummarizer(modelAt({ url: "", key: "" }, "v3"), { window: 5_000 });
  expect(summarizer.name).toBe("small via test.chat");
  expect(summarizer.window).toBe(5_000);
});

test("the name of a model is no model", () => {
  expect(() => aiSdkSummarizer("gpt" as unknown as AiSdkModel)).toThrow(OptionsError);
});

test("an answer of another shape is malformed, one without usage is fine", async () => {
  const signal = new AbortController().signal;
  const model = (result: unknown): AiSdkModel => ({
    modelId: "m",
    provider: "p",
    doGenerate: async () => result,
  });
  const ask = (result: unknown) =>
    aiSdkSummarizer(model(result)).summarize({ prompt: "P", targetTokens: 9, signal });
  await expect(ask(null)).rejects.toMatchObject({ failure: "malformed" });
  expect(await ask({ content: [null, { type: "text", text: "a" }], finishReason: "other" })).toEqual({
    text: "a",
    finish: "unknown",
    model: "m",
  });
});
