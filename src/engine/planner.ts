/** draftByEngine: from a conversation and a target to a Plan, by the engine. The only file of the engine that knows a Plan. */
import { LONGEST_ID } from "../archive/marks.ts";
import { withPrefix } from "../conversation/handoffs/prefixes.ts";
import { handoffIn, separateHandoff } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import {
  carriesResults,
  isUserMessage,
  makesCalls,
  proseOf,
  textOfMessage,
} from "../conversation/message.ts";
import { groupAt, groupsOf } from "../conversation/turn.ts";
import { type FloorPart, TargetUnreachableError } from "../errors/target-unreachable-error.ts";
import { emptyLedger } from "../ledger/ledger.ts";
import { applyEdits } from "../plan/apply-edits.ts";
import { draftBesideView } from "../plan/beside-view.ts";
import { countedTokens } from "../plan/counted-tokens.ts";
import { changedDraft, type Draft } from "../plan/draft.ts";
import { holdsAny } from "../plan/in-view.ts";
import { originalsNamed } from "../plan/originals-named.ts";
import type { Edit, Plan, PlanStep, Regions, StageName, YieldsTo } from "../plan/plan.ts";
import { draftCompaction } from "../plan/plan-compaction.ts";
import type { PlanRequest } from "../plan/plan-request.ts";
import { splitRegions } from "../plan/regions.ts";
import { noteEdits } from "../plan/system-note.ts";
import { wholeTailStart } from "../plan/whole-tail.ts";
import type { Policy } from "../policy/policy.ts";
import { withRelative } from "../policy/retention.ts";
import { markerAnnotation, markerPhrases } from "../sources/synthorg/epistemic-markers.ts";
import { compactMessages, type EngineResult } from "./engine.ts";
import type { Fact } from "./facts.ts";
import { mustKeepsIn } from "./must-keeps.ts";
import { NUMBERS } from "./numbers.ts";
import { besideTokens, type Conceded, conceding, concessionsOf, yieldingAmong } from "./protection.ts";
import { roomOf, STANDS_HERE } from "./story-room.ts";
import { withoutThinking } from "./thinking.ts";
import type { StoryRoom, Written } from "./written.ts";

/** What the engine cannot do yet goes to the planner that is there. */
export function plansByEngine({ handoff }: Pick<Policy, "handoff">): boolean {
  return handoff.form !== "text" && handoff.archiveOnly !== true;
}

/** F93: nothing of ours stands around what a model wrote. */
export function isBare({ handoff }: Pick<Policy, "handoff">): boolean {
  return handoff.form === "bare";
}

export function draftByEngine(request: PlanRequest): Draft {
  const mayHandOff = request.action === "hand-off" || request.action === "trim";
  if (!mayHandOff || !plansByEngine(request.policy)) return draftCompaction(request);
  return ownSteps(request) ?? draftAll(request);
}

/** A policy that extracts sentences brings its source's own steps: they come first, and the hand-off where they do not reach the target (F1). */
function ownSteps(request: PlanRequest): Draft | undefined {
  if (!request.policy.extract || request.mustHandOff) return undefined;
  const draft = draftCompaction({ ...request, action: "extract" });
  return draft.plan.tokensAfter <= request.targetTokens ? draft : undefined;
}

function draftAll(request: PlanRequest): Draft {
  return changedDraft(draftBesideView(request, draftRest), (plan) => ({
    ...plan,
    originals: originalsNamed(plan.steps, request.marks, plan.span),
  }));
}

