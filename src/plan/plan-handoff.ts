/** Plans the hand-off: the archivable span becomes one message, the tail is fitted, and the whole meets the target. */
import { textOfMessage } from "../conversation/message.ts";
import { TargetUnreachableError } from "../errors/target-unreachable-error.ts";
import { composeHandoff, storyRoom } from "../handoff/compose.ts";
import { mustKeepLines } from "../ledger/told-facts.ts";
import { countedTokens } from "./counted-tokens.ts";
import type { Telling } from "./draft.ts";
import type { TailRoom } from "./filled-tail.ts";
import { type Fitted, fitHandoff, withRoomBeside } from "./fit-handoff.ts";
import { floorOf, LEAST_WISHES } from "./floor.ts";
import { stepsOf } from "./handoff-steps.ts";
import { layOut, type TailWish } from "./layout.ts";
import type { HandedOff, Plan, PlanStep, Regions } from "./plan.ts";
import type { PlanRequest } from "./plan-request.ts";

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

/**
 * The hand-off as it is told, with what a model wrote or without it; what was read and laid out for one telling serves the
 * next. A telling throws TargetUnreachableError, naming the parts, when not even the floor fits.
 */
export function draftHandoff(request: PlanRequest): (telling?: Telling) => HandoffPlan {
  const wishes = request.policy.retention.whole ? [...WHOLE_WISHES, ...TAIL_WISHES] : TAIL_WISHES;
  const attempts = wishes.map((wish) => once(() => attemptAt(request, wish)));
  return (telling) => {
    let squeezed: { readonly plan: HandoffPlan; readonly lost: number } | undefined;
    for (const [pass, { whole, share }] of wishes.entries()) {
      const planned = tell(attempts[pass]!(), telling);
      if (!planned) continue;
      const plan = { ...planned, passes: pass + 1 };
      if (whole) return plan;
      // What a model wrote is not written again: rather than lose some of it, the newest messages are told in less.
      const lost = lostStory(request, plan, telling);
      if (lost === 0) return plan;
      // Where less for the newest does not help, they keep what they had.
      if (!squeezed || lost < squeezed.lost) squeezed = { plan, lost };
      if (share < 1) break;
    }
    if (squeezed) return squeezed.plan;
    throw unreachable(request);
  };
}

/** A conversation may have less than a hand-off of it would: then it is the least itself. */
function unreachable(request: PlanRequest): TargetUnreachableError {
  const { conversation, counter, targetTokens } = request;
  const { messages } = conversation;
  const { tokens, parts } = floorOf(request);
  const size = countedTokens(messages, counter, messages);
  const isPinned = messages.some(({ pinned, role }) => pinned && role !== "system");
  const floorTokens = Math.min(tokens, size);
  return new TargetUnreachableError({ targetTokens, floorTokens, parts, isWhole: size <= tokens, isPinned });
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** One way to divide the target. */
interface Attempt {
  readonly request: PlanRequest;
  readonly wish: TailWish;
  /** Undefined when the target cannot be met so. */
  readonly fitted: Fitted | undefined;
}

function attemptAt(request: PlanRequest, wish: TailWish): Attempt {
  const layout = layOut(request, wish);
  const roomy = wish.whole ? withRoomBeside(request, layout) : request;
  return { request: roomy, wish, fitted: fitHandoff(roomy, layout, wish) };
}

/** The lines of a story for which there is no place, or the tokens of an earlier one that is to be told on. */
function lostStory(
  { policy }: PlanRequest,
  { handedOff, steps }: HandoffPlan,
  telling: Telling | undefined,
): number {
  if (policy.handoff.form === "text") return 0;
  if (telling === undefined || telling === "reserved" || telling.lines.length === 0)
    return handedOff?.room?.missingTokens ?? 0;
  const edits = steps.flatMap((step) => step.edits);
  const text = edits.map((edit) => (edit.kind === "remove" ? "" : textOfMessage(edit.message))).join("\n");
  return telling.lines.filter((line) => !text.includes(line)).length;
}

type Told = Omit<HandoffPlan, "passes">;

/** Undefined when this attempt cannot meet the target. */
function tell({ request, wish, fitted }: Attempt, telling: Telling | undefined): Told | undefined {
  const planned = fitted && tellFitted(request, fitted, telling);
  // A text form has no use for the room, unless a model is still to be asked for its lines.
  const isKept = request.policy.handoff.form === "text" && telling === "reserved";
  if (!planned || wish.whole || wish.share === 0 || isKept) return planned;
  return withRoomGiven({ request, wish, fitted }, planned, telling);
}

/**
 * What a short story leaves of the target goes to the recent messages: they reach further back, and less is cut from them.
 * What was told of a message leaves with it, and so there may be something left again.
 */
function withRoomGiven(
  { request, wish, fitted }: Attempt & { readonly fitted: Fitted },
  planned: Told,
  telling: Telling | undefined,
): Told {
  const { targetTokens } = request;
  let best: { readonly fitted: Fitted; readonly planned: Told } = { fitted, planned };
  let mostShare = MOST_SHARE_OF_EACH;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    if (targetTokens - best.planned.tokensAfter < targetTokens * LEAST_LEFT) break;
    const room = roomGiven(request, best.fitted, best.planned, mostShare);
    const roomy = { ...wish, room };
    const more = fitHandoff(request, layOut(request, roomy), roomy);
    const isAllowed = more?.handoff !== undefined || !request.mustHandOff;
    const next = more && isAllowed ? tellFitted(request, more, telling) : undefined;
    if (more && next && next.tokensAfter > best.planned.tokensAfter) best = { fitted: more, planned: next };
    else if (room.mostEach === LEAST_OF_EACH) break;
    else mostShare /= 4;
  }
  return best.planned;
}

