/** wrapCall: runs a model call on the compacted conversation, and once more after an overflow. */
import type { CompactOptions, Result, WrappedCall } from "../compactor.ts";
import type { Policy } from "../policy/policy.ts";
import { type ContextOverflow, contextOverflowOf } from "./context-overflow.ts";

type Compact = (input: unknown, options?: CompactOptions) => Promise<Result>;

export function wrapCall<Answer>(
  compact: Compact,
  call: (output: unknown) => Promise<Answer>,
  policy: Policy,
): WrappedCall<Answer> {
  return async (input, options = {}) => {
    const result = await compact(input, options);
    try {
      return { answer: await call(result.output), result };
    } catch (error) {
      const overflow = contextOverflowOf(error);
      if (!overflow) throw error;
      const smaller = await recover(compact, result, options, overflow, policy);
      // What cannot shrink will not fit the second time either: the provider's own error says most.
      if (!smaller.report.compacted) throw error;
      return { answer: await call(smaller.output), result: smaller };
    }
  };
}

/** Compacts to what the provider said it takes, or as the policy does after an overflow, or, of an unknown window, to a part of what was too much. */
async function recover(
  compact: Compact,
  { output, report, state }: Result,
  options: CompactOptions,
  { windowTokens, promptTokens }: ContextOverflow,
  { targetRatio }: Policy,
): Promise<Result> {
  const { usage: _, target: __, ...rest } = options;
  const again = { ...rest, state, force: "overflow" } as const;
  const overhead = report.promptTokensBefore - report.tokensBefore;
  // The provider counts in its own tokens: its figures are turned into ours by how it counted this request.
  const scale =
    promptTokens === undefined ? 1 : Math.max(1, promptTokens / Math.max(1, report.promptTokensAfter));
  const known =
    windowTokens ?? (report.window === undefined ? Math.floor(report.promptTokensAfter / 2) : undefined);
  if (known === undefined) return compact(output, again);
  const target = Math.floor((known / scale) * targetRatio) - overhead;
  const sized = await compact(output, {
    ...again,
    target: Math.max(1, Math.min(target, report.tokensAfter - 1)),
  });
  return sized.report.error?.code === "TARGET_UNREACHABLE" ? compact(output, again) : sized;
}