function draftRest(request: PlanRequest): Draft {
  const { conversation, policy, counter, targetTokens } = request;
  const { messages } = conversation;
  const tokensBefore = countedTokens(messages, counter, messages);
  const base = { preset: policy.name, targetTokens, tokensBefore, originals: [], fingerprints: {} };
  if (tokensBefore <= targetTokens && !request.mustHandOff) {
    return {
      plan: { ...base, tokensAfter: tokensBefore, regions: softRegions(request), steps: [], passes: 0 },
    };
  }
  const note = policy.handoff.systemNote && !request.systemNoted ? noteEdits(messages[0]) : [];
  const planWith = (told?: Written): Pick<Compacted, "result" | "roomTokens"> & { readonly plan: Plan } => {
    const { result, regions, passes, protects, roomTokens } = compacted({
      request,
      targetTokens,
      note,
      told,
    });
    if (told && !(result.fits && result.handoff))
      throw new TargetUnreachableError({ targetTokens, floorTokens: result.tokens, parts: [] });
    if (!result.fits) throw unreachable(request, note, result);
    const steps = stepsOf(request, result, { note, protects });
    const { handoff } = result;
    const gone = [...(handoff?.span ?? []), ...(request.besides ?? []).map(({ position }) => position)];
    const plan: Plan = {
      ...base,
      steps,
      tokensAfter: steps.at(-1)?.tokensAfter ?? tokensBefore,
      regions: regionsOf(regions, result, messages),
      passes,
      ...(handoff?.id !== undefined && {
        span: { id: handoff.id, positions: gone, turns: gone.map((_, at) => handoff.numbers[at] ?? "") },
      }),
      ...(handoff && {
        handedOff: {
          ledger: emptyLedger,
          ...mustKeepsIn(result),
          verbatim: 0,
          sources: handoff.sources,
          // What a model wrote is read as a summary, whoever knows it.
          ...(isBare(policy) && !told && { bareStory: handoffIn(handoff.message)?.framed ?? "" }),
        },
      }),
    };
    return { plan, result, roomTokens };
  };
  const { plan, result, roomTokens } = planWith();
  if (!plan.handedOff) return { plan };
  return {
    plan,
    told: (telling) => {
      if (telling !== "reserved") return planWith(telling).plan;
      const room = roomBeside({ ...request, targetTokens: roomTokens }, result);
      return { ...plan, handedOff: { ...plan.handedOff!, ...(room && { room }) } };
    },
  };
}

/** The place of a model's text: it gets the room of the agent's older words. */
function roomBeside(request: PlanRequest, { leastTokens, handoff }: EngineResult): StoryRoom | undefined {
  const { conversation, counter, policy, targetTokens } = request;
  const span = handoff!.span.map((position) => conversation.messages[position]!);
  const room = roomOf({ span, counter, policy }, Math.max(0, targetTokens - leastTokens));
  if (isBare(policy)) return room && { ...room, beside: withPrefix(STANDS_HERE, policy.handoff.prefix) };
  const text = textOfMessage(handoff!.message);
  const at = text.search(/^>/m);
  const beside =
    at < 0 ? `${text}\n${STANDS_HERE}` : `${text.slice(0, at)}» ${STANDS_HERE}\n${text.slice(at)}`;
  return room && { ...room, beside };
}

interface CompactedRequest {
  readonly request: PlanRequest;
  readonly targetTokens: number;
  readonly note: readonly Edit[];
  /** What a model wrote. */
  readonly told?: Written | undefined;
}

interface Compacted {
  readonly result: EngineResult;
  readonly regions: Regions;
  readonly passes: number;
  /** The target, or what it was exceeded to for what is protected. */
  readonly roomTokens: number;
  /** The positions of what the policy protects, but for what stays anyway. */
  readonly protects: ReadonlySet<number>;
}

