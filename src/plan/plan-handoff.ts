/** Plans the hand-off: the archivable span becomes one message, the tail is fitted, and the whole meets the target. */
import { textOfMessage } from "../conversation/message.ts";
import { TargetUnreachableError } from "../errors/target-unreachable-error.ts";
import { composeHandoff, storyRoom } from "../handoff/compose.ts";
import { mustKeepLines } from "../ledger/told-facts.ts";
import { countedTokens } from "./counted-tokens.ts";
import type { Telling } from "./draft.ts";
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
    const { tokens, parts } = floorOf(request);
    throw new TargetUnreachableError(request.targetTokens, tokens, parts);
  };
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
  return { request: roomy, wish, fitted: fitHandoff(roomy, layout, wish, 0) };
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

/** Undefined when this attempt cannot meet the target. What a short story leaves of the room goes to messages that were cut for it. */
function tell(
  { request, wish, fitted }: Attempt,
  telling: Telling | undefined,
): Omit<HandoffPlan, "passes"> | undefined {
  const { targetTokens, policy } = request;
  const planned = fitted && tellFitted(request, fitted, telling);
  const left = planned ? targetTokens - planned.tokensAfter : 0;
  const isCut = planned?.steps.some(({ stage }) => stage === "trim") ?? false;
  // A text form has no use for the room, unless a model is still to be asked for its lines.
  const isKept = policy.handoff.form === "text" && telling === "reserved";
  if (!fitted || !isCut || wish.share === 0 || isKept || left < targetTokens * LEAST_LEFT) return planned;
  const more = left - Math.floor(targetTokens * SLACK);
  const larger = fitHandoff(request, fitted.layout, wish, more);
  return (larger && tellFitted(request, larger, telling)) ?? planned;
}

/** Less than this share of the target is not given out a second time, and so much stays for what was estimated too low. */
const LEAST_LEFT = 0.15;
const SLACK = 0.05;

function tellFitted(
  request: PlanRequest,
  fitted: Fitted,
  telling: Telling | undefined,
): Omit<HandoffPlan, "passes"> | undefined {
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
