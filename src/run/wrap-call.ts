/** wrapCall: runs a model call on the compacted conversation, and once more after an overflow. */

import { placesAfter } from "../conversation/rewrite.ts";
import { TargetUnreachableError } from "../errors/target-unreachable-error.ts";
import { type ContextOverflow, contextOverflowOf } from "../providers/overflow.ts";
import { messagesTarget } from "./goal.ts";
import type { Observation } from "./observation.ts";
import type { CompactOptions } from "./options.ts";
import { bodyOf, type Result, type WrappedCall } from "./result.ts";

/** What of a compactor a wrapped call needs. */
export interface Wrapping {
  readonly compact: <Body>(input: Body, options?: CompactOptions) => Promise<Result<Body>>;
  /** Reads and counts, whatever the thresholds say and whether a window is known. */
  readonly look: (input: unknown, options: CompactOptions) => Observation;
}

export function wrapCall<Answer, Body>(
  wrapping: Wrapping,
  call: (body: Body, result: Result<Body>) => Promise<Answer>,
): WrappedCall<Answer, Body> {
  return async (input, options = {}) => {
    const result = await wrapping.compact(input, options);
    try {
      return { answer: await call(bodyOf(result), result), result };
    } catch (error) {
      const overflow = contextOverflowOf(error);
      const smaller = overflow && (await recover(wrapping, result, options ?? {}, overflow));
      // What cannot shrink will not fit the second time either: the provider's own error says most.
      if (!smaller?.report.compacted) throw error;
      return { answer: await call(bodyOf(smaller), smaller), result: smaller };
    }
  };
}

/** The caller's target and usage were about the request that was refused; the rest of the options still holds. */
async function recover<Body>(
  { compact, look }: Wrapping,
  result: Result<Body>,
  { target: _target, usage: _usage, ...options }: CompactOptions,
  overflow: ContextOverflow,
): Promise<Result<Body> | undefined> {
  const { report, state } = result;
  const body = bodyOf(result);
  if (report.error?.code === "INVALID_INPUT" || report.error?.code === "INVALID_OPTIONS") return undefined;
  const again = { ...options, ...pinsAfter(result, options), state, force: "overflow" } as const;
  const target = targetAfter(overflow, look(body, again));
  if (target === "none") return undefined;
  if (target === undefined) return compact(body, again);
  const sized = await compact(body, { ...again, target });
  const { error } = sized.report;
  // A share of the window is a wish: where it cannot be had, the least that can be had is tried.
  return error instanceof TargetUnreachableError
    ? compact(body, { ...again, target: error.floorTokens })
    : sized;
}

/**
 * The policy's target for the window that the provider named, or, where nobody knows the window, for half of what was too
 * much; in counted tokens. Undefined when the window is the caller's: then the policy decides as at every overflow. None when
 * what cannot shrink is over the window that the provider named.
 */
function targetAfter(
  { windowTokens, promptTokens }: ContextOverflow,
  observation: Observation,
): number | "none" | undefined {
  const { conversation, counter, tokens, policy, fill } = observation;
  const prompt = counter.conversation(conversation);
  // The provider counts in its own tokens: its figures are turned into ours by how it counted this request.
  const scale = promptTokens === undefined ? 1 : Math.max(1, promptTokens / Math.max(1, prompt));
  const window = windowTokens === undefined ? (fill ? undefined : prompt / 2) : windowTokens / scale;
  if (window === undefined) return undefined;
  if (windowTokens !== undefined && prompt - tokens >= window) return "none";
  const sizes = { wanted: window * policy.targetRatio, overhead: prompt - tokens, budget: window };
  return Math.max(1, Math.min(messagesTarget(policy, sizes), tokens - 1));
}

/** Pins name positions of what came in; after a first compaction the same messages are elsewhere. */
function pinsAfter({ report, rewrite }: Result, { pins }: CompactOptions): Pick<CompactOptions, "pins"> {
  if (!pins || !report.compacted) return {};
  const places = placesAfter(rewrite);
  return { pins: pins.flatMap((position) => places.get(position) ?? []) };
}