/** With all that the policy protects; where there is no room for that, with what there is room for. */
function compacted({ request, targetTokens, note, told }: CompactedRequest): Compacted {
  const { conversation, policy, counter, format, marks, mustHandOff = false, besides = [] } = request;
  const { messages } = conversation;
  const seen = seenIn(request);
  let passes = 0;
  const attempt = (regions: Regions, roomTokens: number, conceded?: Conceded): EngineResult => {
    const stays = (position: number) => !conceded?.gone.has(position);
    const isLess = (position: number) => conceded?.less.has(position) === true;
    const recent = regions.recent.filter(stays);
    const all = [...staysIn(regions), ...seen].filter(stays);
    const result = compactMessages({
      messages,
      targetTokens: roomTokens,
      noteTokens: tokensOf(request, note),
      counter,
      format,
      fixed: new Set(all.filter((position) => !isLess(position))),
      live: new Set([...recent, ...seen]),
      kept: conceded && new Set(all.filter(isLess)),
      running: runningFrom(messages),
      ours: request.ours ?? new Set(),
      told: told && { text: told.lines.join("\n"), until: told.until },
      bare: isBare(policy),
      mustHandOff,
      learns: request.lessons !== undefined,
      remarkOn: policy.markers.annotate ? doubtsIn : undefined,
      prefix: policy.handoff.prefix,
      role: policy.handoff.role,
      ids: marks && {
        longest: LONGEST_ID,
        text: marks.text,
        span: (span, numbers) => marks.span([...span, ...besides], [...numbers, ...besides.map(() => "")]),
      },
    });
    passes += result.passes;
    return result;
  };
  const soft = softRegions(request);
  const counted = policy.retention.whole ? protectedRegions(request) : undefined;
  const protects = yieldingAmong(messages, counted ? staysIn(counted) : [], (position) => seen.has(position));
  const roomTokens = counted ? roomFor(request, targetTokens, counted) : targetTokens;
  const kept =
    counted &&
    conceding(concessionsOf(messages, protects, counter), roomTokens, (conceded) =>
      attempt(counted, roomTokens, conceded),
    );
  if (kept) return { result: kept, regions: counted, passes, roomTokens, protects };
  // Protected messages of no counted source yield last of all.
  const result = attempt(soft, targetTokens);
  if (result.fits) return { result, regions: soft, passes, roomTokens: targetTokens, protects };
  const least = softRegions(request, 0);
  return { result: attempt(least, targetTokens), regions: least, passes, roomTokens: targetTokens, protects };
}

/** A target of the policy's own is exceeded for what is protected and a hand-off beside it, as far as the window goes. */
function roomFor(request: PlanRequest, targetTokens: number, regions: Regions): number {
  const wanted = sizeOf(request, regions) + besideTokens(targetTokens);
  return Math.max(targetTokens, Math.min(ceilingOf(request), wanted));
}

/** What was refused for its size tells nothing of the window but that it is smaller. */
function ceilingOf({ targetTokens, roomTokens, isRefused }: PlanRequest): number {
  return isRefused ? targetTokens : Math.max(targetTokens, roomTokens ?? 0);
}

/** What the note costs in the system prompt. */
function tokensOf({ conversation, counter }: PlanRequest, note: readonly Edit[]): number {
  const { messages } = conversation;
  return note.length === 0 ? 0 : countedTokens(applyEdits(messages.slice(0, 1), note), counter, messages);
}

function softRegions(
  { conversation, policy, counter, compactions, targetTokens }: PlanRequest,
  softTokens = targetTokens * NUMBERS.soft,
): Regions {
  const { messages } = conversation;
  return splitRegions(messages, { policy, counter, tailStart: messages.length, compactions, softTokens });
}

/** What the policy's source keeps byte for byte: the head, and as many messages at the end as it counts; then what it fills. */
function protectedRegions(request: PlanRequest): Regions {
  const { conversation, policy, counter, compactions, targetTokens } = request;
  const { messages } = conversation;
  const budgetTokens = request.budgetTokens ?? targetTokens;
  const retention = withRelative(policy.retention, messages, { capacity: budgetTokens, counter });
  const softTokens = targetTokens * NUMBERS.soft;
  const filledWith = (wantedTokens: number): Regions => {
    const tailStart = wholeTailStart(messages, { retention, wantedTokens, counter });
    return splitRegions(messages, { policy, counter, tailStart, compactions, softTokens, keepsHead: true });
  };
  const wanted = Math.max((retention.percent ?? 0) * budgetTokens, retention.tokens ?? 0);
  const all = filledWith(wanted);
  // What nobody counts leaves the hand-off its part of the target.
  const isTooMuch = sizeOf(request, all) + NUMBERS.frame > targetTokens;
  return isTooMuch ? filledWith(Math.min(wanted, targetTokens * retention.ceiling)) : all;
}

