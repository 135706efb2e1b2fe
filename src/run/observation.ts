/** Observation: what is given, looked at: how full the context is, what was reported and asked for, what is remembered. */

import { type CompressRequest, requestedCompaction } from "../agent-control/compress-context.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { Policy } from "../policy/policy.ts";
import { forModel, judge } from "../policy/verdict.ts";
import type { CompactionState } from "../state/compaction-state.ts";
import { readState } from "../state/read-state.ts";
import { promptTokensOf, type UsageAnchor } from "../tokens/anchor.ts";
import { defaultReserve, type Fill, observeFill } from "../tokens/fill.ts";
import { type Lessons, noLessons } from "../weights/lessons.ts";
import { withArrivals } from "./arrivals.ts";
import type { Given } from "./given.ts";
import type { CompactOptions, CompactorOptions } from "./options.ts";

export interface Observation extends Given {
  /** Of the conversation with what was shaped on arrival. Absent when the window is not known. */
  readonly fill: Fill | undefined;
  /** The prompt size that the provider reported since the last compaction. */
  readonly reported: number | undefined;
  /** What the agent asked for by compress_context, in the newest batch of calls. */
  readonly requested: CompressRequest | undefined;
  readonly state: CompactionState;
  readonly now: number;
  /** With `adaptive`: what was learned so far. */
  readonly lessons?: Lessons | undefined;
  /** The keys of the hand-offs in it that the state or the archive knows. */
  readonly ours?: ReadonlySet<string>;
  /** The conversation's name, where it has one. */
  readonly name?: string | undefined;
}

/** No threshold is asked, and no window is needed. Throws OptionsError. */
export function observe(
  given: Given,
  options: CompactorOptions,
  call: CompactOptions,
  now: number,
): Observation {
  const { conversation, policy } = given;
  const known = forModel(readState(call.state), given.model);
  const usage = promptTokensOf(call.usage);
  // What was reported before a compaction says nothing about what came out of it.
  const reported = usage === known.actedOnUsage ? undefined : usage;
  const judged = reported === undefined ? known : judge(known, reported, now);
  const anchor =
    reported === undefined ? judged.anchor : { promptTokens: reported, messages: lastAnswer(conversation) };
  const asked = call.requested?.callId === known.honouredRequest ? undefined : call.requested;
  const requested = asked ?? requestedCompaction(conversation.messages, known.honouredRequest);
  // Honoured once, whatever comes of it: a request that was declined does not come back (R50).
  const state = requested ? { ...judged, honouredRequest: requested.callId } : judged;
  return {
    ...given,
    policy: requested ? asRequested(policy, requested, options.archive !== undefined) : policy,
    fill: fillOf(given, options, anchor),
    reported,
    requested,
    state,
    now,
    lessons: options.adaptive ? lessonsOf(options.adaptive, state) : undefined,
    name: call.conversationId ?? state.conversationId,
  };
}

function fillOf(
  { conversation, arrived, window, estimator, policy: { base } }: Given,
  { reserve }: CompactorOptions,
  anchor: UsageAnchor | undefined,
): Fill | undefined {
  if (window === undefined) return undefined;
  return observeFill({
    conversation: withArrivals(conversation, arrived),
    counter: estimator,
    window,
    reserve: reserve ?? defaultReserve(window, base),
    base,
    anchor,
  });
}

/** Those of this conversation; until it has any, those that the caller starts from. */
function lessonsOf(adaptive: true | Lessons, { lessons }: CompactionState): Lessons {
  return lessons ?? (adaptive === true ? noLessons : adaptive);
}

/**
 * The agent may say that the points of doubt need not be kept, and that the originals shall go to the archive without a
 * summary (F84). Where there is no archive, nothing could be recalled: then there is a summary all the same.
 */
function asRequested(
  policy: Policy,
  { preserveMarkers, strategy }: CompressRequest,
  hasArchive: boolean,
): Policy {
  const isArchived = strategy === "archive" && hasArchive;
  return {
    ...policy,
    ...(isArchived && {
      handoff: { ...policy.handoff, archiveOnly: true },
      markers: { ...policy.markers, annotate: true },
    }),
    ...(!preserveMarkers && { markers: { annotate: false } }),
  };
}

/** How many messages are before the last answer: that request's usage was measured on them. */
export function lastAnswer({ messages }: Conversation): number {
  const last = messages.findLastIndex((message) => message.role === "assistant");
  return last < 0 ? messages.length : last;
}
