/** What the spans of a request say, in the words of OpenTelemetry's conventions for generative AI. */
import type { Account } from "./account.ts";
import type { Api } from "./apis.ts";
import type { HeardUsage } from "./heard-usage.ts";
import { modelNamedIn } from "./limits.ts";
import type { OwnCall } from "./offered-tools.ts";
import type { Sendable } from "./preparation.ts";
import type { Trace } from "./tracing.ts";

/** Once its body is read. */
export function traceRequest(trace: Trace, { name, format }: Api, text: string): void {
  if (!trace.isRecording) return;
  const operation = name === "count-tokens" ? "count_tokens" : "chat";
  const model = modelNamedIn(text);
  trace.name(model === undefined ? operation : `${operation} ${model}`);
  trace.set({
    "gen_ai.operation.name": operation,
    "gen_ai.provider.name": format === "anthropic-messages" ? "anthropic" : "openai",
    ...(model !== undefined && { "gen_ai.request.model": model }),
  });
}

/** The body was prepared; the archive's part of it was done in another thread, which told when. */
export function tracePreparation(trace: Trace, { outcome, reason, writes = [] }: Sendable): void {
  for (const { from, to } of writes) trace.child("archive write", { at: from }).end({ at: to });
  trace.set({ "pith.outcome": outcome });
  trace.end(outcome === "failed-open" ? { failure: reason ?? outcome } : {});
}

/** Once it is answered. */
export function traceAccount(
  trace: Trace,
  { status, tenant, retried, toolCalls, prepared }: Account,
  usage: HeardUsage | undefined,
): void {
  if (!trace.isRecording) return;
  const { input, output } = usage?.tokens() ?? {};
  const { outcome, conversation, tokensBefore, tokensAfter } = prepared ?? {};
  const known = {
    "http.response.status_code": status,
    "gen_ai.usage.input_tokens": input,
    "gen_ai.usage.output_tokens": output,
    "pith.tenant": tenant,
    "pith.conversation": conversation,
    "pith.outcome": outcome,
    "pith.compacted": outcome?.startsWith("compacted"),
    "pith.tokens.before": tokensBefore,
    "pith.tokens.after": tokensAfter ?? tokensBefore,
    "pith.retried": retried,
    "pith.tool_calls": toolCalls,
  };
  for (const [name, value] of Object.entries(known)) if (value !== undefined) trace.set({ [name]: value });
}

/** Runs the calls inside a span for each. */
export async function traceCalls<Answer>(
  trace: Trace,
  calls: readonly OwnCall[],
  run: () => Promise<Answer>,
): Promise<Answer> {
  const spans = calls.map(({ id, name }) =>
    trace.child(`execute_tool ${name}`, {
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.id": id,
      },
    }),
  );
  try {
    return await run();
  } finally {
    for (const span of spans) span.end();
  }
}
