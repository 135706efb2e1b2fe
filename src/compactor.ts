/** createCompactor: the front door of the library. Reads, decides, plans, applies and writes; holds no state of its own. */

import {
  COMPRESS_CONTEXT,
  compressContextDescription,
  compressContextParameters,
} from "./agent-control/compress-context.ts";
import type { Conversation } from "./conversation/conversation.ts";
import { rewriteOf } from "./conversation/rewrite.ts";
import type { ToolOutput } from "./conversation/tool-output.ts";
import { CompactionError } from "./errors/compaction-error.ts";
import { raiseFatal } from "./errors/fatal.ts";
import { OptionsError } from "./errors/options-error.ts";
import { reasonOf } from "./errors/reason-of.ts";
import { withFingerprints } from "./plan/fingerprint.ts";
import { emptyPlan, type Plan } from "./plan/plan.ts";
import { actsOnRequests } from "./policy/acts-on-requests.ts";
import type { Policy } from "./policy/policy.ts";
import { resolvePolicy } from "./policy/resolve-policy.ts";
import { afterRefusal } from "./policy/verdict.ts";
import { formatNamed } from "./providers/detect.ts";
import type { CompactionEvent } from "./report/event.ts";
import { type Health, health } from "./report/health.ts";
import { listener } from "./report/listener.ts";
import { sessionLogEntry } from "./report/session-log.ts";
import { toldEvent } from "./report/told-event.ts";
import { warnOfFailure } from "./report/warn-of-failure.ts";
import { createBackgroundSummaries } from "./run/background-summaries.ts";
import { failureReport } from "./run/build-report.ts";
import { checkOptions, checkWindow } from "./run/check-options.ts";
import { type Compacted, compactOccasion, duePlan } from "./run/compact-occasion.ts";
import { applyEditedPlan } from "./run/edited-plan.ts";
import { isCallersTarget } from "./run/goal.ts";
import { maskedOccasion } from "./run/masked-occasion.ts";
import type { Observation } from "./run/observation.ts";
import { lookAt, type Occasion, readOccasion, undecided } from "./run/occasion.ts";
import { receiveOutput } from "./run/offload.ts";
import type { CompactOptions, CompactorOptions } from "./run/options.ts";
import { withOwnHandoffs } from "./run/own-handoffs.ts";
import { type Result, returned, type WrappedCall } from "./run/result.ts";
import { withSummarizerHint } from "./run/summarizer-hint.ts";
import { type Undone, undoArchived, undoResult } from "./run/undo.ts";
import { withBackgroundSummary, withSummary } from "./run/with-summary.ts";
import { wrapCall } from "./run/wrap-call.ts";
import { inItsBranch, keepState, keptState, reach, writeAhead } from "./run/write-ahead.ts";
import { type CompactionState, initialState } from "./state/compaction-state.ts";
import { counterForModel } from "./tokens/counter.ts";
import { learnFromRecall } from "./weights/learn-from-recall.ts";