function roomGiven(
  { targetTokens, conversation, counter }: PlanRequest,
  { layout, tail }: Fitted,
  { tokensAfter }: Told,
  mostShare: number,
): TailRoom {
  const { messages } = conversation;
  const tailTokens = countedTokens(tail, counter, messages);
  const tokens = targetTokens - Math.floor(targetTokens * SLACK) - tokensAfter + tailTokens;
  const span = layout.regions.archivable.map((position) => messages[position]!);
  const told = tokensAfter - tailTokens - layout.fixedTokens;
  return {
    tokens,
    mostEach: Math.max(LEAST_OF_EACH, Math.floor(tokens * mostShare)),
    toldBefore: layout.recent[0]?.position ?? messages.length,
    toldShare: Math.min(1, told / Math.max(1, countedTokens(span, counter, messages))),
  };
}

/** Less than this share of the target is not given out a second time, and so much stays for what was estimated too low. */
const LEAST_LEFT = 0.15;
const SLACK = 0.05;
const MOST_PASSES = 4;
/** Rather than that an older message is handed off, a message is cut to this share of the room; to less where that is of no help. */
const MOST_SHARE_OF_EACH = 1 / 8;
/** In tokens: below it little more than that it is not shown could be said of it. */
const LEAST_OF_EACH = 60;

function tellFitted(request: PlanRequest, fitted: Fitted, telling: Telling | undefined): Told | undefined {
  const { conversation, counter, targetTokens } = request;
  const { layout, tail, span, handoff } = fitted;
  const written = handoff && writeHandoff(handoff, telling);
  const steps = stepsOf(request, layout, tail, written?.text);
  const tokensAfter =
    steps.at(-1)?.tokensAfter ?? countedTokens(conversation.messages, counter, conversation.messages);
  if (tokensAfter > targetTokens) return undefined;
  return {
    regions: layout.regions,
    ...(span && { span }),
    steps,
    tokensAfter,
    ...(written && { handedOff: written.handedOff }),
  };
}

/** The hand-off's text, and what is known of what it stands for. */
function writeHandoff(
  { request, options, ledger }: NonNullable<Fitted["handoff"]>,
  telling: Telling | undefined,
): { readonly text: string; readonly handedOff: HandedOff } {
  const isWritten = telling !== undefined && telling !== "reserved";
  const { text, told } = composeHandoff(isWritten ? { ...request, story: telling } : request, options);
  const room = telling === "reserved" ? storyRoom(request, options) : undefined;
  const verbatim = request.constraints.length + (request.asks.latest === "" ? 0 : 1);
  const mustKeep = mustKeepLines(options.ledger);
  return { text, handedOff: { ledger, mustKeep, told, verbatim, ...(room && { room }) } };
}
