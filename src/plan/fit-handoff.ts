/** fitHandoff: the room of a target divided between the recent messages and the hand-off, by one layout. */
import type { Marks } from "../archive/marks.ts";
import { callsById, type Message, textOfMessage } from "../conversation/message.ts";
import { constraintsOf } from "../handoff/asks.ts";
import { type ComposeOptions, type HandoffRequest, smallestHandoff } from "../handoff/compose.ts";
import { rulesWithin } from "../handoff/rules.ts";
import { spanLedger, standingAfter } from "../handoff/span-ledger.ts";
import { turnMarks } from "../handoff/turn-marks.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { countedTokens } from "./counted-tokens.ts";
import { filledTailTokens, fillTail } from "./filled-tail.ts";
import { fitTail, latestAskTokens } from "./fit-tail.ts";
import { type Layout, rulesRoom, type TailWish } from "./layout.ts";
import type { Plan } from "./plan.ts";
import type { PlanRequest } from "./plan-request.ts";
import { askOfNewest, mostAskTokens, newestTokens } from "./tail.ts";

/** All that a hand-off is composed of but what a model wrote. */
export interface Fitted {
  readonly layout: Layout;
  /** The recent messages, cut to the room that they have. */
  readonly tail: readonly Message[];
  readonly span?: NonNullable<Plan["span"]>;
  /** Absent when there is nothing to hand off. */
  readonly handoff?: {
    readonly request: HandoffRequest;
    readonly options: ComposeOptions;
    /** Of the span alone; the options have it as it is after what stays. */
    readonly ledger: Ledger;
  };
}

/** Undefined when this layout cannot meet the target. */
export function fitHandoff(request: PlanRequest, layout: Layout, wish: TailWish): Fitted | undefined {
  const { share, restates, whole } = wish;
  const { conversation, counter, policy, targetTokens, marks, inView, besides = [] } = request;
  const { messages } = conversation;
  const { handoff, fixedTokens, placeTokens, recent } = layout;
  const needed = handoff ? counter.text(smallestHandoff(handoff)) + placeTokens : 0;
  const room = targetTokens - fixedTokens - needed;
  // What would have to be cut to fit is no longer whole: that is known by its size.
  if (whole && sizeOf(recent, counter) > room) return undefined;
  const maxAskTokens = restates ? mostAskTokens(targetTokens) : 0;
  const options = {
    counter,
    calls: callsById(recent),
    maxTokens: tailTokens(request, layout, wish, room),
    maxAskTokens,
    marks,
    inView,
    keepsArguments: share > 0,
  };
  const tail = whole ? recent : wish.room ? fillTail(recent, wish.room, options) : fitTail(recent, options);
  const handoffRoom = targetTokens - fixedTokens - countedTokens(tail, counter, messages);
  const told = handoff && withConstraints(handoff, unreadConstraints(recent, tail), rulesRoom(targetTokens));
  const toldNeeded = told ? counter.text(smallestHandoff(told)) + placeTokens : 0;
  // At the floor the cut message itself is all that still says them.
  const bound = toldNeeded > handoffRoom && share === 0 ? handoff : told;
  const smallest = bound === told ? toldNeeded : needed;
  if (handoffRoom < smallest) return undefined;
  if (!bound) return { layout, tail };

  const ceiling = Math.max(smallest, Math.floor(targetTokens * policy.handoff.ceiling));
  const stay = [...layout.fixed, ...tail];
  const span = marks && spanOf([...messages, ...besides], stay, marks, turnMarks(bound));
  const ledger = spanLedger(bound.span, request.ledger, counter);
  return {
    layout,
    tail,
    ...(span && { span }),
    handoff: {
      request: { ...bound, ...(span && { archived: span.id }) },
      options: {
        maxTokens: Math.min(handoffRoom, ceiling) - placeTokens,
        beside: stay.map(textOfMessage).join("\n"),
        ledger: standingAfter(ledger, stay),
      },
      ledger,
    },
  };
}

/** What of the room beside the smallest hand-off the recent messages get. */
function tailTokens(
  { counter, targetTokens }: PlanRequest,
  { handoff, recent, tailLimit }: Layout,
  { share, restates, room: given }: TailWish,
  room: number,
): number {
  if (given) return handoff ? Math.min(room, filledTailTokens(recent, given, counter)) : room;
  const maxAskTokens = restates ? mostAskTokens(targetTokens) : 0;
  const ask = share > 0 ? askOfNewest(recent, maxAskTokens, counter) : undefined;
  const newest = Math.floor(newestTokens(recent, targetTokens, counter) * share) + (ask?.tokens ?? 0);
  // Without a span there is nothing to say: the tail is the conversation and may have all the room.
  const wished = handoff
    ? Math.max(Math.floor(room * tailLimit * share), Math.min(room, newest))
    : share === 0
      ? 0
      : room;
  const askTokens = latestAskTokens(recent, counter);
  return askTokens <= maxAskTokens ? Math.max(wished, Math.min(room, askTokens)) : wished;
}

/**
 * Where a target is no ceiling, what is promised byte for byte does not take the place of the hand-off: the target is
 * exceeded by what that needs, as far as the window goes.
 */
export function withRoomBeside(
  request: PlanRequest,
  { fixedTokens, placeTokens, recent, handoff }: Layout,
): PlanRequest {
  const { conversation, counter, targetTokens, roomTokens = targetTokens } = request;
  const promised = fixedTokens + countedTokens(recent, counter, conversation.messages);
  if (!handoff || promised > targetTokens) return request;
  const story = Math.min(LEAST_BESIDE, Math.floor(targetTokens * MOST_BESIDE_SHARE));
  const needed = promised + placeTokens + counter.text(smallestHandoff(handoff)) + story;
  return { ...request, targetTokens: Math.max(targetTokens, Math.min(roomTokens, needed)) };
}

/** What a hand-off has to tell its story in beside messages that stay whole; of a small target it is less. */
const LEAST_BESIDE = 1_000;
const MOST_BESIDE_SHARE = 0.25;

function sizeOf(messages: readonly Message[], counter: TokenCounter): number {
  return messages.reduce((sum, message) => sum + counter.message(message), 0);
}

/** All that does not come out as it came in, system prompts aside: what leaves, and what stays in another form. */
function spanOf(
  messages: readonly Message[],
  stays: readonly Message[],
  marks: Marks,
  turnsOf: (message: Message) => string,
): NonNullable<Plan["span"]> {
  const whole = new Set(stays);
  const span = messages.filter(
    (message) => (message.role !== "system" || message.placed) && !whole.has(message),
  );
  const turns = span.map(turnsOf);
  return { id: marks.span(span, turns), positions: span.map(({ position }) => position), turns };
}

/** What binds in the messages and would not be read as binding from their cut forms, where sentences are in other company. */
function unreadConstraints(messages: readonly Message[], cut: readonly Message[]): readonly string[] {
  const read = new Set(constraintsOf(cut));
  return constraintsOf(messages).filter((sentence) => !read.has(sentence));
}

function withConstraints(
  handoff: HandoffRequest,
  more: readonly string[],
  maxTokens: number,
): HandoffRequest {
  if (more.length === 0) return handoff;
  const all = [...new Set([...handoff.constraints, ...more])];
  return { ...handoff, constraints: rulesWithin(all, maxTokens, handoff.counter) };
}
