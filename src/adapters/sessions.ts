/**
 * Sessions: the way of a model call through the engine, the same for every SDK. Callers resend their whole history with
 * each call, so what a compaction made of its beginning is remembered and stands for that beginning in later calls.
 */

import { type ContextFill, fillNote, fillOf } from "../agent-control/fill-note.ts";
import { runAgentTool } from "../agent-control/run-tool.ts";
import { importConversation } from "../archive/import-conversation.ts";
import { type Compactor, doorCompactor } from "../compactor.ts";
import { CONTINUED, SUMMARIZED } from "../conversation/handoffs/other-summaries.ts";
import { isHandoffMessage } from "../conversation/handoffs/separate.ts";
import { type Message, textOfMessage } from "../conversation/message.ts";
import { actsOnRequests } from "../policy/acts-on-requests.ts";
import { readConversation } from "../providers/detect.ts";
import { RECALL_EXPAND, RECALL_SEARCH } from "../recall/tools.ts";
import type { CompactorOptions } from "../run/options.ts";
import type { Result } from "../run/result.ts";
import { offersCompress } from "./agent-tools.ts";
import { fingerprintOf, hasCacheMarks, withoutCacheMarks } from "./cache-marks.ts";
import { type Own, ownSummaries, type SummarizerOptions } from "./own-summaries.ts";
import { positionOf } from "./provider-compaction.ts";
import { createSessionStore, isCovered, type Session } from "./session-store.ts";
import { vanishedFrom } from "./vanished.ts";
import { nameOfCall, type Whose } from "./whose.ts";

/** `conversationId` and `user` are those of calls that name none; give them with each call where one client serves several people. */
export interface AdapterOptions extends Omit<CompactorOptions, "summarizer">, SummarizerOptions, Whose {
  readonly model?: string;
}

/** One call of a model. */
export interface Exchange<Native, Answer> {
  /** Everything that the caller wants to send, in the SDK's own messages. */
  readonly history: readonly Native[];
  readonly view: View<Native>;
  /** @default the adapter's */
  readonly whose?: Whose | undefined;
  /** The index of the first message that the provider itself still shows to the model. @default 0 */
  readonly shownFrom?: number;
  /** Tool definitions that are sent with it, if the body does not contain them. */
  readonly tools?: readonly unknown[] | undefined;
  /** The model's name, if the body does not contain it. */
  readonly model?: string | undefined;
  /** Messages of the history that must stay as they are. */
  readonly pinned?: readonly Native[] | undefined;
  /**
   * Sends them. Called a second time, with less, when the provider says that they are too long. The last of them says how
   * full the context is, where the agent may compact by itself and so must know; `placed` has them without, and says which
   * message of the history each of them is.
   */
  readonly call: (messages: readonly Native[], placed: readonly Placed<Native>[]) => Promise<Answer>;
  /** The model that is called, for `summarizer: "same"`; absent where it is not at hand. */
  readonly own?: Own<Answer> | undefined;
}

/** How an SDK's messages look to the engine, and how they come back. */
export interface View<Native> {
  /** A request in a wire format. */
  readonly body: (messages: readonly Native[]) => unknown;
  /** The messages of a result; those that nobody changed are the very objects that were given. */
  readonly messages: (result: Result, given: readonly Native[]) => readonly Placed<Native>[];
  /** What of a message makes it the same in the next call. @default all of it */
  readonly identity?: (message: Native) => unknown;
  /** A system prompt may change from call to call; the conversation stays the same. */
  readonly isSystem: (message: Native) => boolean;
  /** What must come before the first message that the provider shows. @default nothing */
  readonly opening?: (first: Native) => Native | undefined;
  /** A last message with a note behind what it says; the very message where there is no place for one. */
  readonly noted?: (message: Native, note: string) => Native;
  /** The wire format of the body. */
  readonly format: string;
}

export interface Placed<Native> {
  readonly message: Native;
  /** Its index in what was given, changed or not; -1 for a new one. */
  readonly from: number;
}

export interface Sessions {
  readonly compactor: Compactor;
  readonly send: <Native, Answer>(exchange: Exchange<Native, Answer>) => Promise<Answer>;
  /**
   * Answers a call of one of Pith's tools; undefined for any other, which is the caller's own. The answer says how full the
   * context is, where it is plain whose.
   */
  readonly runTool: (name: string, given: unknown, whose?: Whose) => Promise<string | undefined>;
  /** Archives all of it: the provider is about to make a summary of its own take its place. */
  readonly keep: <Native>(
    exchange: Pick<Exchange<Native, unknown>, "history" | "view" | "whose">,
  ) => Promise<void>;
}

