/** Plans the hand-off: the archivable span becomes one message, the tail is fitted, and the whole meets the target. */
import type { Marks } from "../archive/marks.ts";
import { callsById, type Message, textOfMessage } from "../conversation/message.ts";
import { TargetUnreachableError } from "../errors/target-unreachable-error.ts";
import { constraintsOf } from "../handoff/asks.ts";
import { composeHandoff, type HandoffRequest, smallestHandoff, storyRoom } from "../handoff/compose.ts";
import { rulesWithin } from "../handoff/rules.ts";
import { spanLedger, standingAfter } from "../handoff/span-ledger.ts";
import { turnMarks } from "../handoff/turn-marks.ts";
import { mustKeepLines } from "../ledger/told-facts.ts";
import { mergeHandoff } from "../reading/handoffs/separate.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { applyEdits } from "./apply-edits.ts";
import { countedTokens } from "./counted-tokens.ts";
import { fitTail, latestAskTokens } from "./fit-tail.ts";
import { floorOf, LEAST_WISHES } from "./floor.ts";
import { type Layout, layOut, rulesRoom, type TailWish } from "./layout.ts";
import type { Edit, HandedOff, Plan, PlanStep, Regions } from "./plan.ts";
import type { PlanRequest } from "./plan-request.ts";
import { askOfNewest, mostAskTokens, newestTokens } from "./tail.ts";

export interface HandoffPlan {
  readonly regions: Regions;
  readonly span?: NonNullable<Plan["span"]>;
  readonly steps: readonly PlanStep[];
  readonly tokensAfter: number;
  readonly passes: number;
  readonly handedOff?: HandedOff;
}

/** What the tail gets, attempt by attempt; with a share of 0 only an ask or an envelope stays: the floor, by either. */
const TAIL_WISHES: readonly TailWish[] = [
  { share: 1, restates: true },
  { share: 0.4, restates: true },
  ...LEAST_WISHES,
];

/** What a policy promises byte for byte is tried first. */
const WHOLE_WISHES: readonly TailWish[] = [
  { share: 1, restates: false, whole: "all" },
  { share: 1, restates: false, whole: "capped" },
  { share: 1, restates: false, whole: "counted" },
];

/** Throws TargetUnreachableError, naming the parts, when not even the floor fits. */
export function planHandoff(request: PlanRequest): HandoffPlan {
  let squeezed: { readonly plan: HandoffPlan; readonly lost: number } | undefined;
  const wishes = request.policy.retention.whole ? [...WHOLE_WISHES, ...TAIL_WISHES] : TAIL_WISHES;
  for (const [pass, wish] of wishes.entries()) {
    const layout = layOut(request, wish);
    const planned = attempt(wish.whole ? withRoomBeside(request, layout) : request, layout, wish);
    if (!planned) continue;
    const plan = { ...planned, passes: pass + 1 };
    if (wish.whole) return plan;
    // What a model wrote is not written again: rather than lose some of it, the newest messages are told in less.
    const lost = lostStory(request, plan);
    if (lost === 0) return plan;
    // Where less for the newest does not help, they keep what they had.
    if (!squeezed || lost < squeezed.lost) squeezed = { plan, lost };
    if (wish.share < 1) break;
  }
  if (squeezed) return squeezed.plan;
  const { tokens, parts } = floorOf(request);
  throw new TargetUnreachableError(request.targetTokens, tokens, parts);
}

/**
 * Where a target is no ceiling, what is promised byte for byte does not take the place of the hand-off: the target is
 * exceeded by what that needs, as far as the window goes.
 */
