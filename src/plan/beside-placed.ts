/**
 * Plans beside what programs put among the messages: the rest is planned as if it were not there, and then it gets its place.
 * What a later one says again leaves with the hand-off, and the oldest do where there are too many.
 */
import { withMessages } from "../conversation/conversation.ts";
import { type Message, messageWith } from "../conversation/message.ts";
import { type Part, textOfPart } from "../conversation/part.ts";
import { applyEdits } from "./apply-edits.ts";
import { changedDraft, type Draft, type Telling } from "./draft.ts";
import type { Edit, Plan, PlanStep, Regions } from "./plan.ts";
import type { PlanRequest } from "./plan-request.ts";
import { settlePlaced } from "./settle-placed.ts";

/** Of the target: what else programs said may take so much beside it. */
const MOST_SHARE = 0.2;

export function draftBesidePlaced(request: PlanRequest, draft: (beside: PlanRequest) => Draft): Draft {
  const { messages } = request.conversation;
  const placed = messages.filter((message) => message.placed);
  if (placed.length === 0) return draft(request);
  const rest = messages.filter((message) => !message.placed);
  const goes = partsThatGo(placed, request);
  const besides = placed.filter((message) => isGone(message, goes));
  // subtle: those that leave have places past the end, so that a span can name them.
  const origins = [...rest, ...besides].map(({ position }) => position);
  const numbered = [...rest, ...besides].map((message, position) => messageWith(message, { position }));
  const beside = draft({
    ...request,
    conversation: withMessages(request.conversation, numbered.slice(0, rest.length)),
    besides: numbered.slice(rest.length),
  });
  const { told, ...known } = changedDraft(beside, (plan) => withPlaced(plan, request, origins, goes));
  // A story is told up to a place in the whole conversation.
  const toldHere = (telling: Telling): Telling =>
    telling === "reserved"
      ? telling
      : { ...telling, until: rest.filter(({ position }) => position < telling.until).length };
  return { ...known, ...(told && { told: (telling) => told(toldHere(telling)) }) };
}

/**
 * What the first says is what the program began with, and the last is the newest: both stay. Of the others, what is said again
 * later goes, numbers aside, and past their share of the target the oldest. What is no text cannot be said in other words.
 */
function partsThatGo(placed: readonly Message[], { targetTokens, counter }: PlanRequest): ReadonlySet<Part> {
  const goes = new Set<Part>();
  const said = new Set<string>();
  const first = placed[0]!.parts[0];
  const begun = first && wordsOf(first);
  let room = targetTokens * MOST_SHARE;
  for (const message of placed.toReversed()) {
    for (const part of message.parts.toReversed()) {
      if (part.type !== "text" || message.pinned) continue;
      const words = wordsOf(part);
      const isSaidAgain = said.has(words);
      said.add(words);
      const stays = words === begun || message === placed.at(-1);
      if (!isSaidAgain && !stays) room -= counter.text(part.text);
      if (isSaidAgain || (!stays && room < 0)) goes.add(part);
    }
  }
  return goes;
}

function wordsOf(part: Part): string {
  return textOfPart(part).replace(/\d+/g, "0");
}

function isGone({ parts }: Message, goes: ReadonlySet<Part>): boolean {
  return parts.length > 0 && parts.every((part) => goes.has(part));
}

