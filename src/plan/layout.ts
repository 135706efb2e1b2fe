/** Layout: which messages a hand-off would replace, which stay, and where it would be. */
import { LONGEST_ID } from "../archive/marks.ts";
import {
  holdsHandoff,
  isHandoffMessage,
  type Separated,
  separateHandoff,
} from "../conversation/handoffs/separate.ts";
import { isUserMessage, type Message, makesCalls, messageWith } from "../conversation/message.ts";
import { groupAt, groupsOf } from "../conversation/turn.ts";
import { bridge, bridgesIn } from "../engine/bridges.ts";
import { type HandoffPlace, placeHandoff } from "../engine/place.ts";
import { asksOf, constraintsOf } from "../handoff/asks.ts";
import type { HandoffRequest } from "../handoff/compose.ts";
import { rulesWithin } from "../handoff/rules.ts";
import { SHARES } from "../handoff/shares.ts";
import { withRelative } from "../policy/retention.ts";
import { MESSAGE_TOKENS } from "../tokens/token-counter.ts";
import { applyEdits } from "./apply-edits.ts";
import { countedTokens } from "./counted-tokens.ts";
import { filledTailStart, type TailRoom } from "./filled-tail.ts";
import { holdsAny } from "./in-view.ts";
import type { Edit, Regions } from "./plan.ts";
import type { PlanRequest } from "./plan-request.ts";
import { splitRegions } from "./regions.ts";
import { noteEdits } from "./system-note.ts";
import { mostAskTokens, newestTokens, restatedAsk, tailCeiling, tailStart } from "./tail.ts";
import { wholeTailStart } from "./whole-tail.ts";

export interface Layout {
  readonly regions: Regions;
  /** Head and pinned messages, as they will be. */
  readonly fixed: readonly Message[];
  readonly fixedTokens: number;
  readonly notes: readonly Edit[];
  /** Messages that keep the roles taking turns between those that stay; `fixedTokens` has what they cost. */
  readonly bridges: readonly Edit[];
  readonly recent: readonly Message[];
  /** The share of the room that the recent messages may have. */
  readonly tailLimit: number;
  /** Those of the fixed and the recent messages that an earlier hand-off was merged into, without it. */
  readonly freed: readonly Message[];
  readonly place: HandoffPlace;
  /** The position before which an inserted hand-off goes, or of the message it is merged into. */
  readonly placeAt: number;
  /** What the hand-off must cost besides its text: a message's own 4, or the join with its neighbour. */
  readonly placeTokens: number;
  /** Absent when there is nothing to hand off. */
  readonly handoff?: HandoffRequest;
}

/** Head messages and protected ones may take this share of the target before they yield. */
const SOFT_SHARE = 0.2;

export interface TailWish {
  /** Scales what the policy wants to keep at the end; with 0 only what cannot shrink stays. */
  readonly share: number;
  /** Whether the latest ask may stay instead of a last group of which nothing would be shown. */
  readonly restates: boolean;
  /** The ask may stay alone even where nothing but the last group is there to be handed off. */
  readonly mayStandAlone?: boolean;
  /** Nothing is handed off: the tail is what the lighter stages leave alone, and no more than the policy's share. */
  readonly isLight?: boolean;
  /**
   * Head and tail stay byte for byte, or this is no way to do it. `capped`: messages that are kept for what they say give
   * way, and what the tail has beyond its count keeps to the ceiling; `counted`: it has nothing beyond.
   */
  readonly whole?: "all" | "capped" | "counted";
  /** What the tail may have in place of the share, because the story does not need it. */
  readonly room?: TailRoom;
}

