/** Given: what a call of the compactor comes with, read: the conversation, the policy in force, and how it is counted. */

import { createMarks, type Marks } from "../archive/marks.ts";
import { type Conversation, withMessages } from "../conversation/conversation.ts";
import { messageWith } from "../conversation/message.ts";
import { OptionsError } from "../errors/options-error.ts";
import { countedTokensIn } from "../plan/counted-tokens.ts";
import type { PlanStep } from "../plan/plan.ts";
import type { Policy } from "../policy/policy.ts";
import { resolvePolicy } from "../policy/resolve-policy.ts";
import { readConversation } from "../providers/detect.ts";
import { counterForModel } from "../tokens/counter.ts";
import { modelProfile } from "../tokens/models.ts";
import { roughEstimateCounter } from "../tokens/rough-estimate.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { shapedOnArrival } from "./arrivals.ts";
import type { CompactOptions, CompactorOptions } from "./options.ts";

export interface Given {
  readonly conversation: Conversation;
  readonly model: string | undefined;
  /** Absent where nobody knows it. */
  readonly window: number | undefined;
  readonly policy: Policy;
  readonly counter: TokenCounter;
  /** What the fill is judged by. */
  readonly estimator: TokenCounter;
  /** Counted tokens that came in. */
  readonly tokens: number;
  /** What the policy shapes on arrival (F31). */
  readonly arrived?: PlanStep | undefined;
  /** The archive's name, and the ids of what goes there; absent without an archive. */
  readonly archive?: string | undefined;
  readonly marks?: Marks | undefined;
}

/** Throws InputError or OptionsError. */
export function readGiven(input: unknown, options: CompactorOptions, call: CompactOptions): Given {
  const conversation = withCallOptions(readConversation(input, { format: options.format ?? "auto" }), call);
  const model = options.model ?? conversation.model;
  const window = options.window ?? modelProfile(model).window;
  const policy = policyFor(options, window);
  const counter = options.counter ?? counterForModel(model);
  const marks = options.archive && createMarks();
  return {
    conversation,
    model,
    window,
    policy,
    counter,
    // One's own counter comes before the policy's estimate.
    estimator: !options.counter && policy.estimator === "rough" ? roughEstimateCounter : counter,
    tokens: countedTokensIn(conversation, counter),
    arrived: shapedOnArrival({ conversation, policy, counter, marks }),
    archive: options.archive?.name,
    marks,
  };
}

/** By the options of the compactor: the window is the same at nearly every call. */
const policies = new WeakMap<
  CompactorOptions,
  { readonly window: number | undefined; readonly policy: Policy }
>();

function policyFor(options: CompactorOptions, window: number | undefined): Policy {
  const known = policies.get(options);
  if (known && known.window === window) return known.policy;
  const policy = resolvePolicy(options.preset, window, options);
  policies.set(options, { window, policy });
  return policy;
}

function withCallOptions(
  conversation: Conversation,
  { tools, model, pins = [] }: CompactOptions,
): Conversation {
  const { messages } = conversation;
  for (const position of pins) {
    if (messages[position] === undefined) {
      throw new OptionsError(
        "pins",
        `pins names message ${position}; the conversation has messages 0 to ${messages.length - 1}.`,
      );
    }
  }
  const wanted = new Set(pins);
  const pinned =
    wanted.size === 0
      ? conversation
      : withMessages(
          conversation,
          messages.map((message) =>
            wanted.has(message.position) ? messageWith(message, { pinned: true }) : message,
          ),
        );
  const named = model === undefined || pinned.model !== undefined ? pinned : { ...pinned, model };
  return tools === undefined ? named : { ...named, tools };
}