export interface Compactor {
  /**
   * Never throws: on any failure you get back what you passed in, and `report.error` says why. A fault in the set-up,
   * which would recur every time, is also a warning on stderr, once. Only an exhausted stack or memory is raised (F56).
   */
  readonly compact: <Body>(input: Body, options?: CompactOptions) => Promise<Result<Body>>;
  /**
   * The plan that `compact` would carry out, from the same state; its steps are empty if nothing is due. Nothing is archived.
   * Throws CompactionError.
   */
  readonly plan: (input: unknown, options?: CompactOptions) => Promise<Plan>;
  /** What `compact` would return, but nothing is archived, logged or reported, and no model is asked. Throws CompactionError. */
  readonly preview: <Body>(input: Body, options?: CompactOptions) => Promise<Result<Body>>;
  /**
   * Carries out a plan from `plan` or `preview`, unchanged or edited: edits removed, the text of a hand-off changed.
   * Never throws; a plan that no longer fits the conversation, or would not give a valid request, is rejected.
   */
  readonly apply: <Body>(input: Body, plan: Plan, options?: CompactOptions) => Promise<Result<Body>>;
  /**
   * Undoes a compaction in the conversation as it is now and keeps later turns. Pass its result to get back exactly what
   * went in, or its id (`report.compaction`) to get what the archive has, with secrets masked. Throws UndoError.
   */
  readonly undo: <Body>(compaction: Result | string, current: Body) => Promise<Undone<Body>>;
  readonly health: (input: unknown, options?: CompactOptions) => Health;
  /**
   * The tools to offer to the model with this request: `compress_context` with the current fill if the policy is
   * agent-controlled (F75) and would act on it, and `recall_search` and `recall_expand` if there is an archive. With a `conversationId`,
   * recall is limited to it, and to what is in the past of this request. Throws CompactionError if the input cannot be read.
   */
  readonly tools: (input: unknown, options?: CompactOptions) => Promise<OfferedTools>;
  /**
   * Wraps a model call: compacts first if that is due, and if the provider says that the request is too long,
   * compacts and tries once more (F62). Errors of the call itself are passed on. The call gets what to send, and the
   * compaction that it comes from: the second one starts from the result of the first.
   */
  readonly wrap: <Answer, Body = unknown>(
    call: (body: Body, result: Result<Body>) => Promise<Answer>,
  ) => WrappedCall<Answer, Body>;
  /**
   * A tool's output as it should enter the conversation: a huge one (20,000 tokens by default) goes to the archive and is
   * replaced by its head, tail, outline and id (F62); if the policy shapes on arrival, it is shaped by its kind (F31);
   * otherwise it stays unchanged, also if the archive fails. `compact` does the same to results that are new to it.
   */
  readonly receive: (output: ToolOutput, options?: { readonly conversationId?: string }) => Promise<string>;
  readonly policy: Policy;
}

export interface OfferedTools {
  /** In the format of the request that they are sent with. */
  readonly definitions: readonly unknown[];
  /**
   * Answers a call of one of them, with its arguments parsed or as JSON text; undefined for any other tool, which is
   * yours. Never throws: the answer says what is wrong with the arguments or the archive. If the agent controls
   * compaction, the answer also says how full the context of the request is (F82).
   */
  readonly run: (name: string, given: unknown) => Promise<string | undefined>;
}

/**
 * Throws OptionsError on invalid options, and UnknownWindowError if nothing says how large the conversation may
 * become; `compact` itself never throws.
 */
export function createCompactor(options: CompactorOptions): Compactor {
  checkWindow(options);
  return doorCompactor(options);
}