export function layOut(request: PlanRequest, wish: TailWish): Layout {
  const { conversation, policy, counter, targetTokens, format } = request;
  const { messages } = conversation;
  const tailLimit = wish.isLight
    ? policy.retention.ceiling
    : tailCeiling(policy, targetTokens, countedTokens(messages, counter, messages));
  // How far back a text form's tail goes is its preset's to say.
  const room = policy.handoff.form === "text" ? undefined : wish.room;
  const ceilingTokens = room?.tokens ?? targetTokens * tailLimit * wish.share;
  const newest = newestTokens(messages, targetTokens, counter) * wish.share;
  const softTokens = wish.share === 0 ? 0 : targetTokens * SOFT_SHARE;
  const regions = withView(
    regionsOf(request, {
      ceilingTokens,
      newest,
      softTokens,
      restates: wish.restates,
      mayStandAlone: wish.mayStandAlone ?? false,
      whole: wish.whole ?? (wish.isLight && policy.retention.whole ? "all" : undefined),
      room,
    }),
    request,
  );
  const at = (position: number) => messages[position]!;
  const kept = [...regions.head, ...regions.pinned]
    .toSorted((a, b) => a - b)
    .map((each) => separate(at(each)));
  const tail = regions.recent.map((position) => separate(at(position)));
  const unnoted = kept.flatMap(({ own }) => own ?? []);
  const recent = tail.flatMap(({ own }) => own ?? []);
  const earlier = [...kept, ...tail].flatMap(({ handoff }) => handoff ?? []);
  const span = [...regions.archivable.map(at), ...earlier];
  const notes =
    span.length > 0 && policy.handoff.systemNote && !request.systemNoted ? noteEdits(messages[0]) : [];
  const fixed = unnoted.map((message) => noted(notes, message.position) ?? message);
  const { before, after, insertBefore } = neighbours(fixed, recent, messages.length);
  const { handoffRoles, leadRoles } = format;
  const role = policy.handoff.role;
  const mayMerge = wish.whole === undefined;
  const place = placeHandoff({ before, after, role, handoffRoles, leadRoles, mayMerge });
  // What is in view may be before what is pinned.
  const staying = [...fixed, ...recent].toSorted((a, b) => a.position - b.position);
  const stand = applyEdits(staying, handoffAt(place, insertBefore, format));
  const own = place.kind === "insert" ? place.bridge : undefined;
  const bridges =
    span.length > 0
      ? [...(own ? [bridge(insertBefore, format)] : []), ...bridgesIn(stand, messages, format)]
      : [];
  const stays = new Set(staying.map((message) => message.position));
  const asks = asksOf(messages, (message) => stays.has(message.position));
  const handoff: HandoffRequest = {
    span,
    stay: staying.filter((message) => message.role !== "system" || recent.includes(message)),
    asks,
    constraints: rulesWithin(constraintsOf(span), rulesRoom(targetTokens), counter),
    ...(request.marks && { archived: LONGEST_ID }),
    answered: endsInWords(messages),
    maxAskTokens: Math.floor(targetTokens / 4),
    ...(request.lessons && { lessons: request.lessons }),
    policy,
    counter,
  };
  return {
    regions,
    fixed,
    fixedTokens: countedTokens([...fixed, ...bridges.map(({ message }) => message)], counter, messages),
    notes,
    bridges,
    recent,
    tailLimit,
    freed: [...unnoted, ...recent].filter((message) => message !== at(message.position)),
    place,
    placeAt: place.kind === "insert" ? insertBefore : (place.into === "after" ? after : before)!.position,
    placeTokens: place.kind === "insert" ? MESSAGE_TOKENS : 2,
    ...(span.length > 0 ? { handoff } : {}),
  };
}

interface TailLimits {
  /** What the messages at the end may take. */
  readonly ceilingTokens: number;
  /** What the last group may take, where that is more. */
  readonly newest: number;
  /** What head and protected messages may take. */
  readonly softTokens: number;
  readonly restates: boolean;
  readonly mayStandAlone: boolean;
  readonly whole: TailWish["whole"];
  readonly room: TailWish["room"];
}

