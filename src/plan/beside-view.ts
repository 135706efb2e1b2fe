/**
 * Plans beside what is in view: it stays, and the rest is planned as if it cost nothing, for what it leaves of the
 * target. A target that is no ceiling is exceeded for it, as far as the window goes.
 */
import { type Message, messageOf, messageWith } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { sumOfParts, TargetUnreachableError } from "../errors/target-unreachable-error.ts";
import { countPieces, countTexts, type TokenCounter } from "../tokens/token-counter.ts";
import { applyEdits } from "./apply-edits.ts";
import { countedTokens } from "./counted-tokens.ts";
import { changedDraft, type Draft } from "./draft.ts";
import { holdsAny, partsInView } from "./in-view.ts";
import type { Plan, PlanStep } from "./plan.ts";
import type { PlanRequest } from "./plan-request.ts";

type MakeDraft = (request: PlanRequest) => Draft;

/** Where the room does not hold all of it beside the floor, the newest stays; what goes leaves its id. */
export function draftBesideView(request: PlanRequest, draft: MakeDraft): Draft {
  return draftBeside(request, partsInView(request.conversation.messages), draft);
}

function draftBeside(request: PlanRequest, parts: readonly Part[], draft: MakeDraft): Draft {
  if (parts.length === 0) return draft(request);
  const inView = new Set(parts);
  const counter = counterWithout(inView, request.counter);
  const tokens = tokensInView(request, inView, counter);
  const beside = { ...request, inView, counter, targetTokens: targetBeside(request, tokens) };
  const counted = (plan: Plan) => withView(plan, request, tokens);
  try {
    return changedDraft(draft(beside), counted);
  } catch (error) {
    if (!(error instanceof TargetUnreachableError)) throw error;
    const floor = sumOfParts(error);
    const room = (request.roomTokens ?? request.targetTokens) - floor;
    if (tokens <= room) return changedDraft(draft({ ...beside, targetTokens: floor }), counted);
    return draftBeside(request, newestWithin(parts, room, request.counter), draft);
  }
}

/**
 * What the rest may take: all of the target while that leaves half of the free room to go on with, and whatever of the
 * target is not in view.
 */
function targetBeside({ targetTokens, roomTokens }: PlanRequest, tokens: number): number {
  const left = targetTokens - tokens;
  const spared = roomTokens === undefined ? left : Math.floor((roomTokens - tokens) / 2);
  return Math.max(0, Math.min(targetTokens, Math.max(left, spared)));
}

/** The tokens of messages as if these parts were not there. */
function counterWithout(parts: ReadonlySet<Part>, counter: TokenCounter): TokenCounter {
  const bare = new WeakMap<Message, Message>();
  const count = (message: Message): number => {
    if (!holdsAny(message, parts)) return counter.message(message);
    const known = bare.get(message) ?? messageWith(message, { parts: message.parts.flatMap(without(parts)) });
    bare.set(message, known);
    return counter.message(known);
  };
  return {
    encoding: counter.encoding,
    exact: counter.exact,
    text: (text) => counter.text(text),
    pieces: (pieces, text) => countPieces(counter, pieces, text),
    texts: (pieces) => countTexts(counter, pieces),
    tools: (tools) => counter.tools(tools),
    message: count,
    conversation: ({ messages, tools }) =>
      messages.reduce((sum, message) => sum + count(message), counter.tools(tools)),
  };
}

function without(parts: ReadonlySet<Part>): (part: Part) => readonly Part[] {
  return (part) => {
    if (parts.has(part)) return [];
    if (part.type !== "tool-result") return [part];
    return [{ ...part, attachments: part.attachments.filter((each) => !parts.has(each)) }];
  };
}

function tokensInView(
  { conversation, counter }: PlanRequest,
  parts: ReadonlySet<Part>,
  bare: TokenCounter,
): number {
  const holding = conversation.messages.filter((message) => holdsAny(message, parts));
  // The 1 is for a text that is joined to the message: between it and a piece that is counted by its text.
  return holding.reduce((sum, message) => sum + counter.message(message) - bare.message(message) + 1, 0);
}

function newestWithin(parts: readonly Part[], room: number, counter: TokenCounter): readonly Part[] {
  let left = room - parts.length * REMARK_TOKENS;
  const from = parts.findLastIndex((part) => {
    left -= counter.message(messageOf({ role: "other", parts: [part], position: -1 }));
    return left < 0;
  });
  return parts.slice(from + 1);
}

/** What may replace a part that goes. */
const REMARK_TOKENS = 20;

/** The plan with what is in view counted in. */
function withView(plan: Plan, { conversation, counter }: PlanRequest, tokens: number): Plan {
  const { messages } = conversation;
  const tokensBefore = countedTokens(messages, counter, messages);
  let current = messages;
  let tokensAfter = tokensBefore;
  const steps = plan.steps.map((step): PlanStep => {
    current = applyEdits(current, step.edits);
    const before = tokensAfter;
    tokensAfter = countedTokens(current, counter, messages);
    return { ...step, tokensBefore: before, tokensAfter };
  });
  const targetTokens = plan.targetTokens + tokens;
  return { ...plan, targetTokens, tokensBefore, tokensAfter, inViewTokens: tokens, steps };
}