/** The same for doors whose requests name the model: an unknown window is reported at the first call. */
export function doorCompactor(options: CompactorOptions): Compactor {
  checkOptions(options);
  const policy = resolvePolicy(options.preset, options.window, options);
  const clock = options.clock ?? Date.now;
  const { onEvent } = options;
  const emit = listener("onEvent", onEvent && ((event: CompactionEvent) => onEvent(toldEvent(event))));
  const log = listener("sessionLog", options.sessionLog);

  const look = (input: unknown, call: CompactOptions, now = clock()): Observation =>
    lookAt(input, options, call, now);

  const summaries = options.summaries ?? createBackgroundSummaries();
  const summarized = async (
    compacted: Compacted,
    input: unknown,
    occasion: Occasion,
    call: CompactOptions,
  ) => {
    if (occasion.policy.handoff.archiveOnly) return compacted.result;
    if ((call.summarize ?? "background") === "background") {
      return withBackgroundSummary(compacted, input, occasion, call, options, summaries);
    }
    return withSummary(compacted, input, occasion, call, options);
  };
  const { archive } = options;
  /** With a name and no state, the archive keeps the state. */
  const keepsState = (call: CompactOptions | null): boolean =>
    archive?.checkpoint !== undefined && call?.conversationId !== undefined && call.state === undefined;
  const withKeptState = async (call: CompactOptions): Promise<CompactOptions> => {
    if (!archive || !keepsState(call)) return call;
    const state = await keptState(archive, call.conversationId!);
    return state ? { ...call, state } : call;
  };

  /** Secrets are looked for only where something is to be done: `isPlanned` says that it is, and nothing is left to decide. */
  const occasionOf = (
    input: unknown,
    call: CompactOptions,
    { isPlanned = false, now = clock() } = {},
  ): Occasion => {
    if (isPlanned) return maskedOccasion(undecided(look(input, call, now), "The plan is there already."));
    const occasion = readOccasion(input, options, call, now);
    return occasion.goal.act ? maskedOccasion(occasion) : occasion;
  };

  const ofItsBranch = async (occasion: Occasion): Promise<Occasion> =>
    archive && occasion.goal.act ? inItsBranch(archive, occasion) : occasion;

  /** With `adaptive`, what was recalled since the last compaction is learned from before the next one. */
  const taught = async (occasion: Occasion): Promise<Occasion> => {
    if (!occasion.lessons || !occasion.goal.act) return occasion;
    const { lessons, conversation, name } = occasion;
    const learned = () => learnFromRecall(lessons, conversation.messages, archive, name);
    return { ...occasion, lessons: archive ? await reach(archive, learned) : await learned() };
  };

  const ready = async (occasion: Occasion): Promise<Occasion> => {
    const own = await taught(await ofItsBranch(occasion));
    return own.goal.act ? withOwnHandoffs(own, archive) : own;
  };

  /** Makes a result, archives it before anybody gets it, and tells of it; whatever fails, the original comes back. */
  const guarded = async (
    input: unknown,
    call: CompactOptions,
    make: (occasion: Occasion) => Result | Promise<Result>,
    isPlanned = false,
  ): Promise<Result> => {
    let occasion: Occasion | undefined;
    let now = Date.now();
    try {
      now = clock();
      // In two steps: an archive that fails in the second is a failure of this occasion, and leaves its strike.
      occasion = occasionOf(input, await withKeptState(call), { isPlanned, now });
      occasion = await ready(occasion);
      let made = await make(occasion);
      if (archive && made.report.compacted && !occasion.goal.act) {
        // What nothing was decided for, an arrival or a plan that was there, is written by its own branch as well.
        const own = await inItsBranch(archive, occasion);
        if (own !== occasion) {
          occasion = own;
          made = await make(own);
        }
      }
      const result = archive ? await writeAhead(made, occasion, archive) : made;
      if (archive && keepsState(call) && !result.report.compacted)
        await keepState(archive, occasion, result.state);
      const isSummarized = occasion.goal.act || isPlanned;
      if (result.report.compacted && isSummarized) log(sessionLogEntry(result.report, now));
      emit({ type: "compaction-end", report: result.report });
      return result;
    } catch (cause) {
      raiseFatal(cause);
      const error = asCompactionError(cause);
      tellFailure(error, emit);
      const report = failureReport(error, policy.name, occasion);
      log(sessionLogEntry(report, now));
      const before = occasion?.state ?? call?.state ?? initialState;
      const state = occasion ? afterFailure(occasion, error) : before;
      // It may be the archive that failed: then the strike is in the state that is given back, and nowhere else.
      if (archive && occasion && keepsState(call)) await keepState(archive, occasion, state).catch(() => {});
      const conversation = occasion?.conversation ?? nothingRead;
      return {
        ...returned(input),
        original: { body: input, state: before },
        conversation,
        rewrite: rewriteOf(conversation.messages),
        plan: emptyPlan(policy.name),
        report,
        state,
      };
    }
  };
  // What comes out is of the type that went in: the formats see to that, and types cannot follow them.
  const compact = <Body>(input: Body, call: CompactOptions = {}) =>
    guarded(input, call, async (occasion) => {
      const result = await summarized(compactOccasion(input, occasion, emit), input, occasion, call);
      const isChosen = call.summarizer ?? options.summarizer ?? options.summaries;
      return isChosen ? result : { ...result, report: withSummarizerHint(result.report, occasion) };
    }) as Promise<Result<Body>>;

  return {
    policy,
    compact,
    preview: async <Body>(input: Body, call: CompactOptions = {}) => {
      const occasion = await ready(occasionOf(input, await withKeptState(call)));
      const { result } = compactOccasion(input, occasion, () => {});
      const plan = withFingerprints(result.plan, occasion.conversation.messages);
      return { ...result, plan } as Result<Body>;
    },
    apply: <Body>(input: Body, plan: Plan, call: CompactOptions = {}) =>
      guarded(input, call, (occasion) => applyEditedPlan(input, plan, occasion), true) as Promise<
        Result<Body>
      >,
    undo: async <Body>(compaction: Result | string, current: Body) => {
      const format = options.format ?? "auto";
      if (typeof compaction !== "string") return undoResult(compaction, current, format) as Undone<Body>;
      if (!archive)
        throw new OptionsError(
          "archive",
          "Without an archive a compaction is undone by its result, not by an id.",
        );
      return (await undoArchived(archive, compaction, current, format)) as Undone<Body>;
    },
    wrap: (call) => wrapCall({ compact, look }, call),
    tools: async (input, call = {}) => {
      const { conversation, fill } = look(input, call);
      const { toolDefinition } = formatNamed(conversation.format);
      const compress = {
        name: COMPRESS_CONTEXT,
        description: compressContextDescription(fill?.ratio),
        parameters: compressContextParameters,
      };
      const recall = archive ? (await import("./recall/tools.ts")).recallTools(archive) : [];
      const offersCompress = actsOnRequests(policy, options.target);
      const offered = [...(offersCompress ? [compress] : []), ...recall];
      const shown = offersCompress && fill ? { tokens: fill.tokens, budget: fill.base } : undefined;
      return {
        definitions: offered.map(({ name, description, parameters }) =>
          toolDefinition({ name, description, parameters }),
        ),
        run: async (name, given) => {
          const { runAgentTool } = await import("./agent-control/run-tool.ts");
          const { conversationId } = call;
          const asking = [conversation.messages];
          return runAgentTool(name, given, { archive, conversationId, asking, offersCompress, fill: shown });
        },
      };
    },
    plan: async (input, call = {}) => {
      const occasion = await ready(occasionOf(input, await withKeptState(call)));
      return withFingerprints(duePlan(occasion), occasion.conversation.messages);
    },
    health: (input, call = {}) => {
      const { conversation, fill } = look(input, call);
      return health({ conversation, fill, sessionId: call.conversationId });
    },
    receive: async (output, { conversationId } = {}) => {
      try {
        const counter = options.counter ?? counterForModel(options.model);
        return await receiveOutput(output, { policy, counter, archive, conversationId, at: clock() });
      } catch (cause) {
        raiseFatal(cause);
        tellFailure(asCompactionError(cause), emit);
        return output.text;
      }
    },
  };
}

/** A failed automatic attempt is a strike, or it would be made again at every turn (R18); one by hand is not (R17). */
function afterFailure({ goal, state, now }: Occasion, { message }: CompactionError): CompactionState {
  const byHand = !goal.act || isCallersTarget(goal) || goal.cause === "manual";
  return byHand ? state : afterRefusal(state, now, message);
}

function tellFailure(error: CompactionError, emit: (event: CompactionEvent) => void): void {
  warnOfFailure(error);
  emit({ type: "compaction-fail", code: "CONTEXT_BUDGET_COMPACTION_FAILED", error });
}

const nothingRead: Conversation = { format: "unknown", messages: [], tools: [], envelope: undefined };

function asCompactionError(cause: unknown): CompactionError {
  if (cause instanceof CompactionError) return cause;
  const message = reasonOf(cause);
  return new CompactionError("COMPACTION_FAILED", `Compaction failed: ${message}. The original stays.`, {
    cause,
  });
}