function regionsOf(
  request: PlanRequest,
  { ceilingTokens, newest, softTokens, restates, mayStandAlone, whole, room }: TailLimits,
): Regions {
  const { conversation, policy, counter, targetTokens, compactions } = request;
  const { messages } = conversation;
  const split = (start: number) =>
    splitRegions(messages, {
      policy,
      counter,
      tailStart: start,
      compactions,
      softTokens: whole === undefined || whole === "all" ? softTokens : 0,
      keepsHead: whole !== undefined,
    });
  const afterHandoff = Math.min(messages.findLastIndex(isOnlyHandoff) + 1, lastGroupStart(messages));
  const budgetTokens = request.budgetTokens ?? targetTokens;
  const retention = withRelative(policy.retention, messages, { capacity: budgetTokens, counter });
  if (whole !== undefined) {
    const share = (retention.percent ?? 0) * budgetTokens;
    const wishedTokens = Math.max(share, retention.tokens ?? 0);
    const mostTokens = { all: wishedTokens, capped: ceilingTokens, counted: 0 }[whole];
    const wantedTokens = Math.min(wishedTokens, mostTokens);
    return split(Math.max(wholeTailStart(messages, { retention, wantedTokens, counter }), afterHandoff));
  }
  const isText = policy.handoff.form === "text";
  const wanted = room
    ? filledTailStart(messages, room, counter)
    : tailStart(messages, {
        retention,
        budgetTokens,
        ceilingTokens,
        // In a story a message that would be cut says more as a line of it.
        messageCapTokens: isText ? Math.max(16, Math.floor(ceilingTokens / 3)) : Number.POSITIVE_INFINITY,
        maxAskTokens: isText || ceilingTokens === 0 ? 0 : mostAskTokens(targetTokens),
        counter,
      });
  // What is before an earlier hand-off is older than it: the tail never reaches back over one.
  const regions = split(Math.max(wanted, afterHandoff));
  // A text summary tells of no calls: it needs the group as long as there is any room for it.
  const mayRestate = restates && (!isText || ceilingTokens === 0);
  const ask = mayRestate
    ? restatedAsk(messages, { ceilingTokens: Math.max(ceilingTokens, newest), targetTokens }, counter)
    : undefined;
  if (ask === undefined || (!mayStandAlone && regions.archivable.every((position) => position === ask)))
    return regions;
  const { head, pinned, archivable } = split(messages.length);
  const isLast = archivable.includes(ask) && pinned.every((position) => position < ask);
  return isLast
    ? { head, pinned, archivable: archivable.filter((position) => position !== ask), recent: [ask] }
    : regions;
}

/** What is in view is recent, wherever it is, with the calls that brought it. */
function withView(regions: Regions, { conversation, inView }: PlanRequest): Regions {
  if (!inView) return regions;
  const { messages } = conversation;
  const isHeld = (position: number) => {
    const { start, end } = groupAt(messages, position);
    return messages.slice(start, end).some((message) => holdsAny(message, inView));
  };
  const archivable = regions.archivable.filter((position) => !isHeld(position));
  const recent = [...regions.recent, ...regions.archivable.filter(isHeld)].toSorted((a, b) => a - b);
  return { ...regions, archivable, recent };
}

/** A message that stays, and the hand-off that was merged into it. System prompts and pinned hand-offs stay as they are. */
function separate(message: Message): Separated {
  const isPrompt = message.role === "system" && !isHandoffMessage(message);
  if (isPrompt) return { own: message, handoff: undefined };
  const { own, handoff } = separateHandoff(message);
  if (own === undefined && message.pinned) return { own: message, handoff: undefined };
  // It is told where it was.
  return { own, handoff: handoff && messageWith(handoff, { position: message.position }) };
}

function lastGroupStart(messages: readonly Message[]): number {
  return groupsOf(messages).findLast((group) => messages[group.start]!.role !== "system")?.start ?? 0;
}

/** Nothing is left of it once its hand-off is folded into the next one. */
function isOnlyHandoff(message: Message): boolean {
  return !message.pinned && holdsHandoff(message) && separateHandoff(message).own === undefined;
}

/** After the pinned messages, unless those would then speak first although they are not the user's (R4). */
function neighbours(fixed: readonly Message[], recent: readonly Message[], end: number) {
  const from = recent[0]?.position ?? end;
  const visible = fixed.filter((message) => message.role !== "system" && message.position < from);
  const first = visible[0];
  if (first && !isUserMessage(first))
    return { before: undefined, after: first, insertBefore: first.position };
  return { before: visible.at(-1), after: recent[0], insertBefore: from };
}

export function rulesRoom(targetTokens: number): number {
  return Math.max(SHARES.leastRules, Math.floor(targetTokens * SHARES.rules));
}

/** An empty one, to see who would speak after whom. */
function handoffAt(place: HandoffPlace, before: number, { create }: PlanRequest["format"]): readonly Edit[] {
  if (place.kind === "merge") return [];
  return [{ kind: "insert", before, message: create(place.role, []), reason: "" }];
}

function noted(notes: readonly Edit[], position: number): Message | undefined {
  const edit = notes.find((each) => each.kind === "replace" && each.position === position);
  return edit?.kind === "replace" ? edit.message : undefined;
}

/** The assistant had the last word, and it is not a call. */
function endsInWords(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  return last?.role === "assistant" && !makesCalls(last);
}