function staysIn({ head, pinned, recent }: Regions): readonly number[] {
  return [...head, ...pinned, ...recent];
}

/** What the messages of these regions take. */
function sizeOf({ conversation, counter }: PlanRequest, regions: Regions): number {
  const { messages } = conversation;
  const stay = staysIn(regions).map((position) => messages[position]!);
  return countedTokens(stay, counter, messages);
}

/** The words of doubt in what the agent says in these messages, and in what an earlier hand-off tells of them (F66). */
function doubtsIn(span: readonly Message[]): Fact | undefined {
  const said = span.map((message) => {
    const earlier = handoffIn(message)
      ?.body.split("\n")
      .filter((text) => text.includes(DOUBTS));
    return earlier?.join("\n") ?? (message.role === "assistant" ? proseOf(message) : "");
  });
  const phrases = markerPhrases(said.join("\n"));
  if (phrases.length === 0) return undefined;
  const sources = span.flatMap(({ position }, at) => (markerPhrases(said[at]!).length > 0 ? [position] : []));
  return { text: markerAnnotation(span.length, phrases), sources };
}

const DOUBTS = "Uncertainty points preserved: ";

/** The messages of groups in which something is in view. */
function seenIn({ conversation, inView }: PlanRequest): ReadonlySet<number> {
  const { messages } = conversation;
  const isSeen = (position: number): boolean => {
    if (!inView) return false;
    const { start, end } = groupAt(messages, position);
    return messages.slice(start, end).some((message) => holdsAny(message, inView));
  };
  return new Set(messages.filter(({ position }) => isSeen(position)).map(({ position }) => position));
}

/** Where the calls begin that are still running. */
function runningFrom(messages: readonly Message[]): number {
  const last = groupsOf(messages).at(-1);
  return last?.inFlight ? messages[last.start]!.position : messages.length;
}

/** Which stage an edit of a message that stays is listed under. */
function stageOf(before: Message, after: Message): StageName {
  const kinds = new Set(before.parts.filter((part) => !after.parts.includes(part)).map(({ type }) => type));
  if (kinds.has("tool-result")) return "shape-tool-results";
  if (kinds.has("tool-call")) return "shrink-call-arguments";
  return kinds.has("reasoning") || withoutThinking(before) !== before ? "strip-reasoning" : "hand-off";
}

const REASONS: Readonly<Partial<Record<StageName, string>>> = {
  "strip-reasoning": "old reasoning left out",
  "shape-tool-results": "what is shown of the result says most",
  "shrink-call-arguments": "long values of the call's arguments left out",
  "hand-off": "earlier hand-off folded into the new one",
};

/** In the order of the sources' phases: what was rendered in less first, the hand-off last. */
const STAGES: readonly StageName[] = [
  "strip-reasoning",
  "shape-tool-results",
  "shrink-call-arguments",
  "hand-off",
];