export function createSessions(options: AdapterOptions): Sessions {
  const { summarizer: _, summarize: __, conversationId, user, ...rest } = options;
  const whoseCall = (whose: Whose = {}): Whose => ({
    conversationId: whose.conversationId ?? conversationId,
    user: whose.user ?? user,
  });
  const own = ownSummaries(options);
  const compactor = doorCompactor({ ...rest, ...own.forCompactor });
  const mayCompress = actsOnRequests(compactor.policy, options.target);
  const store = createSessionStore();
  const now = options.clock ?? Date.now;

  const send = async <Native, Answer>(exchange: Exchange<Native, Answer>): Promise<Answer> => {
    const { history, view } = exchange;
    const { session, marks } = store.find(whoseCall(exchange.whose), history, view);
    hide(session, exchange);
    await archiveVanished(session, marks, exchange);
    session.seen = new Map(marks.map((mark, index) => [mark, history[index]]));
    session.seenMarks = marks.filter((_mark, index) => !view.isSystem(history[index]!));
    session.asking = () => [history, current.map(messageOf)].map((each) => messagesIn(each, view));
    let current = shown(recalled(session, exchange, marks), exchange);
    const wrapped = compactor.wrap(async (_body, result) => {
      if (result.report.compacted) {
        const placed = view.messages(result, current.map(messageOf));
        current = placed.map(({ message, from }) => ({ message, from: current[from]?.from ?? -1 }));
        session.covered = marks;
        session.sent = new Set(current.map(({ message }) => store.markOf(message, view)));
        session.kept = current.map(({ message, from }) =>
          message === history[from] ? { from } : { from, message, madeOf: history[from] },
        );
      }
      session.state = result.state;
      session.report = result.report;
      const isOffered = mayCompress && offersCompress(body, exchange.tools);
      const fill = isOffered ? fillOf(result.report) : undefined;
      return exchange.call(noted(current.map(messageOf), view, fill), current);
    });
    const summaries = own.forCall(exchange);
    const body = view.body(current.map(messageOf));
    const pinned = exchange.shownFrom ? [history[exchange.shownFrom]] : (exchange.pinned ?? []);
    const calling = wrapped(body, {
      ...(pinned.length > 0 && { pins: pinned.flatMap((each) => positionOf(each, body, view.format)) }),
      conversationId: session.name,
      ...(session.state && { state: session.state }),
      ...(exchange.tools && { tools: exchange.tools }),
      ...(exchange.model && { model: exchange.model }),
      ...summaries.options,
    });
    try {
      const { answer } = await calling;
      summaries.answered(answer);
      return answer;
    } catch (error) {
      summaries.failed(error);
      throw error;
    }
  };

  const keep: Sessions["keep"] = async ({ history, view, whose }) => {
    const { session, marks } = store.find(whoseCall(whose), history, view);
    session.vanished.push(...history.filter((message) => !view.isSystem(message)));
    await archiveVanished(session, marks, { history, view });
  };

  /** What was there and is no more was compacted by somebody else: recall must still find it. */
  async function archiveVanished<Native>(
    session: Session,
    marks: readonly string[],
    { history, view }: Pick<Exchange<Native, unknown>, "history" | "view">,
  ): Promise<void> {
    const seen = { messages: session.seen, marks: session.seenMarks };
    const { compacted, withdrawn } = vanishedFrom(seen, marks, {
      isElsewhere: (mark) => session.sent.has(mark),
      opensWithSummary: () => isSummary(messagesIn(history, view).find(({ role }) => role !== "system")),
    });
    session.vanished.push(...compacted);
    session.withdrawn.push(...withdrawn);
    const { archive } = options;
    if (!archive) return;
    const keepAll = async (messages: readonly unknown[], isWithdrawn: boolean): Promise<void> => {
      if (messages.length === 0) return;
      const body = view.body(messages as readonly Native[]);
      const of = { conversationId: session.name, at: now(), format: view.format };
      await importConversation(archive, { ...of, body, as: isWithdrawn ? "withdrawn" : "more" });
    };
    try {
      await keepAll(session.vanished, false);
      session.vanished = [];
      await keepAll(session.withdrawn, true);
      session.withdrawn = [];
    } catch (cause) {
      // They are kept, and tried again with the next call.
      const error = cause instanceof Error ? cause : new Error(String(cause));
      options.onEvent?.({ type: "compaction-fail", code: "CONTEXT_BUDGET_COMPACTION_FAILED", error });
    }
  }

  const runTool: Sessions["runTool"] = async (name, given, whose) => {
    const asked = whoseCall(whose);
    const session = store.known(asked);
    const fill = mayCompress && session?.report ? fillOf(session.report) : undefined;
    const conversationId = session?.name ?? nameOfCall(asked);
    // Without a name, recall would find what others said.
    if (conversationId === undefined && isRecallTool(name)) return options.archive && unknownWhose(name);
    return runAgentTool(name, given, {
      archive: options.archive,
      conversationId,
      asking: session?.asking?.(),
      mayAskOthers: session?.isNamed ?? true,
      offersCompress: mayCompress,
      fill,
    });
  };

  return { compactor, send, runTool, keep };
}

