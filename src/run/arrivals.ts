/**
 * Arrivals: what becomes of tool results when they arrive. A huge one goes to the archive, and its head, tail, outline and id
 * stand for it (F62); others are shaped by their type where the policy says so (F31).
 */
import type { Marks } from "../archive/marks.ts";
import { type Conversation, withMessages } from "../conversation/conversation.ts";
import { callsById, type Message, withParts } from "../conversation/message.ts";
import type { ToolResultPart } from "../conversation/part.ts";
import type { ToolOutput } from "../conversation/tool-output.ts";
import { applyEdits } from "../plan/apply-edits.ts";
import { countedTokens } from "../plan/counted-tokens.ts";
import type { Edit, PlanStep } from "../plan/plan.ts";
import { pointedAt } from "../plan/stages/drop-duplicates.ts";
import type { Policy } from "../policy/policy.ts";
import { maskText } from "../redact/mask-json.ts";
import { SMALL_RESULT_TOKENS, shapeToolResult } from "../shapes/shape-tool-result.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";

export interface Arriving {
  readonly conversation: Conversation;
  readonly policy: Policy;
  readonly counter: TokenCounter;
  /** Absent without an archive: then nothing is offloaded. */
  readonly marks?: Marks | undefined;
}

/**
 * The step that shapes on arrival, under a policy that does; undefined where there is nothing to shape. It looks at every
 * result and not only at new ones: whoever sends the whole history each time gets the same shapes each time.
 */
export function shapedOnArrival(arriving: Arriving): PlanStep | undefined {
  const { conversation, policy } = arriving;
  if (!policy.shapeOnArrival) return undefined;
  return arrivalStep(arriving, conversation.messages, "shaped when it arrived");
}

/** The conversation as the policy's system holds it: with what was shaped on arrival. */
export function withArrivals(conversation: Conversation, arrived: PlanStep | undefined): Conversation {
  return arrived
    ? withMessages(conversation, applyEdits(conversation.messages, arrived.edits))
    : conversation;
}

/** The step that does what is done on arrival to some of the messages. */
export function arrivalStep(
  { conversation, policy, counter, marks }: Arriving,
  arrivals: readonly Message[],
  reason: string,
): PlanStep | undefined {
  if (!policy.enabled) return undefined;
  const { messages } = conversation;
  // In most turns none is large enough, and the messages before need not be looked at.
  const large = arrivals.filter(({ parts }) =>
    parts.some((part) => part.type === "tool-result" && isLarge(part.text, { policy, counter, marks })),
  );
  if (large.length === 0) return undefined;
  const calls = callsById(messages);
  const visible = pointedAt(messages);
  const edits = large.flatMap((message): readonly Edit[] => {
    if (message.pinned) return [];
    const parts = message.parts.map((part) => {
      if (part.type !== "tool-result" || part.server || visible.has(part.pairId)) return part;
      const text = arrivedText(outputOf(part, calls.get(part.pairId)), { policy, counter, marks });
      return text === undefined ? part : { ...part, text };
    });
    if (parts.every((part, at) => part === message.parts[at])) return [];
    return [{ kind: "replace", position: message.position, message: withParts(message, parts), reason }];
  });
  if (edits.length === 0) return undefined;
  return {
    stage: "shape-tool-results",
    edits,
    tokensBefore: countedTokens(messages, counter, messages),
    tokensAfter: countedTokens(applyEdits(messages, edits), counter, messages),
  };
}

/** What enters the conversation in place of an output; undefined: the output itself. */
export function arrivedText(output: ToolOutput, rules: ArrivalRules): string | undefined {
  const { counter, marks } = rules;
  if (!isLarge(output.text, rules)) return undefined;
  const masked = marks ? maskedOutput(output) : output;
  const maxTokens = isHuge(output.text, rules) ? SHOWN_TOKENS : undefined;
  const shaped = shapeToolResult(masked, {
    counter,
    handle: marks?.text(masked.text),
    arriving: true,
    maxTokens,
  });
  return shaped?.text === masked.text ? undefined : shaped?.text;
}

type ArrivalRules = Omit<Arriving, "conversation">;

/** Large enough that something is done about it. */
function isLarge(text: string, rules: ArrivalRules): boolean {
  const { policy, counter } = rules;
  const isShaped = policy.shapeOnArrival && isOver(text, SMALL_RESULT_TOKENS - 1, counter);
  return isShaped || isHuge(text, rules);
}

function isHuge(text: string, { policy, counter, marks }: ArrivalRules): boolean {
  const limit = policy.offloadOver;
  return marks !== undefined && limit !== undefined && isOver(text, limit, counter);
}

/** What is in the context for an offloaded result, at most. */
const SHOWN_TOKENS = 2_000;

/** What is cut out of it is cut out of this, so that nothing of a secret is left. */
function maskedOutput(output: ToolOutput): ToolOutput {
  return { ...output, text: maskText(output.text).text };
}

/** A token has at least a character: most results need no count. */
function isOver(text: string, tokens: number, counter: TokenCounter): boolean {
  return text.length > tokens && counter.text(text) > tokens;
}

function outputOf(
  { text, isError }: ToolResultPart,
  call: { readonly name: string; readonly arguments: string } | undefined,
): ToolOutput {
  return { text, isError, toolName: call?.name ?? "", toolArguments: call?.arguments ?? "" };
}
