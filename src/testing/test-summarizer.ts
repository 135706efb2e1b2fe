/** Conformance suite for the Summarizer contract: what every summarizer must do, whatever it talks to. */
import { type FailureClass, SummarizerFailedError } from "../errors/summarizer-failed-error.ts";
import { checkSummary } from "../summarizer/check-summary.ts";
import type { Summarizer, SummaryRequest } from "../summarizer/summarizer.ts";
import { type Behaviour, createModelServer, type ModelServer } from "./model-server.ts";
import type { TestRunner } from "./test-format.ts";

/** A key that the suite looks for in every error. */
export const TEST_KEY = "test-key-0123456789-never-to-be-told";

/**
 * Registers the tests.
 *
 * @param create makes a summarizer that asks the model at `url` with `key`
 */
export function testSummarizer(
  create: (server: { readonly url: string; readonly key: string }) => Summarizer,
  { test, expect }: TestRunner,
): void {
  const served = async (
    reply: Behaviour,
    use: (summarizer: Summarizer, server: ModelServer) => Promise<void>,
  ): Promise<void> => {
    const server = await createModelServer({ reply });
    try {
      await use(create({ url: server.url, key: TEST_KEY }), server);
    } finally {
      await server.close();
    }
  };

  test("gives the model's text, why it stopped, who it was and what it cost", () =>
    served({ type: "say", text: "Fixed src/a.ts.\nTests pass." }, async (summarizer, { requests }) => {
      const summary = await summarizer.summarize(request());
      expect(summary.text).toBe("Fixed src/a.ts.\nTests pass.");
      expect(summary.finish).toBe("stop");
      expect(summary.model.length > 0).toBe(true);
      expect((summary.usage?.inputTokens ?? 0) > 0 && (summary.usage?.outputTokens ?? 0) > 0).toBe(true);
      expect(requests.length).toBe(1);
      expect(requests[0]?.prompt).toBe("Summarize this.");
    }));

  const failures: readonly (readonly [behaviour: Behaviour, failure: FailureClass])[] = [
    [{ type: "fail", status: 401 }, "auth"],
    [{ type: "fail", status: 403, message: `Bad key: ${TEST_KEY}` }, "auth"],
    [{ type: "fail", status: 402 }, "quota"],
    [{ type: "fail", status: 429, code: "insufficient_quota" }, "quota"],
    [{ type: "fail", status: 429 }, "overload"],
    [{ type: "fail", status: 503 }, "overload"],
    [{ type: "fail", status: 529 }, "overload"],
    [{ type: "fail", status: 500, message: `Broken for ${TEST_KEY}` }, "other"],
    [{ type: "malformed" }, "malformed"],
    [{ type: "cut" }, "truncated"],
    [{ type: "truncate" }, "truncated"],
    [{ type: "empty" }, "empty"],
    [{ type: "refuse" }, "refused"],
  ];
  for (const [behaviour, failure] of failures) {
    const what =
      behaviour.type === "fail" ? `${behaviour.status} ${behaviour.code ?? ""}`.trim() : behaviour.type;
    test(`a model that answers ${what} is a failure of class ${failure}, asked once, its key untold`, () =>
      served(behaviour, async (summarizer, { requests }) => {
        const error = await failureOf(summarizer);
        expect(error.failure).toBe(failure);
        expect(error.summarizer).toBe(summarizer.name);
        expect(toldBy(error).includes(TEST_KEY)).toBe(false);
        expect(requests.length).toBe(1);
      }));
  }

  test("a model that never answers is given up when the time is over", () =>
    served({ type: "hang" }, async (summarizer) => {
      const error = await failureOf(summarizer, AbortSignal.timeout(50));
      expect(error.failure).toBe("timeout");
    }));

  test("a call that the caller ends is aborted", () =>
    served({ type: "hang" }, async (summarizer) => {
      const controller = new AbortController();
      const failed = failureOf(summarizer, controller.signal);
      controller.abort();
      expect((await failed).failure).toBe("aborted");
    }));

  test("a model that cannot be reached is a failure of class network", async () => {
    const server = await createModelServer({ reply: { type: "empty" } });
    await server.close();
    const error = await failureOf(create({ url: server.url, key: TEST_KEY }));
    expect(error.failure).toBe("network");
    expect(toldBy(error).includes(TEST_KEY)).toBe(false);
  });
}

function request(signal: AbortSignal = new AbortController().signal): SummaryRequest {
  return { prompt: "Summarize this.", targetTokens: 500, signal };
}

/** A summarizer fails by throwing, or with a summary that the check rejects. */
async function failureOf(summarizer: Summarizer, signal?: AbortSignal): Promise<SummarizerFailedError> {
  try {
    checkSummary(await summarizer.summarize(request(signal)), { summarizer: summarizer.name, hasUser: true });
  } catch (error) {
    if (error instanceof SummarizerFailedError) return error;
    throw error;
  }
  throw new Error("The summarizer gave a summary.");
}

/** Everything that a log would show of an error. */
function toldBy(error: Error): string {
  const cause = error.cause instanceof Error ? toldBy(error.cause) : JSON.stringify(error.cause ?? "");
  return `${error.stack ?? ""} ${JSON.stringify(error)} ${error.message} ${cause}`;
}