function withRoomBeside(
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

/** The lines of a story for which there is no place, or the tokens of an earlier one that is to be told on. */
function lostStory({ story, policy }: PlanRequest, { handedOff, steps }: HandoffPlan): number {
  if (policy.handoff.form === "text") return 0;
  if (!story || story.lines.length === 0) return handedOff?.room?.missingTokens ?? 0;
  const edits = steps.flatMap((step) => step.edits);
  const text = edits.map((edit) => (edit.kind === "remove" ? "" : textOfMessage(edit.message))).join("\n");
  return story.lines.filter((line) => !text.includes(line)).length;
}

/** Undefined when this layout cannot meet the target. What a short story leaves of the room goes to messages that were cut for it. */
function attempt(
  request: PlanRequest,
  layout: Layout,
  wish: TailWish,
): Omit<HandoffPlan, "passes"> | undefined {
  const { targetTokens, policy } = request;
  const planned = attemptWith(request, layout, wish, 0);
  const left = planned ? targetTokens - planned.tokensAfter : 0;
  const isCut = planned?.steps.some(({ stage }) => stage === "trim") ?? false;
  // A text form has no use for the room, unless a model is still to be asked for its lines.
  const isKept = policy.handoff.form === "text" && request.reservesStory;
  if (!isCut || wish.share === 0 || isKept) return planned;
  if (left < targetTokens * LEAST_LEFT) return planned;
  return attemptWith(request, layout, wish, left - Math.floor(targetTokens * SLACK)) ?? planned;
}

/** Less than this share of the target is not given out a second time, and so much stays for what was estimated too low. */
const LEAST_LEFT = 0.15;
const SLACK = 0.05;

/** `more` is what the recent messages get beyond their share. */
function attemptWith(
  request: PlanRequest,
  layout: Layout,
  { share, restates, whole }: TailWish,
  more: number,
): Omit<HandoffPlan, "passes"> | undefined {
  const { conversation, counter, policy, targetTokens, marks, inView } = request;
  const { messages } = conversation;
  const { handoff, fixedTokens, placeTokens, recent } = layout;
  const needed = handoff ? counter.text(smallestHandoff(handoff)) + placeTokens : 0;
  const room = targetTokens - fixedTokens - needed;
  // Without a span there is nothing to say: the tail is the conversation and may have all the room.
  const maxAskTokens = restates ? mostAskTokens(targetTokens) : 0;
  const ask = share > 0 ? askOfNewest(recent, maxAskTokens, counter) : undefined;
  const newest = Math.floor(newestTokens(recent, targetTokens, counter) * share) + (ask?.tokens ?? 0);
  const wished = handoff
    ? Math.max(Math.floor(room * layout.tailLimit * share), Math.min(room, newest))
    : share === 0
      ? 0
      : room;
  const askTokens = latestAskTokens(recent, counter);
  const least = askTokens <= maxAskTokens ? Math.max(wished, Math.min(room, askTokens)) : wished;
  // What would have to be cut to fit is no longer whole: that is known by its size.
  if (whole && sizeOf(recent, counter) > room) return undefined;
  const maxTailTokens = Math.min(Math.max(room, least), least + more);
  const tail = whole
    ? recent
    : fitTail(recent, {
        counter,
        calls: callsById(recent),
        maxTokens: maxTailTokens,
        maxAskTokens,
        marks,
        inView,
        keepsArguments: share > 0,
      });
  const handoffRoom = targetTokens - fixedTokens - countedTokens(tail, counter, messages);
  const told = handoff && withConstraints(handoff, unreadConstraints(recent, tail), rulesRoom(targetTokens));
  const toldNeeded = told ? counter.text(smallestHandoff(told)) + placeTokens : 0;
  // At the floor the cut message itself is all that still says them.
  const bound = toldNeeded > handoffRoom && share === 0 ? handoff : told;
  const smallest = bound === told ? toldNeeded : needed;
  if (handoffRoom < smallest) return undefined;

  const ceiling = Math.max(smallest, Math.floor(targetTokens * policy.handoff.ceiling));
  const maxTokens = Math.min(handoffRoom, ceiling) - placeTokens;
  const stay = [...layout.fixed, ...tail];
  const span = bound && marks && spanOf(messages, stay, marks, turnMarks(bound));
  const named = bound && { ...bound, ...(span && { archived: span.id }) };
  const written = named && writeHandoff(request, named, maxTokens, stay);
  const steps = stepsOf(request, layout, tail, written?.text);
  const tokensAfter = steps.at(-1)?.tokensAfter ?? countedTokens(messages, counter, messages);
  if (tokensAfter > targetTokens) return undefined;
  return {
    regions: layout.regions,
    ...(span && { span }),
    steps,
    tokensAfter,
    ...(written && { handedOff: written.handedOff }),
  };
}

function sizeOf(messages: readonly Message[], counter: TokenCounter): number {
  return messages.reduce((sum, message) => sum + counter.message(message), 0);
}

/** The hand-off's text, and what is known of what it stands for. */
function writeHandoff(
  { ledger: stored, counter, reservesStory }: PlanRequest,
  handoff: HandoffRequest,
  maxTokens: number,
  stay: readonly Message[],
): { readonly text: string; readonly handedOff: HandedOff } {
  const ledger = spanLedger(handoff.span, stored, counter);
  const standing = standingAfter(ledger, stay);
  const beside = stay.map(textOfMessage).join("\n");
  const options = { maxTokens, beside, ledger: standing };
  const { text, told } = composeHandoff(handoff, options);
  const room = reservesStory ? storyRoom(handoff, options) : undefined;
  const verbatim = handoff.constraints.length + (handoff.asks.latest === "" ? 0 : 1);
  const mustKeep = mustKeepLines(standing);
  return { text, handedOff: { ledger, mustKeep, told, verbatim, ...(room && { room }) } };
}

/** All that does not come out as it came in, system prompts aside: what leaves, and what stays in another form. */
function spanOf(
  messages: readonly Message[],
  stays: readonly Message[],
  marks: Marks,
  turnsOf: (message: Message) => string,
): NonNullable<HandoffPlan["span"]> {
  const whole = new Set(stays);
  const span = messages.filter((message) => message.role !== "system" && !whole.has(message));
  const turns = span.map(turnsOf);
  return { id: marks.span(span, turns), positions: span.map(({ position }) => position), turns };
}

/** What binds in the messages and would not be read as binding from their cut forms, where sentences stand in other company. */
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

/** The trim of the tail first, then the hand-off in place of the span, each with what it saved. */
function stepsOf(
  { conversation, counter, format }: PlanRequest,
  { regions, fixed, notes, bridges, recent, freed, place, placeAt }: Layout,
  tail: readonly Message[],
  text: string | undefined,
): readonly PlanStep[] {
  const { messages } = conversation;
  const trims: Edit[] = tail
    .filter((message, at) => message !== recent[at])
    .map((message) => ({
      kind: "replace",
      position: message.position,
      message,
      reason: "recent message fitted to the target",
    }));
  const edits: Edit[] = [...notes];
  if (text !== undefined) {
    const reason = "replaced by the hand-off";
    const stays = new Set([...fixed, ...tail].map((message) => message.position));
    for (const { position } of messages)
      if (!stays.has(position)) edits.push({ kind: "remove", position, reason });
    const trimmed = new Set(trims.map((edit) => (edit.kind === "replace" ? edit.position : -1)));
    for (const message of freed) {
      if (trimmed.has(message.position)) continue;
      edits.push({
        kind: "replace",
        position: message.position,
        message,
        reason: "earlier hand-off folded into the new one",
      });
    }
    if (place.kind === "insert") {
      const handoff: Edit = {
        kind: "insert",
        before: placeAt,
        message: format.create(place.role, [{ type: "text", text }]),
        reason: `stands for ${regions.archivable.length} messages`,
      };
      edits.push(...(place.bridge === "after" ? [handoff, ...bridges] : [...bridges, handoff]));
    } else {
      edits.push(...bridges);
      const host = [...fixed, ...tail].find((message) => message.position === placeAt)!;
      edits.push({
        kind: "replace",
        position: placeAt,
        message: mergeHandoff(text, host),
        reason: "the hand-off joins this message",
      });
    }
  }
  const steps: PlanStep[] = [];
  let current = messages;
  for (const [stage, changes] of [
    ["trim", trims],
    ["hand-off", edits],
  ] as const) {
    if (changes.length === 0) continue;
    const next = applyEdits(current, changes);
    steps.push({
      stage,
      edits: changes,
      tokensBefore: countedTokens(current, counter, messages),
      tokensAfter: countedTokens(next, counter, messages),
    });
    current = next;
  }
  return steps;
}