/** The plan in terms of the whole conversation. Where nothing is handed off, what programs said stays as it is. */
function withPlaced(
  plan: Plan,
  { conversation, format }: PlanRequest,
  origins: readonly number[],
  goes: ReadonlySet<Part>,
): Plan {
  const { messages } = conversation;
  const here = (position: number): number => origins[position] ?? position;
  const restEnd = messages.filter(({ placed }) => !placed).length;
  const beforeHere = (before: number): number => (before < restEnd ? here(before) : messages.length);
  let current = messages;
  const steps = plan.steps.map((step): PlanStep => {
    const moved = step.edits.map((edit) => editHere(edit, here, beforeHere));
    const edits = step.stage === "hand-off" ? settled(moved) : moved;
    current = applyEdits(current, edits);
    return { ...step, edits };
  });

  function settled(edits: readonly Edit[]): readonly Edit[] {
    const gone = messages.filter((message) => message.placed && isGone(message, goes));
    const removed = gone.map(({ position }): Edit => ({ kind: "remove", position, reason: NO_LONGER }));
    const after = applyEdits(current, [...edits, ...removed]);
    const join = (several: readonly Message[]) => format.joined!(several, (part) => !goes.has(part));
    return [...removed, ...arranged(edits, after, settlePlaced(after, join), messages.length)];
  }

  const isHandedOff = steps.some(({ stage }) => stage === "hand-off");
  return {
    ...plan,
    steps,
    regions: regionsHere(plan.regions, here, messages, (message) => isHandedOff && isGone(message, goes)),
    ...(plan.span && { span: { ...plan.span, positions: plan.span.positions.map(here) } }),
  };
}

const NO_LONGER = "a program's words that are said again later, or among the oldest of too many";
const PLACED = "a program's words may only be between the user's and the assistant's";

type Place = (position: number) => number;

function editHere(edit: Edit, here: Place, beforeHere: Place): Edit {
  if (edit.kind === "remove") return { ...edit, position: here(edit.position) };
  const message = messageWith(edit.message, { position: here(edit.message.position) });
  if (edit.kind === "replace") return { ...edit, position: here(edit.position), message };
  return { ...edit, before: beforeHere(edit.before), message };
}

/** The edits that make `wanted` of what is there: those that were there, with the insertions in their new order. */
function arranged(
  edits: readonly Edit[],
  there: readonly Message[],
  wanted: readonly Message[],
  end: number,
): readonly Edit[] {
  const reasons = new Map(
    edits.flatMap((edit) => (edit.kind === "insert" ? [[edit.message, edit.reason]] : [])),
  );
  const kept = edits.filter(({ kind }) => kind !== "insert");
  const stays = stayingIn(there, wanted);
  const removed = there
    .filter((message) => message.placed && !stays.has(message))
    .map(({ position }): Edit => ({ kind: "remove", position, reason: PLACED }));
  const inserted: Edit[] = [];
  const pending: Message[] = [];
  const insertBefore = (before: number): void => {
    for (const message of pending.splice(0))
      inserted.push({ kind: "insert", before, message, reason: reasons.get(message) ?? PLACED });
  };
  for (const message of wanted) {
    if (stays.has(message)) insertBefore(message.position);
    else pending.push(message);
  }
  insertBefore(end);
  return [...kept, ...removed, ...inserted];
}

/** The messages that came in and are where they were: each placed one after as many others as before. */
function stayingIn(there: readonly Message[], wanted: readonly Message[]): ReadonlySet<Message> {
  const before = placesIn(there);
  const stays = new Set<Message>();
  for (const [message, place] of placesIn(wanted)) {
    if (message.position >= 0 && (!message.placed || before.get(message) === place)) stays.add(message);
  }
  return stays;
}

function placesIn(messages: readonly Message[]): ReadonlyMap<Message, number> {
  let others = 0;
  return new Map(messages.map((message) => [message, message.placed ? others : others++]));
}

function regionsHere(
  regions: Regions,
  here: Place,
  messages: readonly Message[],
  goes: (message: Message) => boolean,
): Regions {
  const placed = messages.filter((message) => message.placed);
  const positions = (leave: boolean) =>
    placed.filter((message) => goes(message) === leave).map(({ position }) => position);
  const inOrder = (...lists: readonly (readonly number[])[]) => lists.flat().toSorted((a, b) => a - b);
  return {
    head: regions.head.map(here),
    pinned: inOrder(regions.pinned.map(here), positions(false)),
    archivable: inOrder(regions.archivable.map(here), positions(true)),
    recent: regions.recent.map(here),
  };
}