function stepsOf(
  request: PlanRequest,
  { messages: after, handoff }: EngineResult,
  { note, protects }: Pick<Compacted, "protects"> & { readonly note: readonly Edit[] },
): readonly PlanStep[] {
  const { conversation, counter } = request;
  const { messages } = conversation;
  const to: YieldsTo = ceilingOf(request) > request.targetTokens ? "window" : "target";
  /** Why a protected message is not as it was; a hand-off that it held is folded into the new one. */
  const yields = (position: number, now: Message | undefined) => {
    if (!protects.has(position) || now === handoff?.message) return undefined;
    const { own, handoff: earlier } = separateHandoff(messages[position]!);
    if (own === undefined || (now && earlier)) return undefined;
    return { reason: `protected, but the ${to} has no room for it`, yieldsTo: to };
  };
  const edits = new Map<StageName, Edit[]>(STAGES.map((stage) => [stage, []]));
  const there = new Map(after.map((message) => [message.position, message]));
  if (handoff) edits.get("hand-off")!.push(...note);
  for (const message of messages) {
    const { position } = message;
    const now = there.get(position);
    if (now === undefined)
      edits.get("hand-off")!.push({
        kind: "remove",
        position,
        reason: "replaced by the hand-off",
        ...yields(position, now),
      });
    else if (now !== message) {
      const stage = now === handoff?.message ? "hand-off" : stageOf(message, now);
      const reason = now === handoff?.message ? "the hand-off joins this message" : REASONS[stage]!;
      edits.get(stage)!.push({ kind: "replace", position, message: now, reason, ...yields(position, now) });
    }
  }
  after.forEach((message, at) => {
    if (message.position >= 0) return;
    const next = after.slice(at + 1).find(({ position, role }) => position >= 0 && role !== "system");
    const reason =
      message === handoff?.message ? `stands for ${handoff.span.length} messages` : "speakers take turns";
    edits
      .get("hand-off")!
      .push({ kind: "insert", before: next?.position ?? messages.length, message, reason });
  });
  const steps: PlanStep[] = [];
  let current = messages;
  for (const stage of STAGES) {
    const changes = edits.get(stage)!;
    if (changes.length === 0) continue;
    const next = applyEdits(current, changes);
    const [tokensBefore, tokensAfter] = [current, next].map((list) => countedTokens(list, counter, messages));
    steps.push({ stage, edits: changes, tokensBefore: tokensBefore!, tokensAfter: tokensAfter! });
    current = next;
  }
  return steps;
}

function regionsOf(
  { head }: Regions,
  { messages: after, handoff }: EngineResult,
  messages: readonly Message[],
): Regions {
  const gone = new Set(handoff?.span ?? []);
  const heads = new Set(head.filter((position) => !gone.has(position)));
  const stay = messages
    .map(({ position }) => position)
    .filter((position) => !gone.has(position) && !heads.has(position));
  // What it is merged into stays beside it.
  const at = handoff ? after.indexOf(handoff.message) : 0;
  const from =
    after.slice(at).find(({ position, role }) => position >= 0 && role !== "system")?.position ??
    messages.length;
  return {
    head: [...heads],
    pinned: stay.filter((position) => handoff && position < from),
    archivable: [...gone],
    recent: stay.filter((position) => !handoff || position >= from),
  };
}

/** What cannot shrink, part by part: a target at which there is a result. */
function unreachable(
  request: PlanRequest,
  note: readonly Edit[],
  least: EngineResult,
): TargetUnreachableError {
  const { conversation, counter, targetTokens } = request;
  const { messages } = conversation;
  const size = (list: readonly Message[]) => countedTokens(list, counter, messages);
  const tokensBefore = size(messages);
  const written = least.messages.filter(({ position }) => position < 0);
  const stay = least.messages.filter(({ position, role }) => position >= 0 && role !== "system");
  const [pinned, rest] = [
    stay.filter((message) => message.pinned),
    stay.filter((message) => !message.pinned),
  ];
  const isGroup = rest.some((message) => makesCalls(message) || carriesResults(message));
  const parts: FloorPart[] = [
    { name: "frame" as const, tokens: size(written) + (least.handoff ? tokensOf(request, note) : 0) },
    { name: "pinned messages" as const, tokens: size(pinned) },
    {
      name: rest.every(isUserMessage)
        ? ("task" as const)
        : isGroup
          ? ("last tool group" as const)
          : ("last message" as const),
      tokens: size(rest),
    },
  ].filter(({ tokens }) => tokens > 0);
  // The floor is the same at every target.
  const floor = Math.max(
    least.tokens,
    parts.reduce((sum, { tokens }) => sum + tokens, 0),
  );
  return new TargetUnreachableError({
    targetTokens,
    floorTokens: Math.min(floor, tokensBefore),
    parts,
    isWhole: tokensBefore <= floor,
    isPinned: pinned.length > 0,
  });
}