function isRecallTool(name: string): boolean {
  return name === RECALL_SEARCH || name === RECALL_EXPAND;
}

function unknownWhose(tool: string): string {
  return (
    `${tool} failed: this client serves several conversations, and the call does not say which one it is of. ` +
    "Name the conversation with each call (docs/adapters/README.md). Go on without it."
  );
}

function isSummary(message: Message | undefined): boolean {
  if (!message) return false;
  const text = textOfMessage(message);
  return isHandoffMessage(message) || SUMMARIZED.test(text) || CONTINUED.test(text);
}

function messagesIn<Native>(messages: readonly Native[], { body, format }: View<Native>): readonly Message[] {
  try {
    return readConversation(body(messages), { format, isPart: true }).messages;
  } catch {
    // What cannot be read has no past.
    return [];
  }
}

/** The last message says how full the context is: no later call begins with that, so it costs no cached prefix (F82). */
function noted<Native>(
  messages: readonly Native[],
  view: View<Native>,
  fill: ContextFill | undefined,
): readonly Native[] {
  const last = messages.at(-1);
  if (!fill || !view.noted || last === undefined || view.isSystem(last)) return messages;
  return [...messages.slice(0, -1), view.noted(last, fillNote(fill))];
}

/** The history with what is remembered of its beginning. */
function recalled<Native>(
  session: Session,
  { history, view }: Omit<Exchange<Native, unknown>, "call" | "own">,
  marks: readonly string[],
): readonly Placed<Native>[] {
  const whole = history.map((message, from) => ({ message, from }));
  if (!isCovered(session, marks)) return whole;
  const start = session.kept.map(({ from, message, madeOf }): Placed<Native> => {
    const now = history[from];
    if (message === undefined) return whole[from]!;
    const isOther = now !== undefined && view.isSystem(now) && fingerprintOf(now) !== fingerprintOf(madeOf);
    if (isOther) return whole[from]!;
    // subtle: a cache mark that the caller has moved on must not stay behind in the changed copy.
    const isMarked = now !== undefined && hasCacheMarks(now);
    return { from, message: (isMarked ? message : withoutCacheMarks(message)) as Native };
  });
  return [...start, ...whole.slice(session.covered.length)];
}

/** Without what the provider does not show; the system prompt stays. */
function shown<Native>(
  messages: readonly Placed<Native>[],
  { shownFrom = 0, view }: Omit<Exchange<Native, unknown>, "call" | "own">,
): readonly Placed<Native>[] {
  const start = messages.findIndex(({ from }) => from === shownFrom);
  if (shownFrom === 0 || start < 0) return messages;
  const system = messages.slice(0, start).filter(({ message }) => view.isSystem(message));
  const lead = view.opening?.(messages[start]!.message);
  return [...system, ...(lead === undefined ? [] : [{ message: lead, from: -1 }]), ...messages.slice(start)];
}

/** What the provider hides is as good as gone. */
function hide<Native>(
  session: Session,
  { history, shownFrom = 0, view }: Omit<Exchange<Native, unknown>, "call" | "own">,
): void {
  const hidden = history.slice(session.hidden, shownFrom);
  session.vanished.push(...hidden.filter((message) => !view.isSystem(message)));
  session.hidden = Math.max(session.hidden, shownFrom);
}

function messageOf<Native>({ message }: Placed<Native>): Native {
  return message;
}
